#include "sim/job/pipeline.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "sim/job/compiled.h"
#include "sim/job/gradient_reduction.h"
#include "sim/job/layout.h"
#include "sim/job/metrics.h"
#include "sim/job/model_writer.h"
#include "sim/job/nccl.h"
#include "sim/job/pipeline_schedule.h"
#include "sim/job/training_parts.h"

namespace td::sim {
namespace {

using Parts = std::vector<std::pair<int32_t, int32_t>>;

// Where a stage's messages go: its program's group slot, and the stream of that communicator. Slot 0 and kCommStream
// are the gradients'.
enum Link : int32_t { activations_in, activations_out, gradients_in, gradients_out, link_count };
constexpr int32_t slot_of(Link link) { return 1 + link; }
constexpr int32_t stream_of(Link link) { return kCommStream + 1 + link; }

// Which microbatch of a step a backward belongs to: its gradients are taken, added to, or reduced.
enum class Place : uint8_t { only, first, middle, last };
constexpr size_t kPlaces = 4;

Place place_of(int32_t microbatch, int32_t microbatches) {
  if (microbatches == 1) return Place::only;
  if (microbatch == 0) return Place::first;
  return microbatch == microbatches - 1 ? Place::last : Place::middle;
}

std::vector<int32_t> replicas_of(const Job& job, int32_t stage) {
  std::vector<int32_t> ranks;
  for (int32_t replica = 0; replica < data_parallel_size(job); ++replica) {
    ranks.push_back(pipeline_rank(job, stage, replica));
  }
  return ranks;
}

// The two ranks of a message between two stages, lower first.
std::vector<int32_t> pair_of(const Job& job, int32_t stage, int32_t other, int32_t replica) {
  std::vector<int32_t> ranks = {pipeline_rank(job, stage, replica), pipeline_rank(job, other, replica)};
  std::ranges::sort(ranks);
  return ranks;
}

// Writes the program of one stage.
class Stage {
 public:
  Stage(const Job& job, const Software& software, const Parts& parts, int32_t stage, Program& program)
      : job_(job),
        parts_(parts),
        stage_(stage),
        stages_(job.parallelism.stages),
        program_(program),
        writer_(program_),
        model_(make_model_writer(job, software, writer_)),
        mine_(parameters_of_stage()),
        reduction_(job, software, model_->parameters(), mine_, replicas_of(job, stage), writer_) {
    for (int32_t& event : events_) event = writer_.new_event();
  }

  // Adds one step to the program; returns its segment.
  int32_t add_step() {
    const size_t first = program_.segments.size();
    const int32_t chunks = job_.parallelism.virtual_stages;
    program_.stream_count = stream_of(link_count);
    program_.sequences_per_step = model_->sequence_count() * job_.accumulation;
    program_.segments.resize(first + 1 + static_cast<size_t>(chunks) * (1 + kPlaces));
    forward_segment_ = static_cast<int32_t>(first) + 1;
    backward_segment_ = forward_segment_ + chunks;
    // In the order in which gradients become ready: the last chunk's first.
    for (int32_t chunk = chunks - 1; chunk >= 0; --chunk) write_chunk(chunk);
    writer_.write_to(program_.segments[first]);
    step();
    return static_cast<int32_t>(first);
  }

  void add_epilogue() { write_epilogue(program_, writer_); }

 private:
  [[nodiscard]] int32_t part_of(int32_t chunk) const { return chunk * stages_ + stage_; }
  [[nodiscard]] bool is_first(int32_t chunk) const { return part_of(chunk) == 0; }
  [[nodiscard]] bool is_last(int32_t chunk) const { return part_of(chunk) + 1 == static_cast<int32_t>(parts_.size()); }
  [[nodiscard]] int32_t next() const { return (stage_ + 1) % stages_; }
  [[nodiscard]] int32_t previous() const { return (stage_ + stages_ - 1) % stages_; }

