// Streams and collectives: what the GPUs do, and how they slow each other down.
#include <algorithm>

#include "base/math.h"
#include "sim/engine/run.h"

namespace td::sim {
namespace {

// Ranks see a collective's end within about a microsecond of each other.
constexpr int64_t kExitSkewNs = 1'200;
// Transfers of one size differ a little from call to call.
constexpr int64_t kTransferLowPermille = 985;
constexpr int64_t kTransferHighPermille = 1030;
// Gap between queued kernels, around EngineConfig::kernel_gap_ns.
constexpr int64_t kGapLowPermille = 780;
constexpr int64_t kGapHighPermille = 1450;

}  // namespace

void EngineRun::advance_stream(int32_t rank, int32_t stream_id) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  Stream& stream = state.streams[static_cast<size_t>(stream_id)];
  while (!stream.busy && stream.head < stream.ops.size()) {
    const DeviceOp::Kind kind = stream.ops[stream.head].kind;
    if (kind == DeviceOp::Kind::record || kind == DeviceOp::Kind::wait) {
      if (!pass_marker(rank, stream_id)) return;
    } else {
      start_work(rank, stream_id);
    }
  }
  if (stream_id == kComputeStream) update_computing(rank);
}

bool EngineRun::pass_marker(int32_t rank, int32_t stream_id) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  Stream& stream = state.streams[static_cast<size_t>(stream_id)];
  const DeviceOp op = stream.ops[stream.head];
  if (op.kind == DeviceOp::Kind::wait) {
    if (!state.events[static_cast<size_t>(op.index)]) {
      if (stream_id == kComputeStream) update_computing(rank);
      return false;
    }
    ++stream.head;
  } else {
    state.events[static_cast<size_t>(op.index)] = true;
    ++stream.head;
    for (int32_t other = 0; other < state.program->stream_count; ++other) {
      if (other != stream_id) advance_stream(rank, other);
    }
  }
  for (int32_t thread = 0; thread < kThreadCount; ++thread) {
    HostThread& waiting = state.threads[static_cast<size_t>(thread)];
    if (waiting.wait == HostThread::Wait::stream && sync_done(state, waiting)) wake(rank, thread, clock_ns_);
  }
  return true;
}

void EngineRun::start_work(int32_t rank, int32_t stream_id) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  Stream& stream = state.streams[static_cast<size_t>(stream_id)];
  const DeviceOp& op = stream.ops[stream.head];
  TimeNs start_ns = std::max(clock_ns_, op.ready_ns);
  const TimeNs gap_ns =
      config_.kernel_gap_ns * state.kernel_draws.uniform_int(kGapLowPermille, kGapHighPermille) / 1000;
  if (stream.had_work) start_ns = std::max(start_ns, stream.free_ns + gap_ns);

  stream.busy = true;
  stream.had_work = true;
  stream.start_ns = start_ns;
  stream.updated_ns = start_ns;
  --stream.queued;
  if (stream.space_waiter >= 0 && stream.queued < config_.queue_depth) {
    const int32_t thread = stream.space_waiter;
    stream.space_waiter = -1;
    wake(rank, thread, clock_ns_);
  }
  if (op.kind == DeviceOp::Kind::collective) {
    queue_.push(start_ns, EventType::stream_ready, rank, stream_id);
    return;
  }
  if (op.kind == DeviceOp::Kind::copy) {
    stream.rate = 1.0;
    stream.remaining_ns = static_cast<double>(state.program->copies[static_cast<size_t>(op.index)].dur_ns) *
                          state.kernel_draws.lognormal(config_.kernel_sigma);
  } else {
    const RankSpeed& speed = config_.ranks[static_cast<size_t>(rank)];
    const TimeNs nominal_ns =
        state.program->kernels[static_cast<size_t>(op.index)].time.total_ns(speed.sm_clock, speed.hbm);
    stream.rate = state.compute_rate;
    stream.remaining_ns = static_cast<double>(nominal_ns) * state.kernel_draws.lognormal(config_.kernel_sigma);
  }
  schedule_end(rank, stream_id);
}

// Counts off what the running work has done at its present rate.
void EngineRun::settle(Stream& stream) const {
  const TimeNs elapsed_ns = clock_ns_ - stream.updated_ns;
  if (elapsed_ns <= 0) return;
  stream.remaining_ns -= static_cast<double>(elapsed_ns) * stream.rate;
  stream.updated_ns = clock_ns_;
}

