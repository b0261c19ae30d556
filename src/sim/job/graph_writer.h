// Writes a graph's blocks into a program: op by op, or as a compiler would run them. Private to job/.
#pragma once

#include <memory>

#include "sim/job/fusion.h"
#include "sim/job/graph.h"

namespace td::sim {

class GraphWriter : public ModelWriter {
 public:
  GraphWriter(const Job& job, const Software& software, ProgramWriter& writer);

  [[nodiscard]] int32_t block_count() const override { return static_cast<int32_t>(graph_.blocks.size()); }
  [[nodiscard]] int32_t first_parameter(int32_t block) const override;
  void forward(int32_t first, int32_t last) override;
  void backward(int32_t first, int32_t last, const GradientReady& gradient_ready) override;
  [[nodiscard]] int64_t output_bytes(int32_t block) const override;
  [[nodiscard]] std::vector<InputTensor> inputs() const override { return graph_.inputs; }
  [[nodiscard]] int32_t sequence_count() const override { return graph_.sequence_count; }

 private:
  void node_forward(const Node& node);
  void node_backward(const Node& node);
  void write_pass(const Pass& pass, int32_t sequence);
  void compiled_forward(const Block& block);
  void compiled_backward(const Block& block);

  const Job& job_;
  const Software& software_;
  ProgramWriter& writer_;
  Graph graph_;
  Fuser fuser_;
};

}  // namespace td::sim
