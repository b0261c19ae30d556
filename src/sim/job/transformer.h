// Writes forward and backward of the model, op by op; private to job/.
#pragma once

#include <functional>
#include <vector>

#include "sim/job/job.h"
#include "sim/job/program_writer.h"

namespace td::sim {

// Parameters in the order of their use; gradients become ready in reverse.
struct Parameter {
  int64_t rows = 0;
  int64_t columns = 1;
  [[nodiscard]] int64_t count() const { return rows * columns; }
};
std::vector<Parameter> parameters_of(const Model& model);

class Transformer {
 public:
  Transformer(const Job& job, const Software& software, ProgramWriter& writer);

  void forward();
  // `gradient_ready(parameter)` is called where that parameter's gradient has just been computed.
  void backward(const std::function<void(int32_t)>& gradient_ready);

  // Autograd sequence numbers used by one forward.
  [[nodiscard]] int32_t sequence_count() const;

  // One pointwise op with its kernel: `bytes_per_element` read and written.
  void pointwise(std::string_view op_name, Pointwise kind, int64_t n, double bytes_per_element, int32_t sequence = -1);

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
  [[nodiscard]] Linear head() const;

  void linear_forward(const Linear& linear);
  void linear_backward(const Linear& linear, const std::function<void(int32_t)>& gradient_ready);
  void cast_weight(const Linear& linear);
  void norm_forward(int32_t sequence);
  void norm_backward(int32_t sequence, int32_t parameter, const std::function<void(int32_t)>& gradient_ready);
  void attention_forward(int32_t sequence);
  void attention_backward(int32_t sequence);
  void rotary(int32_t sequence, bool forward);
  void mlp_activation_forward(int32_t sequence);
  void mlp_activation_backward(int32_t sequence);
  void embedding_forward();
  void embedding_backward(const std::function<void(int32_t)>& gradient_ready);
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