void EngineRun::schedule_end(int32_t rank, int32_t stream_id) {
  Stream& stream = ranks_[static_cast<size_t>(rank)].streams[static_cast<size_t>(stream_id)];
  const TimeNs left_ns = std::max<TimeNs>(0, round_to_int(stream.remaining_ns / stream.rate));
  queue_.push(std::max(stream.updated_ns, clock_ns_) + left_ns, EventType::kernel_end, rank, stream_id,
              ++stream.version);
}

void EngineRun::finish_work(int32_t rank, int32_t stream_id) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  Stream& stream = state.streams[static_cast<size_t>(stream_id)];
  const DeviceOp op = stream.ops[stream.head];
  stream.busy = false;
  stream.free_ns = clock_ns_;
  ++stream.head;
  ++stream.version;
  if (op.recorded) record_work(rank, stream_id, op);
  if (op.kind == DeviceOp::Kind::collective) {
    stream.collective = Stream::kNoCollective;
    update_compute_rate(rank);
  }
  for (int32_t thread = 0; thread < kThreadCount; ++thread) {
    HostThread& waiting = state.threads[static_cast<size_t>(thread)];
    if (waiting.wait == HostThread::Wait::stream && sync_done(state, waiting)) wake(rank, thread, clock_ns_);
  }
  advance_stream(rank, stream_id);
}

// A collective's kernel holds SMs from its start to its end and slows this rank's compute; a transfer takes memory
// bandwidth as well.
void EngineRun::update_compute_rate(int32_t rank) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  double rate = 1.0;
  for (const Stream& stream : state.streams) {
    if (stream.collective == Stream::kNoCollective) continue;
    const CollectiveRun& run = collectives_[stream.collective];
    rate *= 1.0 - run.spec->footprint * (1.0 - (run.started ? config_.compute_rate : config_.waiting_rate));
  }
  if (rate == state.compute_rate) return;
  state.compute_rate = rate;
  Stream& compute = state.streams[kComputeStream];
  if (!compute.busy || compute.ops[compute.head].kind != DeviceOp::Kind::kernel) return;
  settle(compute);
  compute.rate = rate;
  schedule_end(rank, kComputeStream);
}

void EngineRun::update_computing(int32_t rank) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  const Stream& compute = state.streams[kComputeStream];
  const bool computing = compute.busy && compute.ops[compute.head].kind == DeviceOp::Kind::kernel;
  if (computing == state.computing) return;
  state.computing = computing;
  for (const size_t number : active_) {
    CollectiveRun& run = collectives_[number];
    if (std::ranges::find(run.members, rank, &CollectiveRun::Member::rank) == run.members.end()) continue;
    run.computing += computing ? 1 : -1;
    // A ring goes at the pace of its slowest rank.
    if (run.computing == (computing ? 1 : 0)) set_transfer_rate(number, computing ? config_.comm_rate : 1.0);
  }
}

void EngineRun::arrive(int32_t rank, int32_t stream_id) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  Stream& stream = state.streams[static_cast<size_t>(stream_id)];
  const CollectiveSpec& spec = state.program->collectives[static_cast<size_t>(stream.ops[stream.head].index)];
  RankGroup& group = state.groups[static_cast<size_t>(spec.group)];
  std::vector<size_t>& runs = group_collectives_[static_cast<size_t>(group.index)];
  const size_t at = group.collectives++;
  if (at == runs.size()) {
    runs.push_back(collectives_.size());
    CollectiveRun& first = collectives_.emplace_back();
    first.spec = &spec;
    first.sequence = static_cast<int64_t>(at) + 1;
  }
  const size_t number = runs[at];
  CollectiveRun& run = collectives_[number];
  const auto& ranks = deployment_.groups[static_cast<size_t>(group.index)].ranks;
  if (run.spec->kind != spec.kind || run.spec->transfer_ns != spec.transfer_ns) {
    status_ = fail(ErrorCode::internal, "collective " + std::to_string(run.sequence) + " of group " +
                                            deployment_.groups[static_cast<size_t>(group.index)].name +
                                            " is not the same on rank " + std::to_string(rank) + " as on rank " +
                                            std::to_string(run.members.front().rank));
    return;
  }
  run.members.push_back({rank, stream_id});
  stream.collective = number;
  if (run.members.size() == ranks.size()) {
    start_transfer(number);
  } else {
    update_compute_rate(rank);
  }
}

