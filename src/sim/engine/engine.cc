#include "sim/engine/engine.h"

#include <algorithm>
#include <string>

#include "sim/engine/run.h"

namespace td::sim {
namespace {

constexpr size_t kJitterTableSize = 1024;

// "[0, 1, 2, 3]"
std::string text_of(const std::vector<int32_t>& ranks) {
  std::string text = "[";
  for (const int32_t rank : ranks) text += (text.size() > 1 ? ", " : "") + std::to_string(rank);
  return text + "]";
}

}  // namespace

EngineRun::EngineRun(const Deployment& deployment, const EngineConfig& config,
                     std::span<trace::RankTraceBuilder> builders, std::span<const RankTracks> tracks)
    : deployment_(deployment),
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
    const RankRole& role = deployment.ranks[rank];
    const Program& program = deployment.programs[static_cast<size_t>(role.program)];
    state.program = &program;
    state.streams.resize(static_cast<size_t>(program.stream_count));
    for (const int32_t index : role.groups) {
      const ProcessGroup& group = deployment.groups[static_cast<size_t>(index)];
      state.groups.push_back({.index = index,
                              .name = builders_[rank].intern(group.name),
                              .ranks = builders_[rank].intern(text_of(group.ranks))});
    }
    state.latest_event.assign(static_cast<size_t>(program.event_count), -1);
    state.forward.assign(static_cast<size_t>(program.sequences_per_step), trace::kNoSlice);
    state.next_correlation = state.host_draws.uniform_int(4'000, 90'000);
    state.next_external_id = state.host_draws.uniform_int(200, 4'000);
    // Ranks leave the last barrier a little apart.
    state.threads[kMainThread].now_ns = state.host_draws.uniform_int(0, 40'000);
    state.threads[kMainThread].segment = &step_segment(program, 0);
    if (rank < config.stalls.size()) state.stall = config.stalls[rank];
    if (rank < config.detours.size()) state.detours = config.detours[rank];
    if (rank < config.first_batches.size()) state.first_batch = config.first_batches[rank];
    if (rank < config.loaders.size() && config.loaders[rank].is_modelled()) {
      state.loader.emplace(config.loaders[rank], config.seed, static_cast<int>(rank));
    }
    ranks_.push_back(std::move(state));
  }
  for (trace::RankTraceBuilder& builder : builders_) {
    std::vector<trace::StringId>& names = step_names_.emplace_back();
    for (int32_t step = 0; step < config.recorded_steps; ++step) {
      names.push_back(builder.intern("ProfilerStep#" + std::to_string(config.first_step_number + step)));
    }
  }
  group_collectives_.resize(deployment.groups.size());
  result_.compute_end_ns.assign(builders.size(), std::vector<TimeNs>(static_cast<size_t>(config.recorded_steps), 0));
  result_.window_begin_ns.assign(builders.size(), 0);
  result_.window_end_ns.assign(builders.size(), 0);
}

Result<EngineResult> EngineRun::run() {
  for (size_t rank = 0; rank < ranks_.size(); ++rank) {
    queue_.push(ranks_[rank].threads[kMainThread].now_ns, EventType::host, static_cast<int32_t>(rank), kMainThread);
  }
  while (!queue_.empty() && status_) {
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
        arrive(event.rank, event.id);
        break;
      case EventType::collective_end:
        if (event.version == collectives_[static_cast<size_t>(event.id)].version)
          end_collective(static_cast<size_t>(event.id));
        break;
      case EventType::rank_exit:
        finish_work(event.rank, event.id);
        break;
    }
  }
  TRY_OK(std::move(status_));
  for (size_t rank = 0; rank < ranks_.size(); ++rank) {
    if (!ranks_[rank].finished) {
      return fail(ErrorCode::internal, "the program of rank " + std::to_string(rank) +
                                           " never ends: it waits for something that nobody does");
    }
  }
  return std::move(result_);
}

Deployment deploy_on_all(Program program, int32_t world_size) {
  Deployment out;
  out.programs.push_back(std::move(program));
  ProcessGroup all{.name = "0", .description = "default_pg", .ranks = {}};
  for (int32_t rank = 0; rank < world_size; ++rank) {
    all.ranks.push_back(rank);
    out.ranks.push_back({.program = 0, .groups = {0}});
  }
  out.groups.push_back(std::move(all));
  return out;
}

Result<EngineResult> run_engine(const Deployment& deployment, const EngineConfig& config,
                                std::span<trace::RankTraceBuilder> builders, std::span<const RankTracks> tracks) {
  const size_t ranks = deployment.ranks.size();
  if (ranks == 0 || builders.size() != ranks || config.ranks.size() != ranks || tracks.size() != ranks) {
    return fail(ErrorCode::invalid_argument, "an engine needs one builder, speed and set of tracks a rank");
  }
  for (size_t rank = 0; rank < ranks; ++rank) {
    const auto at = static_cast<size_t>(deployment.ranks[rank].program);
    if (at >= deployment.programs.size() || deployment.programs[at].segments.empty()) {
      return fail(ErrorCode::invalid_argument, "the program of rank " + std::to_string(rank) + " has no step");
    }
    const Program& program = deployment.programs[at];
    if (tracks[rank].streams.size() != static_cast<size_t>(program.stream_count)) {
      return fail(ErrorCode::invalid_argument, "rank " + std::to_string(rank) + " needs a track for each stream");
    }
    const std::vector<int32_t>& groups = deployment.ranks[rank].groups;
    for (const int32_t group : groups) {
      const auto index = static_cast<size_t>(group);
      const bool known = index < deployment.groups.size();
      if (known && std::ranges::count(deployment.groups[index].ranks, static_cast<int32_t>(rank)) == 1) continue;
      return fail(ErrorCode::invalid_argument,
                  "rank " + std::to_string(rank) + " is no member of its group " + std::to_string(group));
    }
    for (const CollectiveSpec& spec : program.collectives) {
      if (static_cast<size_t>(spec.group) >= groups.size()) {
        return fail(ErrorCode::invalid_argument, "rank " + std::to_string(rank) + " is in no group " +
                                                     std::to_string(spec.group) + ", which its program needs");
      }
    }
  }
  return EngineRun(deployment, config, builders, tracks).run();
}

}  // namespace td::sim