  [[nodiscard]] std::vector<int32_t> parameters_of_stage() const {
    std::vector<int32_t> out;
    for (int32_t chunk = 0; chunk < job_.parallelism.virtual_stages; ++chunk) {
      const auto [first, last] = parts_[static_cast<size_t>(part_of(chunk))];
      for (int32_t i = model_->first_parameter(first); i < model_->first_parameter(last); ++i) out.push_back(i);
    }
    return out;
  }

  void write_chunk(int32_t chunk) {
    const auto [first, last] = parts_[static_cast<size_t>(part_of(chunk))];
    writer_.write_to(program_.segments[static_cast<size_t>(forward_segment_) + static_cast<size_t>(chunk)]);
    if (job_.execution == Execution::compiled) begin_compiled(writer_);
    model_->forward(first, last);
    if (job_.execution == Execution::compiled) end_compiled(writer_);
    for (int32_t microbatch = 0; microbatch < job_.accumulation; ++microbatch) {
      std::vector<Instruction>& segment = program_.segments[backward_segment(chunk, microbatch)];
      if (!segment.empty()) continue;
      const Place place = place_of(microbatch, job_.accumulation);
      writer_.write_to(segment);
      model_->backward(first, last, [&](int32_t parameter) {
        reduction_.gradient_ready(parameter, place == Place::only || place == Place::first,
                                  place == Place::only || place == Place::last);
      });
    }
  }

  [[nodiscard]] size_t backward_segment(int32_t chunk, int32_t microbatch) const {
    const auto place = static_cast<size_t>(place_of(microbatch, job_.accumulation));
    return static_cast<size_t>(backward_segment_) + static_cast<size_t>(chunk) * kPlaces + place;
  }

  // One end of a message of what the model's `block` puts out, or of its gradient.
  void message(Link link, int32_t block) {
    const bool receives = link == activations_in || link == gradients_in;
    const int32_t other = link == activations_out || link == gradients_in ? next() : previous();
    const std::vector<int32_t> ranks = pair_of(job_, stage_, other, 0);
    const bool low = ranks.front() == pipeline_rank(job_, stage_, 0);
    const std::string me = low ? "0" : "1";
    const std::string peer = low ? "1" : "0";
    const int64_t elements = model_->output_bytes(block) / trace::size_bytes(trace::DType::bfloat16);
    const int64_t tokens = int64_t{job_.batch} * job_.seq_len;
    const std::string shape = elements % tokens == 0 ? dims({{job_.batch, job_.seq_len, elements / tokens}})
                                                     : dims({{job_.batch, elements / job_.batch}});
    const auto at = static_cast<size_t>(link);
    write_collective({.kind = trace::CollectiveKind::send_recv,
                      .dtype = trace::DType::bfloat16,
                      .in_count = elements,
                      .out_count = elements,
                      .ranks = ranks,
                      .group = slot_of(link),
                      .stream = stream_of(link),
                      .ready_event = events_[2 * at],
                      .done_event = events_[2 * at + 1],
                      .op = receives ? "c10d::recv_" : "c10d::send",
                      .annotation = receives ? "nccl:recv " + me + "<-" + peer : "nccl:send " + me + "->" + peer,
                      .shape = shape},
                     job_, writer_);
    if (receives) writer_.wait_event(events_[2 * at + 1], kComputeStream);
  }

  // The first stage needs the inputs, the last one the targets, which come with them.
  void load(int32_t chunk) {
    const std::vector<InputTensor> inputs = model_->inputs();
    const std::span<const InputTensor> all = inputs;
    if (is_first(chunk)) write_batch(job_, all.size() > 1 ? all.first(all.size() - 1) : all, writer_);
    if (is_last(chunk)) write_batch(job_, all.last(1), writer_);
  }

