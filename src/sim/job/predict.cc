#include "sim/job/predict.h"

#include <algorithm>
#include <vector>

#include "base/intervals.h"
#include "hardware/formula/pipeline.h"
#include "sim/engine/engine.h"
#include "sim/job/catalogue.h"
#include "sim/job/training.h"

namespace td::sim {
namespace {

// The first rank of each role, in groups of their own: what the others do is taken to be the same, at the same time.
Deployment one_of_each(Deployment whole) {
  std::vector<int32_t> kept(whole.ranks.size(), -1);  // rank -> its number among those that are kept
  std::vector<RankRole> ranks;
  for (size_t program = 0; program < whole.programs.size(); ++program) {
    const auto role = std::ranges::find(whole.ranks, static_cast<int32_t>(program), &RankRole::program);
    if (role == whole.ranks.end()) continue;
    kept[static_cast<size_t>(role - whole.ranks.begin())] = static_cast<int32_t>(ranks.size());
    ranks.push_back(*role);
  }
  for (ProcessGroup& group : whole.groups) {
    std::vector<int32_t> members;
    for (const int32_t rank : group.ranks) {
      if (kept[static_cast<size_t>(rank)] >= 0) members.push_back(kept[static_cast<size_t>(rank)]);
    }
    group.ranks = std::move(members);
  }
  whole.ranks = std::move(ranks);
  return whole;
}

}  // namespace

Result<Outlook> predict(const Job& job) { return predict(job, 1.0); }

Result<Outlook> predict(const Job& job, double host_speed) {
  TRY_OK(check_job(job));
  const Deployment deployment = one_of_each(training_deployment(job, {}));
  EngineConfig config{.ranks = std::vector<RankSpeed>(deployment.ranks.size(), RankSpeed{.host = host_speed}),
                      .warmup_steps = 0,
                      .recorded_steps = 2,
                      .first_step_number = 0,
                      .kernel_sigma = 0,
                      .host_sigma = 0,
                      .record_host = false,
                      .seed = 1};
  std::vector<trace::RankTraceBuilder> builders(deployment.ranks.size());
  std::vector<RankTracks> tracks(deployment.ranks.size());
  for (size_t rank = 0; rank < deployment.ranks.size(); ++rank) {
    const Program& program = deployment.programs[static_cast<size_t>(deployment.ranks[rank].program)];
    builders[rank].header().strings = program.strings;
    for (trace::TrackId& track : tracks[rank].threads) track = builders[rank].add_track({});
    for (int32_t i = 0; i < program.stream_count; ++i) tracks[rank].streams.push_back(builders[rank].add_track({}));
  }
  const EngineResult result = TRY(run_engine(deployment, config, builders, tracks));

  const Interval step = {result.compute_end_ns[0][0], result.compute_end_ns[0][1]};
  const trace::RankTrace& rank = builders[0].header();
  std::vector<Interval> compute;
  std::vector<Interval> comm;
  for (size_t slice = 0; slice < rank.slice_count(); ++slice) {
    const Interval span = {rank.start_ns[slice], rank.start_ns[slice] + rank.dur_ns[slice]};
    if (rank.kind[slice] == trace::SliceKind::compute) compute.push_back(span);
    if (rank.kind[slice] == trace::SliceKind::comm) comm.push_back(span);
  }
  Outlook out{.step_ns = step.length_ns()};
  out.kernels = static_cast<int64_t>(compute.size() + comm.size()) / 2;
  const IntervalSet computing = clip(unite(std::move(compute)), step);
  const IntervalSet communicating = clip(unite(std::move(comm)), step);
  const auto length = static_cast<double>(step.length_ns());
  out.busy_frac = static_cast<double>(total_ns(unite(computing, communicating))) / length;
  out.exposed_frac = static_cast<double>(total_ns(subtract(communicating, computing))) / length;
  const double tokens = static_cast<double>(job.batch) * job.seq_len * job.accumulation;
  out.mfu = training_flop_per_token(*job.model, job.seq_len) * tokens / (length / 1e9) / job.gpu->bf16_flop_per_s;
  if (job.parallelism.kind == Parallelism::Kind::pipeline) {
    out.mfu /= job.parallelism.stages;
    // Of the time per microbatch, the bubble takes a fixed share, and the messages take what is left.
    out.bubble_frac = hardware::bubble_frac(job.parallelism.stages, job.accumulation, job.parallelism.virtual_stages);
    const double fed = static_cast<double>(total_ns(computing)) / (1 - out.bubble_frac);
    out.exposed_frac = std::max(0.0, 1 - fed / length);
  }
  return out;
}

double predicted_exposed_frac(const Job& job) {
  const auto outlook = predict(job);
  return outlook ? outlook->exposed_frac : 1.0;
}

}  // namespace td::sim
