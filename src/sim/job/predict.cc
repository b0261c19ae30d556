#include "sim/job/predict.h"

#include <vector>

#include "base/intervals.h"
#include "sim/engine/engine.h"
#include "sim/job/catalogue.h"
#include "sim/job/training.h"

namespace td::sim {

Result<Outlook> predict(const Job& job) {
  TRY_OK(check_job(job));
  Deployment deployment = training_deployment(job, {});
  deployment.ranks.resize(1);
  for (ProcessGroup& group : deployment.groups) group.ranks = {0};
  EngineConfig config{.ranks = {RankSpeed{}},
                      .warmup_steps = 0,
                      .recorded_steps = 2,
                      .first_step_number = 0,
                      .kernel_sigma = 0,
                      .host_sigma = 0,
                      .record_host = false,
                      .seed = 1};
  std::vector<trace::RankTraceBuilder> builders(1);
  builders[0].header().strings = deployment.programs.front().strings;
  RankTracks tracks;
  for (trace::TrackId& track : tracks.threads) track = builders[0].add_track({});
  for (int32_t i = 0; i < deployment.programs.front().stream_count; ++i) {
    tracks.streams.push_back(builders[0].add_track({}));
  }
  const EngineResult result = TRY(run_engine(deployment, config, builders, {&tracks, 1}));

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
  return out;
}

double predicted_exposed_frac(const Job& job) {
  const auto outlook = predict(job);
  return outlook ? outlook->exposed_frac : 1.0;
}

}  // namespace td::sim
