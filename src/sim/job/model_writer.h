// A model as a row of blocks, written into a program block by block. A parallelism decides which blocks a rank runs and
// what happens between them; it knows nothing of what a block does. Private to job/.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/job/job.h"
#include "sim/job/program_writer.h"

namespace td::sim {

// One tensor of weights. Parameters are numbered in the order of their use; gradients become ready in reverse.
struct Parameter {
  int64_t rows = 0;
  int64_t columns = 1;
  [[nodiscard]] int64_t count() const { return rows * columns; }
};

// Called where that parameter's gradient has just been computed.
using GradientReady = std::function<void(int32_t parameter)>;

// A tensor that each microbatch brings to the device.
struct InputTensor {
  std::string shape;  // "[[4,2048]]"
  int64_t size_bytes = 0;
};

class ModelWriter {
 public:
  virtual ~ModelWriter() = default;

  // Block 0 takes the inputs (embedding, patches, stem); the last one has the head and the loss. At least 2.
  [[nodiscard]] virtual int32_t block_count() const = 0;
  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  // The parameters of `block` are first_parameter(block) up to first_parameter(block + 1). A weight that two blocks
  // share (tied embeddings) belongs to the first of them, and its gradient is ready there.
  [[nodiscard]] virtual int32_t first_parameter(int32_t block) const = 0;

  // Blocks first to last - 1 in order; the last block ends with the loss.
  virtual void forward(int32_t first, int32_t last) = 0;
  // The same blocks in reverse; the last block begins with the loss.
  virtual void backward(int32_t first, int32_t last, const GradientReady& gradient_ready) = 0;

  // Elements that `block` hands to the next one (a pipeline sends them, and their gradient back), in bytes of BF16.
  [[nodiscard]] virtual int64_t output_bytes(int32_t block) const = 0;
  [[nodiscard]] virtual std::vector<InputTensor> inputs() const = 0;
  // Autograd sequence numbers used by one forward of all blocks.
  [[nodiscard]] virtual int32_t sequence_count() const = 0;

 protected:
  void set_parameters(std::vector<Parameter> parameters) { parameters_ = std::move(parameters); }

 private:
  std::vector<Parameter> parameters_;
};

// Writes to `writer`, which must outlive it, as `job` and `software` must.
std::unique_ptr<ModelWriter> make_model_writer(const Job& job, const Software& software, ProgramWriter& writer);

// parameters() without a program: for memory and tables.
std::vector<Parameter> parameters_of(const Model& model);

}  // namespace td::sim