  void forward(const PipelineOp& op) {
    const auto [first, last] = parts_[static_cast<size_t>(part_of(op.chunk))];
    load(op.chunk);
    if (!is_first(op.chunk)) message(activations_in, first - 1);
    writer_.annotation("Forward " + std::to_string(op.microbatch), 14'000);
    writer_.run_segment(forward_segment_ + op.chunk, op.microbatch * model_->sequence_count());
    writer_.end(6'000);
    if (!is_last(op.chunk)) message(activations_out, last - 1);
  }

  void backward(const PipelineOp& op) {
    const auto [first, last] = parts_[static_cast<size_t>(part_of(op.chunk))];
    if (!is_last(op.chunk)) message(gradients_in, last - 1);
    writer_.annotation("Backward " + std::to_string(op.microbatch), 12'000);
    writer_.run_thread(kAutogradThread, static_cast<int32_t>(backward_segment(op.chunk, op.microbatch)),
                       op.microbatch * model_->sequence_count());
    writer_.end(6'000);
    if (!is_first(op.chunk)) message(gradients_out, first - 1);
  }

  void step() {
    const Parallelism& parallelism = job_.parallelism;
    writer_.begin_step(18'000);
    write_zero_grad(writer_);
    for (const PipelineOp& op : pipeline_schedule(stage_, stages_, parallelism.virtual_stages, job_.accumulation)) {
      op.forward ? forward(op) : backward(op);
    }
    if (job_.overlap_reduction) reduction_.wait();
    reduction_.reduce_after_backward();
    write_gradient_log(job_, model_->parameters(), mine_, writer_);
    int64_t elements = 0;
    for (const int32_t number : mine_) elements += model_->parameters()[static_cast<size_t>(number)].count();
    write_optimizer(job_, elements, writer_);
    // The loss is where the last block is.
    if (job_.sync_every_step && is_last(parallelism.virtual_stages - 1)) read_scalar(writer_);
    writer_.work(20'000);
    writer_.end(4'000);
    writer_.work(9'000);
  }

  const Job& job_;
  const Parts& parts_;
  int32_t stage_;
  int32_t stages_;
  Program& program_;
  ProgramWriter writer_;
  std::unique_ptr<ModelWriter> model_;
  std::vector<int32_t> mine_;
  GradientReduction reduction_;
  std::array<int32_t, static_cast<size_t>(2) * link_count> events_ = {};
  int32_t forward_segment_ = 0;
  int32_t backward_segment_ = 0;
};

Program stage_program(const Job& job, const Software& software, const Parts& parts, int32_t stage) {
  Program program;
  Stage usual(job, software, parts, stage, program);
  usual.add_step();
  usual.add_epilogue();
  if (job.reshaped_step >= 0) {
    const Job reshaped = reshaped_job(job);
    const int32_t segment = Stage(reshaped, software, parts, stage, program).add_step();
    program.step_segments.assign(static_cast<size_t>(job.warmup_steps + job.reshaped_step) + 1, 0);
    program.step_segments.back() = segment;
  }
  return program;
}

// Groups in the order in which a program would make them: all ranks, then the data-parallel ones, then the pairs.
class Groups {
 public:
  Groups(const Job& job, Deployment& deployment) : job_(job), deployment_(deployment) {}

  void make() {
    const int32_t world_size = job_.fabric.world_size();
    std::vector<int32_t> all;
    for (int32_t rank = 0; rank < world_size; ++rank) all.push_back(rank);
    add("default_pg", all);
    deployment_.ranks.resize(static_cast<size_t>(world_size));
    const int32_t stages = job_.parallelism.stages;
    for (int32_t stage = 0; stage < stages; ++stage) {
      const std::vector<int32_t> ranks = replicas_of(job_, stage);
      const int32_t group = add("mesh_dp", ranks);
      for (const int32_t rank : ranks) {
        RankRole& role = deployment_.ranks[static_cast<size_t>(rank)];
        role.program = stage;
        role.groups.assign(slot_of(link_count), group);  // links that lead nowhere are not used
        role.groups[0] = group;
      }
    }
    // Interleaved chunks lead from the last stage back to the first.
    const int32_t edges = job_.parallelism.virtual_stages > 1 ? stages : stages - 1;
    for (int32_t replica = 0; replica < data_parallel_size(job_); ++replica) {
      for (int32_t stage = 0; stage < edges; ++stage) add_edge(stage, (stage + 1) % stages, replica);
    }
  }

 private:
  int32_t add(std::string_view description, std::vector<int32_t> ranks) {
    const auto number = static_cast<int32_t>(deployment_.groups.size());
    deployment_.groups.push_back(
        {.name = std::to_string(number), .description = std::string(description), .ranks = std::move(ranks)});
    return number;
  }

  RankRole& role(int32_t stage, int32_t replica) {
    return deployment_.ranks[static_cast<size_t>(pipeline_rank(job_, stage, replica))];
  }

  void add_edge(int32_t from, int32_t to, int32_t replica) {
    const std::vector<int32_t> ranks = pair_of(job_, from, to, replica);
    const int32_t down = add("undefined", ranks);
    role(from, replica).groups[slot_of(activations_out)] = down;
    role(to, replica).groups[slot_of(activations_in)] = down;
    const int32_t up = add("undefined", ranks);
    role(to, replica).groups[slot_of(gradients_out)] = up;
    role(from, replica).groups[slot_of(gradients_in)] = up;
  }

  const Job& job_;
  Deployment& deployment_;
};

// Time that each block's kernels take, forward and backward.
std::vector<double> block_costs_ns(const Job& job, const Software& software) {
  Program program;
  program.segments.resize(1);
  ProgramWriter writer(program);
  writer.write_to(program.segments[0]);
  const std::unique_ptr<ModelWriter> model = make_model_writer(job, software, writer);
  std::vector<double> costs;
  for (int32_t block = 0; block < model->block_count(); ++block) {
    const size_t before = program.kernels.size();
    model->forward(block, block + 1);
    model->backward(block, block + 1, [](int32_t) {});
    double cost_ns = 0;
    for (size_t i = before; i < program.kernels.size(); ++i) {
      cost_ns += static_cast<double>(program.kernels[i].time.total_ns(1.0, 1.0));
    }
    costs.push_back(cost_ns);
  }
  return costs;
}

}  // namespace

// The cut whose dearest part is cheapest: for each number of parts and blocks, the best from the best of one part less.
Parts cut_into_parts(const Job& job, const Software& software) {
  const std::vector<double> costs = block_costs_ns(job, software);
  const auto blocks = costs.size();
  const auto count = static_cast<size_t>(job.parallelism.stages) * static_cast<size_t>(job.parallelism.virtual_stages);
  std::vector<double> until(blocks + 1, 0);
  for (size_t i = 0; i < blocks; ++i) until[i + 1] = until[i] + costs[i];
  const double never = until[blocks] + 1;
  std::vector<std::vector<double>> best(count + 1, std::vector<double>(blocks + 1, never));
  std::vector<std::vector<size_t>> from(count + 1, std::vector<size_t>(blocks + 1, 0));
  best[0][0] = 0;
  for (size_t part = 1; part <= count; ++part) {
    for (size_t end = part; end <= blocks; ++end) {
      for (size_t begin = part - 1; begin < end; ++begin) {
        const double dearest = std::max(best[part - 1][begin], until[end] - until[begin]);
        if (dearest >= best[part][end]) continue;
        best[part][end] = dearest;
        from[part][end] = begin;
      }
    }
  }
  Parts parts(count);
  size_t end = blocks;
  for (size_t part = count; part > 0; --part) {
    const size_t begin = from[part][end];
    parts[part - 1] = {static_cast<int32_t>(begin), static_cast<int32_t>(end)};
    end = begin;
  }
  return parts;
}

Deployment pipeline_deployment(const Job& job, const Software& software) {
  Deployment out;
  Groups(job, out).make();
  const Parts parts = cut_into_parts(job, software);
  for (int32_t stage = 0; stage < job.parallelism.stages; ++stage) {
    out.programs.push_back(stage_program(job, software, parts, stage));
  }
  return out;
}

}  // namespace td::sim
