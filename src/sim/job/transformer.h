// Writes forward and backward of the model, op by op; private to job/.
#pragma once

#include <functional>
#include <vector>

#include "sim/job/job.h"
#include "sim/job/model_writer.h"
#include "sim/job/program_writer.h"

namespace td::sim {

// Blocks: the embedding, each layer, then the final norm with head and loss.
class Transformer : public ModelWriter {
 public:
  Transformer(const Job& job, const Software& software, ProgramWriter& writer);

  [[nodiscard]] int32_t block_count() const override;
  [[nodiscard]] int32_t first_parameter(int32_t block) const override;
  void forward(int32_t first, int32_t last) override;
  void backward(int32_t first, int32_t last, const GradientReady& gradient_ready) override;
  [[nodiscard]] int64_t output_bytes(int32_t block) const override;
  [[nodiscard]] std::vector<InputTensor> inputs() const override;
  [[nodiscard]] int32_t sequence_count() const override;

 private:
  struct Linear {
    int64_t in = 0;
    int64_t out = 0;
    int32_t parameter = 0;
    int32_t sequence = 0;
  };
  struct Layer {
    Linear qkv, projection, up, down;
    int32_t norm1 = 0, norm2 = 0;  // parameters
    int32_t sequence = 0;          // the first of this layer's
  };
  [[nodiscard]] Layer layer(int32_t index) const;
  // One pointwise op with its kernel: `bytes_per_element` read and written.
  void pointwise(std::string_view op_name, Pointwise kind, int64_t n, double bytes_per_element, int32_t sequence = -1);
  void layer_forward(int32_t index);
  void layer_backward(int32_t index, const GradientReady& gradient_ready);
  void head_forward();
  void head_backward(const GradientReady& gradient_ready);
  [[nodiscard]] Linear head() const;
  [[nodiscard]] bool compiled() const { return job_.execution == Execution::compiled; }

  void linear_forward(const Linear& linear);
  void linear_backward(const Linear& linear, const GradientReady& gradient_ready);
  void cast_weight(const Linear& linear);
  void norm_forward(int32_t sequence);
  void norm_backward(int32_t sequence, int32_t parameter, const GradientReady& gradient_ready);
  void attention_forward(int32_t sequence);
  void attention_backward(int32_t sequence);
  void rotary(int32_t sequence, bool forward);
  void mlp_activation_forward(int32_t sequence);
  void mlp_activation_backward(int32_t sequence);
  void embedding_forward();
  void embedding_backward(const GradientReady& gradient_ready);
  void loss_forward();
  void loss_backward();
  void residual_add(int32_t sequence);
  void log_activations(int32_t branch);
  void residual_gradient();
  void node(std::string_view name, int32_t sequence, TimeNs cost_ns = 5'000);
  void end_node();
  void row_op(std::string_view op_name, RowKernel kind, int64_t rows, int64_t columns, double traffic_bytes,
              double extra_ns = 0);

  const Job& job_;
  const Software& software_;
  ProgramWriter& writer_;
  int64_t tokens_;
  bool fp32_;
};

}  // namespace td::sim
