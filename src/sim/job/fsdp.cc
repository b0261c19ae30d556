#include "sim/job/fsdp.h"

#include <memory>
#include <string>
#include <vector>

#include "hardware/formula/kernel_time.h"
#include "sim/job/compiled.h"
#include "sim/job/metrics.h"
#include "sim/job/model_writer.h"
#include "sim/job/nccl.h"
#include "sim/job/training_parts.h"

namespace td::sim {
namespace {

class Sharded {
 public:
  Sharded(const Job& job, const Software& software, Program& program)
      : job_(job),
        software_(software),
        program_(program),
        writer_(program_),
        model_(make_model_writer(job, software, writer_)) {
    for (int32_t rank = 0; rank < job.fabric.world_size(); ++rank) ranks_.push_back(rank);
    for (int32_t block = 0; block < model_->block_count(); ++block) units_.push_back(unit_of(block));
  }

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
  struct Unit {
    int64_t elements = 0;                                                   // whole, in equal shards
    int32_t gather_ready = 0, gathered = 0, reduce_ready = 0, reduced = 0;  // events
  };

  Unit unit_of(int32_t block) {
    Unit unit;
    for (int32_t i = model_->first_parameter(block); i < model_->first_parameter(block + 1); ++i) {
      unit.elements += model_->parameters()[static_cast<size_t>(i)].count();
    }
    const auto world_size = static_cast<int64_t>(ranks_.size());
    unit.elements = (unit.elements + world_size - 1) / world_size * world_size;  // padded
    for (int32_t* event : {&unit.gather_ready, &unit.gathered, &unit.reduce_ready, &unit.reduced}) {
      *event = writer_.new_event();
    }
    return unit;
  }

  [[nodiscard]] int64_t shard_of(const Unit& unit) const { return unit.elements / static_cast<int64_t>(ranks_.size()); }
  [[nodiscard]] static std::string name_of(std::string_view what, int32_t block) {
    return "FSDP::" + std::string(what) + " (layers." + std::to_string(block) + ")";
  }

  void gather(int32_t block) {
    const Unit& unit = units_[static_cast<size_t>(block)];
    if (unit.elements == 0) return;
    const std::string shape = dims({{unit.elements}, {shard_of(unit)}});
    writer_.annotation(name_of("all_gather", block), 12'000);
    write_collective({.kind = trace::CollectiveKind::all_gather,
                      .dtype = trace::DType::bfloat16,
                      .in_count = shard_of(unit),
                      .out_count = unit.elements,
                      .ranks = ranks_,
                      .ready_event = unit.gather_ready,
                      .done_event = unit.gathered,
                      .op = "c10d::_allgather_base_",
                      .annotation = "nccl:_all_gather_base",
                      .shape = shape},
                     job_, writer_);
    writer_.end(3'000);
  }

  void reduce(int32_t block) {
    const Unit& unit = units_[static_cast<size_t>(block)];
    if (unit.elements == 0) return;
    const std::string shape = dims({{shard_of(unit)}, {unit.elements}});
    writer_.annotation(name_of("post_backward_reduce", block), 14'000);
    write_collective({.kind = trace::CollectiveKind::reduce_scatter,
                      .dtype = job_.grad_dtype,
                      .in_count = unit.elements,
                      .out_count = shard_of(unit),
                      .ranks = ranks_,
                      .ready_event = unit.reduce_ready,
                      .done_event = unit.reduced,
                      .op = "c10d::_reduce_scatter_base_",
                      .annotation = "nccl:_reduce_scatter_base",
                      .shape = shape},
                     job_, writer_);
    writer_.end(3'000);
  }

  void wait_for(int32_t event) { writer_.wait_event(event, kComputeStream); }

  // The next unit's weights travel under this one's compute.
  void forward() {
    const int32_t blocks = model_->block_count();
    gather(0);
    for (int32_t block = 0; block < blocks; ++block) {
      writer_.annotation(name_of("pre_forward", block), 9'000);
      if (block + 1 < blocks) gather(block + 1);
      wait_for(units_[static_cast<size_t>(block)].gathered);
      writer_.end(2'000);
      model_->forward(block, block + 1);
    }
  }

  // The last unit is still whole.
  void backward(int32_t microbatch) {
    const int32_t blocks = model_->block_count();
    for (int32_t block = blocks - 1; block >= 0; --block) {
      if (block > 0) gather(block - 1);
      if (block + 1 < blocks) wait_for(units_[static_cast<size_t>(block)].gathered);
      model_->backward(block, block + 1, [](int32_t) {});
      if (!job_.overlap_reduction) continue;
      reduce(block);
      // A later microbatch's shard is added to what is there, as soon as the unit after it is done.
      if (microbatch > 0 && block + 1 < blocks) add_shard(block + 1);
    }
    if (job_.overlap_reduction && microbatch > 0) add_shard(0);
  }

  void add_shard(int32_t block) {
    const Unit& unit = units_[static_cast<size_t>(block)];
    if (unit.elements == 0) return;
    wait_for(unit.reduced);
    const auto bytes = static_cast<double>(shard_of(unit) * trace::size_bytes(job_.grad_dtype)) * 3;
    writer_.op("aten::add_", 3'500, dims({{shard_of(unit)}, {shard_of(unit)}}));
    writer_.launch("cudaLaunchKernel", 4'600, pointwise_kernel(Pointwise::add, shard_of(unit), software_),
                   hardware::stream_time(bytes, *job_.gpu));
    writer_.end();
  }

  void microbatch(int32_t number) {
    write_batch(job_, model_->inputs(), writer_);
    if (number == 0) write_zero_grad(writer_);
    if (job_.execution == Execution::compiled) begin_compiled(writer_);
    forward();
    if (job_.execution == Execution::compiled) end_compiled(writer_);
    writer_.work(12'000);
    writer_.run_thread(kAutogradThread, static_cast<int32_t>(first_segment_) + 1 + number);
    if (job_.overlap_reduction) return;
    for (int32_t block = model_->block_count() - 1; block >= 0; --block) reduce(block);
  }

  void step() {
    writer_.begin_step(18'000);
    for (int32_t number = 0; number < job_.accumulation; ++number) microbatch(number);
    int64_t mine = 0;
    for (const Unit& unit : units_) {
      if (unit.elements > 0) wait_for(unit.reduced);
      mine += shard_of(unit);
    }
    write_optimizer(job_, mine, writer_);
    if (job_.sync_every_step) read_scalar(writer_);
    writer_.work(20'000);
    writer_.end(4'000);
    writer_.work(9'000);
  }

  const Job& job_;
  const Software& software_;
  Program& program_;
  ProgramWriter writer_;
  std::unique_ptr<ModelWriter> model_;
  std::vector<int32_t> ranks_;
  std::vector<Unit> units_;
  size_t first_segment_ = 0;
};

}  // namespace

Deployment fsdp_deployment(const Job& job, const Software& software) {
  Program program;
  Sharded usual(job, software, program);
  usual.add_step();
  usual.add_epilogue();
  if (job.reshaped_step >= 0) {
    const Job reshaped = reshaped_job(job);
    const int32_t segment = Sharded(reshaped, software, program).add_step();
    program.step_segments.assign(static_cast<size_t>(job.warmup_steps + job.reshaped_step) + 1, 0);
    program.step_segments.back() = segment;
  }
  return deploy_on_all(std::move(program), job.fabric.world_size());
}

}  // namespace td::sim
