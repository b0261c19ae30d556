#include "sim/job/pipeline_catalogue.h"

#include <array>
#include <span>
#include <string>
#include <vector>

#include "hardware/formula/pipeline.h"
#include "sim/job/layout.h"
#include "sim/job/predict.h"

namespace td::sim {
namespace {

struct Shape {
  int32_t stages;
  int32_t virtual_stages;
  int32_t microbatches;
};
// Ideal bubbles of 3.0 to 5.9 %.
constexpr std::array kTwoStages = {Shape{2, 1, 16}, Shape{2, 1, 20}, Shape{2, 1, 24}, Shape{2, 2, 8},
                                   Shape{2, 2, 12}, Shape{2, 4, 4},  Shape{2, 4, 6}};
constexpr std::array kFourStages = {Shape{4, 2, 24}, Shape{4, 4, 12}, Shape{4, 4, 16}};
constexpr int kTwoStagesPermille = 600;

struct Place {
  std::string_view gpu;
  std::string_view fabric;  // for 8 ranks
  int32_t weight;
};
constexpr std::array kPlaces = {
    Place{"h100_sxm", "nvlink", 3},       Place{"h200", "nvlink", 2},          Place{"a100_80gb", "nvlink", 2},
    Place{"b200", "nvlink", 2},           Place{"h100_sxm", "2x4:ib400x4", 2}, Place{"h200", "2x4:ib200x4", 1},
    Place{"a100_80gb", "2x4:ib200x4", 1}, Place{"b200", "2x4:ib400x4", 1},
};

// On all ranks, a step: more would be slow to simulate.
constexpr int64_t kMaxKernels = 9'100;
constexpr double kMaxExposed = 0.026;
// Two messages a chunk and microbatch, of its compute.
constexpr double kMaxMessages = 0.02;
constexpr double kMaxMfu = 0.64;
constexpr TimeNs kMaxStepNs = 1'600 * kNsPerMs;
constexpr std::array<int32_t, 4> kBatches = {1, 2, 4, 8};
constexpr std::array<int32_t, 2> kSeqLens = {2048, 4096};

template <typename List>
const auto& pick(RandomStream& stream, const List& list) {
  return list[static_cast<size_t>(stream.uniform_int(0, static_cast<int64_t>(std::size(list)) - 1))];
}

const Place& draw_place(RandomStream& stream) {
  int64_t total = 0;
  for (const Place& place : kPlaces) total += place.weight;
  int64_t left = stream.uniform_int(0, total - 1);
  for (const Place& place : kPlaces) {
    left -= place.weight;
    if (left < 0) return place;
  }
  return kPlaces.front();
}

// Models whose layers come in as many as there are parts, one or two a part.
std::vector<const Model*> models_for(const Shape& shape) {
  const int32_t parts = shape.stages * shape.virtual_stages;
  std::vector<const Model*> out;
  for (const Model& model : all_models()) {
    const bool even = model.layers == parts || model.layers == 2 * parts;
    // A head as dear as a small part of a layer leaves the last stage even with the others.
    const bool small_head = model.vocab * 8 <= model.ffn_hidden;
    if (model.family == Family::decoder && even && small_head && !model.tied_embeddings) out.push_back(&model);
  }
  return out;
}

// Two messages a microbatch lie on the critical path.
bool messages_are_short(const Job& job) {
  const double tokens = static_cast<double>(job.batch) * job.seq_len;
  const double work_ns = training_flop_per_token(*job.model, job.seq_len) / job.parallelism.stages * tokens /
                         (0.55 * job.gpu->bf16_flop_per_s) * 1e9;
  const std::array<int32_t, 2> pair = {pipeline_rank(job, 0, 0), pipeline_rank(job, 1, 0)};
  const TimeNs message_ns =
      group_transfer_ns(hardware::Collective::send_recv, static_cast<int64_t>(2 * tokens) * job.model->hidden, pair,
                        job.fabric, *job.gpu);
  return 2.0 * static_cast<double>(message_ns) * job.parallelism.virtual_stages < kMaxMessages * work_ns;
}

bool suits(const Job& job) {
  if (!check_job(job) || !messages_are_short(job)) return false;
  const Result<Outlook> outlook = predict(job);
  return outlook && outlook->kernels * job.fabric.world_size() <= kMaxKernels && outlook->exposed_frac <= kMaxExposed &&
         outlook->mfu <= kMaxMfu && outlook->step_ns <= kMaxStepNs;
}

}  // namespace

Result<Job> draw_pipeline_job(RandomStream& stream, const PipelineWanted& wanted) {
  constexpr int kDraws = 400;
  const bool two_stages = stream.chance_permille(kTwoStagesPermille);
  for (int draws = 0; draws < kDraws; ++draws) {
    const Place& place = draw_place(stream);
    const Shape& shape = pick(stream, two_stages ? std::span<const Shape>(kTwoStages) : kFourStages);
    const std::vector<const Model*> models = models_for(shape);
    if (models.empty() || (wanted.interleaved_only && shape.virtual_stages == 1)) continue;
    Job job;
    job.gpu = hardware::find_gpu(place.gpu);
    job.model = pick(stream, models);
    const int32_t world_size = shape.stages == 2 ? 8 : 4;
    const bool nodes = world_size == 8 && place.fabric != "nvlink";
    job.fabric = TRY(hardware::parse_fabric(nodes ? place.fabric : "nvlink", world_size, job.gpu));
    job.parallelism = {.kind = Parallelism::Kind::pipeline,
                       .stages = shape.stages,
                       .virtual_stages = shape.virtual_stages,
                       .stages_adjacent = nodes};
    job.accumulation = shape.microbatches;
    job.batch = pick(stream, kBatches);
    job.seq_len = pick(stream, kSeqLens);
    job.sync_every_step = stream.chance_permille(650);
    if (suits(job)) return job;
  }
  return fail(ErrorCode::internal, "pipeline catalogue: no job suits in " + std::to_string(kDraws) + " draws");
}

}  // namespace td::sim