void EngineRun::start_transfer(size_t number) {
  CollectiveRun& run = collectives_[number];
  run.started = true;
  std::ranges::sort(run.members, {}, &CollectiveRun::Member::rank);
  for (const CollectiveRun::Member& member : run.members) {
    update_compute_rate(member.rank);
    run.computing += ranks_[static_cast<size_t>(member.rank)].computing ? 1 : 0;
  }
  const int64_t permille = transfer_draws_.uniform_int(kTransferLowPermille, kTransferHighPermille);
  run.remaining_ns = static_cast<double>(run.spec->transfer_ns) * static_cast<double>(permille) / 1000.0;
  run.rate = run.computing > 0 ? config_.comm_rate : 1.0;
  run.updated_ns = clock_ns_;
  active_.push_back(number);
  schedule_transfer(number);
}

void EngineRun::schedule_transfer(size_t number) {
  CollectiveRun& run = collectives_[number];
  const TimeNs left_ns = std::max<TimeNs>(0, round_to_int(run.remaining_ns / run.rate));
  queue_.push(clock_ns_ + left_ns, EventType::collective_end, 0, static_cast<int32_t>(number), ++run.version);
}

void EngineRun::set_transfer_rate(size_t number, double rate) {
  CollectiveRun& run = collectives_[number];
  run.remaining_ns -= static_cast<double>(clock_ns_ - run.updated_ns) * run.rate;
  run.updated_ns = clock_ns_;
  run.rate = rate;
  schedule_transfer(number);
}

void EngineRun::end_collective(size_t number) {
  std::erase(active_, number);
  for (const CollectiveRun::Member& member : collectives_[number].members) {
    const TimeNs exit_ns = clock_ns_ + transfer_draws_.uniform_int(0, kExitSkewNs);
    queue_.push(exit_ns, EventType::rank_exit, member.rank, member.stream);
  }
}

void EngineRun::record_work(int32_t rank, int32_t stream_id, const DeviceOp& op) {
  trace::RankTraceBuilder& builder = builders_[static_cast<size_t>(rank)];
  const RankState& state = ranks_[static_cast<size_t>(rank)];
  const Stream& stream = state.streams[static_cast<size_t>(stream_id)];
  const trace::TrackId track = tracks_[static_cast<size_t>(rank)].streams[static_cast<size_t>(stream_id)];
  const TimeNs dur_ns = clock_ns_ - stream.start_ns;
  const auto add = [&](trace::SliceKind kind, trace::StringId name) {
    const trace::SliceId slice = builder.add_slice(track, kind, name, stream.start_ns, dur_ns, op.correlation);
    if (op.external_id >= 0) builder.add(trace::OpArgs{.slice = slice, .external_id = op.external_id});
    return slice;
  };
  const auto add_kernel = [&](trace::SliceKind kind, const KernelSpec& spec) {
    const trace::SliceId slice = add(kind, spec.name);
    builder.add(trace::KernelArgs{.slice = slice,
                                  .grid = {spec.grid[0], spec.grid[1], spec.grid[2]},
                                  .block = {spec.block[0], spec.block[1], spec.block[2]},
                                  .registers_per_thread = spec.registers_per_thread,
                                  .shared_memory_bytes = spec.shared_memory_bytes});
    return slice;
  };
  if (op.kind == DeviceOp::Kind::copy) {
    const CopySpec& spec = state.program->copies[static_cast<size_t>(op.index)];
    const trace::SliceId slice = add(trace::SliceKind::copy, spec.name);
    builder.add(trace::CopyArgs{slice, spec.kind, spec.size_bytes});
  } else if (op.kind == DeviceOp::Kind::collective) {
    const CollectiveSpec& spec = state.program->collectives[static_cast<size_t>(op.index)];
    const RankGroup& group = state.groups[static_cast<size_t>(spec.group)];
    const auto size = deployment_.groups[static_cast<size_t>(group.index)].ranks.size();
    const trace::SliceId slice = add_kernel(trace::SliceKind::comm, spec.kernel);
    builder.add(trace::CollectiveArgs{.slice = slice,
                                      .kind = spec.kind,
                                      .dtype = spec.dtype,
                                      .group_size = static_cast<int32_t>(size),
                                      .in_count = spec.in_count,
                                      .out_count = spec.out_count,
                                      .sequence = collectives_[stream.collective].sequence,
                                      .group = group.name,
                                      .group_ranks = group.ranks});
  } else {
    add_kernel(trace::SliceKind::compute, state.program->kernels[static_cast<size_t>(op.index)]);
    if (op.step < 0 || op.step >= config_.recorded_steps) return;  // launched after the last step
    TimeNs& last_ns = result_.compute_end_ns[static_cast<size_t>(rank)][static_cast<size_t>(op.step)];
    last_ns = std::max(last_ns, clock_ns_);
  }
}

}  // namespace td::sim
