// Layers that families are made of: each call adds one node (or a few) to the block at hand, with the ops, kernels,
// times and gradients that PyTorch gives such a layer. Tensors are BF16. Private to job/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/job/graph.h"
#include "sim/job/job.h"

namespace td::sim {

using Shape = std::vector<int64_t>;

int64_t element_count(const Shape& shape);
// "[[8192,4096],[]]": an empty shape is a scalar.
std::string shapes_text(const std::vector<Shape>& tensors);

struct LinearSpec {
  Shape leading;  // dimensions before the features: {batch, seq_len}
  int64_t in = 0;
  int64_t out = 0;
  bool bias = false;
  int32_t shared_parameter = -1;  // a weight that belongs to an earlier layer
  bool first = false;             // its input needs no gradient
};

struct ConvSpec {
  int64_t batch = 0;
  int64_t in = 0, out = 0;  // channels
  int64_t size = 0;         // height and width of the input
  int64_t width = 0;        // if not `size`
  int64_t kernel = 1;
  int64_t kernel_width = 0;  // if not `kernel`
  int64_t stride = 1;
  int64_t groups = 1;
  bool bias = false;
  bool first = false;  // its input needs no gradient
  [[nodiscard]] int64_t out_size() const { return (size + stride - 1) / stride; }
  [[nodiscard]] int64_t out_width() const { return ((width > 0 ? width : size) + stride - 1) / stride; }
};

struct AttentionSpec {
  int64_t batch = 0;
  int64_t heads = 0;
  int64_t kv_heads = 0;
  int64_t seq_len = 0;
  int64_t head_dim = 0;
  bool causal = false;
};

class GraphBuilder {
 public:
  GraphBuilder(const Job& job, const Software& software);

  // The nodes that follow belong to the next block; `output_bytes` is what that block hands on.
  void block(int64_t output_bytes);
  Graph finish();
  void input(const Shape& shape, int64_t element_bytes);
  void resident(int64_t bytes) { graph_.table_bytes += bytes; }  // on the device beside the parameters

  // graph_dense.cc
  void linear(const LinearSpec& spec);
  void batched_gemm(int64_t batch, int64_t m, int64_t n, int64_t k);
  void attention(const AttentionSpec& spec);
  void rotary(const AttentionSpec& spec);
  void layer_norm(const Shape& shape, bool rms, bool affine = true);
  void embedding(int64_t rows, int64_t columns, const Shape& indices);
  void cross_entropy(int64_t rows, int64_t classes);

  // graph_pointwise.cc
  enum class Activation : uint8_t { gelu, silu, relu, sigmoid, tanh };
  void activation(Activation kind, const Shape& shape);
  void add(const Shape& shape);                     // of a residual stream; both gradients pass through
  void multiply(const Shape& shape);                // of two activations
  void scale(const Shape& shape, const Shape& by);  // by a smaller tensor that is broadcast
  void shift(const Shape& shape, const Shape& by);
  void dropout(const Shape& shape);
  void split_gradient(const Shape& shape);  // forward a view; backward puts the halves together
  void concatenate(const Shape& out);
  void fork(const Shape& shape);  // a tensor with two uses: their gradients are added
  void mean_squared_error(const Shape& shape);
  void binary_cross_entropy(const Shape& shape);
  void mean(const Shape& shape, const Shape& out);
  void normalise(const Shape& shape);  // images of bytes: to floats, minus the mean, over the deviation
  void log_activation(int64_t rows, int64_t columns);

  // graph_conv.cc
  void convolution(const ConvSpec& spec);
  void batch_norm(const Shape& shape);
  void group_norm(const Shape& shape, int64_t groups);
  void max_pool(const Shape& shape, int64_t out_size);
  void upsample(const Shape& shape);

  // graph_sparse.cc
  void embedding_bags(int64_t tables, int64_t rows, int64_t columns, int64_t batch, int64_t pooling);
  void gather_rows(int64_t source_rows, int64_t rows, int64_t columns);
  void scatter_add(int64_t rows, int64_t out_rows, int64_t columns);
  void sinusoids(int64_t batch, int64_t columns);  // timestep features
  void mel_spectrum(int64_t batch, int64_t samples, int64_t frames, int64_t bins);

 private:
  Node& add_node(bool differentiable = true);
  // Opens an op below those given so far: depth 0 starts a tree.
  static void op(Pass& pass, std::string_view name, TimeNs cost_ns, const std::string& shapes = {}, int32_t depth = 0,
                 std::string_view types = {});
  void kernel(Pass& pass, KernelShape shape, const hardware::KernelTime& time,
              std::string_view api = "cudaLaunchKernel") const;
  void stream_kernel(Pass& pass, KernelShape shape, double traffic_bytes) const;
  static Pass& backward(Node& node, std::string_view autograd_node);
  int32_t parameter(int64_t rows, int64_t columns, Node* owner);
  void cast_weight(int64_t rows, int64_t columns, int32_t number);
  void bias_gradient(Pass& pass, int64_t rows, int64_t columns) const;

  const Job& job_;
  const Software& software_;
  const hardware::Gpu& gpu_;
  bool fp32_;
  Graph graph_;
};

}  // namespace td::sim
