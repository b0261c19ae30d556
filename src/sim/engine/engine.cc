#include "sim/engine/engine.h"

#include <string>

#include "sim/engine/run.h"

namespace td::sim {
namespace {

constexpr size_t kJitterTableSize = 1024;

}  // namespace

EngineRun::EngineRun(const Program& program, const EngineConfig& config, std::span<trace::RankTraceBuilder> builders,
                     std::span<const RankTracks> tracks)
    : program_(program),
      config_(config),
      builders_(builders),
      tracks_(tracks),
      transfer_draws_(config.seed, "transfer") {
  RandomStream jitter(config.seed, "host_jitter");
  const size_t size = config.host_sigma > 0 ? kJitterTableSize : 1;
  for (size_t i = 0; i < size; ++i) host_jitter_.push_back(jitter.lognormal(config.host_sigma));

  ranks_.reserve(builders.size());
  for (size_t rank = 0; rank < builders.size(); ++rank) {
    RankState state(config.seed, static_cast<int>(rank));
    state.latest_event.assign(static_cast<size_t>(program.event_count), -1);
    state.forward.assign(static_cast<size_t>(program.sequences_per_step), trace::kNoSlice);
    state.next_correlation = state.host_draws.uniform_int(4'000, 90'000);
    state.next_external_id = state.host_draws.uniform_int(200, 4'000);
    // Ranks leave the last barrier a little apart.
    state.threads[kMainThread].now_ns = state.host_draws.uniform_int(0, 40'000);
    state.threads[kMainThread].segment = &step_segment(0);
    if (rank < config.stalls.size()) state.stall = config.stalls[rank];
    if (rank < config.loaders.size() && config.loaders[rank].is_modelled()) {
      state.loader.emplace(config.loaders[rank], config.seed, static_cast<int>(rank));
    }
    ranks_.push_back(std::move(state));
  }
  // Every rank's table starts as the program's, so the same additions get the same ids on all.
  for (int32_t step = 0; step < config.recorded_steps; ++step) {
    const std::string name = "ProfilerStep#" + std::to_string(config.first_step_number + step);
    trace::StringId id = 0;
    for (trace::RankTraceBuilder& builder : builders_) id = builder.intern(name);
    step_names_.push_back(id);
  }
  result_.compute_end_ns.assign(builders.size(), std::vector<TimeNs>(static_cast<size_t>(config.recorded_steps), 0));
  result_.window_begin_ns.assign(builders.size(), 0);
  result_.window_end_ns.assign(builders.size(), 0);
}

Result<EngineResult> EngineRun::run() {
  for (size_t rank = 0; rank < ranks_.size(); ++rank) {
    queue_.push(ranks_[rank].threads[kMainThread].now_ns, EventType::host, static_cast<int32_t>(rank), kMainThread);
  }
  while (!queue_.empty()) {
    const Event event = queue_.pop();
    clock_ns_ = event.at_ns;
    switch (event.type) {
      case EventType::host:
        run_host(event.rank, event.id);
        break;
      case EventType::kernel_end:
        if (event.version != ranks_[static_cast<size_t>(event.rank)].streams[static_cast<size_t>(event.id)].version) {
          break;
        }
        finish_work(event.rank, event.id);
        break;
      case EventType::stream_ready:
        arrive(event.rank);
        break;
      case EventType::collective_end:
        if (event.version == collectives_[static_cast<size_t>(event.id)].version) end_collective(event.id);
        break;
      case EventType::rank_exit:
        finish_work(event.rank, event.id);
        break;
    }
  }
  for (size_t rank = 0; rank < ranks_.size(); ++rank) {
    if (!ranks_[rank].finished) {
      return fail(ErrorCode::internal, "the program of rank " + std::to_string(rank) +
                                           " never ends: it waits for something that nobody does");
    }
  }
  return std::move(result_);
}

Result<EngineResult> run_engine(const Program& program, const EngineConfig& config,
                                std::span<trace::RankTraceBuilder> builders, std::span<const RankTracks> tracks) {
  if (builders.empty() || builders.size() != config.ranks.size() || builders.size() != tracks.size()) {
    return fail(ErrorCode::invalid_argument, "an engine needs one builder, speed and set of tracks a rank");
  }
  if (program.segments.empty()) return fail(ErrorCode::invalid_argument, "the program has no step");
  return EngineRun(program, config, builders, tracks).run();
}

}  // namespace td::sim
