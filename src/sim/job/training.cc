#include "sim/job/training.h"

#include <memory>
#include <numeric>
#include <string>

#include "sim/job/compiled.h"
#include "sim/job/fsdp.h"
#include "sim/job/gradient_reduction.h"
#include "sim/job/metrics.h"
#include "sim/job/model_writer.h"
#include "sim/job/pipeline.h"
#include "sim/job/training_parts.h"

namespace td::sim {
namespace {

std::vector<int32_t> numbers_up_to(size_t count) {
  std::vector<int32_t> out(count);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

// One GPU or DDP: every rank runs the whole model.
class Training {
 public:
  Training(const Job& job, const Software& software, Program& program)
      : job_(job),
        program_(program),
        writer_(program_),
        model_(make_model_writer(job, software, writer_)),
        mine_(numbers_up_to(model_->parameters().size())),
        reduction_(job, software, model_->parameters(), mine_,
                   numbers_up_to(static_cast<size_t>(job.fabric.world_size())), writer_) {}

  // Adds one step to the program; returns its segment.
  int32_t add_step() {
    first_segment_ = program_.segments.size();
    program_.sequences_per_step = model_->sequence_count();
    program_.segments.resize(first_segment_ + 1 + static_cast<size_t>(job_.accumulation));
    for (int32_t microbatch = 0; microbatch < job_.accumulation; ++microbatch) {
      writer_.write_to(program_.segments[first_segment_ + 1 + static_cast<size_t>(microbatch)]);
      backward(microbatch);
    }
    writer_.write_to(program_.segments[first_segment_]);
    step();
    return static_cast<int32_t>(first_segment_);
  }

  void add_epilogue() { write_epilogue(program_, writer_); }

 private:
  void backward(int32_t microbatch) {
    const bool last = microbatch == job_.accumulation - 1;
    model_->backward(0, model_->block_count(),
                     [&](int32_t parameter) { reduction_.gradient_ready(parameter, microbatch == 0, last); });
    if (last && job_.overlap_reduction) reduction_.wait();
  }

  void microbatch(int32_t number) {
    write_batch(job_, model_->inputs(), writer_);
    if (number == 0) write_zero_grad(writer_);
    const bool wrapped = job_.parallelism.kind == Parallelism::Kind::ddp;
    if (wrapped) writer_.annotation("DistributedDataParallel.forward", 40'000);
    if (job_.execution == Execution::compiled) begin_compiled(writer_);
    model_->forward(0, model_->block_count());
    if (job_.execution == Execution::compiled) end_compiled(writer_);
    if (wrapped) writer_.end(15'000);
    writer_.work(12'000);
    writer_.run_thread(kAutogradThread, static_cast<int32_t>(first_segment_) + 1 + number);
  }

  void step() {
    writer_.begin_step(18'000);
    for (int32_t number = 0; number < job_.accumulation; ++number) microbatch(number);
    reduction_.reduce_after_backward();
    write_gradient_log(job_, model_->parameters(), mine_, writer_);
    write_optimizer(job_, parameter_count(*job_.model), writer_);
    if (job_.sync_every_step) read_scalar(writer_);
    writer_.work(20'000);
    writer_.end(4'000);
    writer_.work(9'000);
  }

  const Job& job_;
  Program& program_;
  ProgramWriter writer_;
  std::unique_ptr<ModelWriter> model_;
  std::vector<int32_t> mine_;
  GradientReduction reduction_;
  size_t first_segment_ = 0;
};

}  // namespace

Deployment training_deployment(const Job& job, const Software& software) {
  if (job.parallelism.kind == Parallelism::Kind::pipeline) return pipeline_deployment(job, software);
  if (job.parallelism.kind == Parallelism::Kind::fsdp) return fsdp_deployment(job, software);
  Program program;
  program.stream_count = job.parallelism.kind == Parallelism::Kind::one_gpu ? 1 : 2;
  Training usual(job, software, program);
  usual.add_step();
  usual.add_epilogue();
  if (job.reshaped_step >= 0) {
    const Job reshaped = reshaped_job(job);
    const int32_t segment = Training(reshaped, software, program).add_step();
    program.step_segments.assign(static_cast<size_t>(job.warmup_steps + job.reshaped_step) + 1, 0);
    program.step_segments.back() = segment;
  }
  Deployment out = deploy_on_all(std::move(program), job.fabric.world_size());
  if (job.parallelism.kind == Parallelism::Kind::one_gpu) {
    out.groups.clear();
    out.ranks.front().groups.clear();
  }
  return out;
}

int64_t kernels_per_step(const Job& job) {
  Job usual = job;
  usual.reshaped_step = -1;
  const Deployment deployment = training_deployment(usual, {});
  int64_t count = 0;
  for (const auto& segment : deployment.programs.front().segments) {
    for (const Instruction& instruction : segment) {
      if (instruction.code == Code::launch || instruction.code == Code::collective) ++count;
    }
  }
  return count;
}

}  // namespace td::sim
