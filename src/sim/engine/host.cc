// Host threads: they run ahead of the device until a queue is full or a sync asks for it.
#include <algorithm>
#include <utility>

#include "base/math.h"
#include "sim/engine/run.h"

namespace td::sim {
namespace {

// Handing work to another thread and being woken: a condition variable and the scheduler.
constexpr TimeNs kThreadHandOffNs = 14'000;
constexpr TimeNs kSyncWakeLowNs = 5'000;
constexpr TimeNs kSyncWakeHighNs = 10'000;

// A batch that is ready: 60 to 150 us. Now and then a worker was late by a little: harmless.
constexpr int64_t kLoaderLowNs = 60'000;
constexpr int64_t kLoaderHighNs = 150'000;
constexpr int kSlowBatchPermille = 20;
constexpr int64_t kSlowBatchLowNs = 300'000;
constexpr int64_t kSlowBatchHighNs = 1'200'000;

// One launch in some hundreds is descheduled or meets a page fault.
constexpr int kLaunchTailPermille = 3;
constexpr int64_t kLaunchTailLowNs = 20'000;
constexpr int64_t kLaunchTailHighNs = 90'000;

bool touches_device(Code code) {
  switch (code) {
    case Code::launch:
    case Code::copy:
    case Code::collective:
    case Code::record_event:
    case Code::wait_event:
    case Code::sync_stream:
    case Code::sync_device:
    case Code::run_thread:
      return true;
    default:
      return false;
  }
}

}  // namespace

TimeNs EngineRun::host_cost(RankState& state, int32_t rank, TimeNs median_ns) {
  if (median_ns <= 0) return 0;
  const double jitter = host_jitter_[state.host_draws.next_u64() % host_jitter_.size()];
  const double speed = config_.ranks[static_cast<size_t>(rank)].host;
  return std::max<TimeNs>(1, round_to_int(static_cast<double>(median_ns) * jitter / speed));
}

const std::vector<Instruction>& EngineRun::step_segment(const Program& program, int32_t step) {
  const auto at = static_cast<size_t>(step);
  return program.segments[at < program.step_segments.size() ? static_cast<size_t>(program.step_segments[at]) : 0];
}

TimeNs EngineRun::next_batch_ns(RankState& state, TimeNs asked_ns) {
  FirstBatch first;
  if (state.step == config_.warmup_steps) std::swap(first, state.first_batch);
  if (state.loader) {
    const TimeNs ready_ns = state.loader->next(asked_ns);
    return first.wait_ns + first.busy_ns > 0 ? state.loader->hold(first.wait_ns, first.busy_ns) : ready_ns;
  }
  const bool slow = state.host_draws.chance_permille(kSlowBatchPermille);
  return asked_ns + first.wait_ns +
         (slow ? state.host_draws.uniform_int(kSlowBatchLowNs, kSlowBatchHighNs)
               : state.host_draws.uniform_int(kLoaderLowNs, kLoaderHighNs));
}

void EngineRun::run_host(int32_t rank, int32_t thread_id) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  HostThread& thread = state.threads[static_cast<size_t>(thread_id)];
  thread.wait = HostThread::Wait::none;
  while (true) {
    if (thread.segment == nullptr) return;
    if (thread.at == thread.segment->size()) {
      if (!next_segment(rank, thread_id)) return;
      continue;
    }
    const Instruction& instruction = (*thread.segment)[thread.at];
    if (touches_device(instruction.code) && thread.now_ns > clock_ns_) {
      // The device must be seen as it is at that time: let earlier events pass first.
      if (queue_.next_ns() <= thread.now_ns) {
        queue_.push(thread.now_ns, EventType::host, rank, thread_id);
        return;
      }
      clock_ns_ = thread.now_ns;
    }
    if (!execute(rank, thread_id, instruction)) return;
    ++thread.at;
    if (instruction.code == Code::begin && instruction.kind == trace::SliceKind::host_op) {
      ++state.ops[static_cast<size_t>(thread_id)];
      if (!state.detours.empty()) take_detour(rank, thread_id);
    }
  }
}

void EngineRun::take_detour(int32_t rank, int32_t thread_id) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  HostThread& thread = state.threads[static_cast<size_t>(thread_id)];
  const auto at = static_cast<size_t>(thread_id);
  const auto due = std::ranges::find_if(state.detours, [&](const Detour& detour) {
    return detour.step == state.step && detour.thread == thread_id &&
           state.ops[at] * 1000 >= detour.permille * state.ops_of_step[at];
  });
  if (due == state.detours.end()) return;
  thread.callers.push_back({thread.segment, thread.at, thread.first_sequence});
  thread.segment = &state.program->segments[static_cast<size_t>(due->segment)];
  thread.at = 0;
  state.detours.erase(due);
}

bool EngineRun::next_segment(int32_t rank, int32_t thread_id) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  HostThread& thread = state.threads[static_cast<size_t>(thread_id)];
  if (!thread.callers.empty()) {
    thread.segment = thread.callers.back().segment;
    thread.at = thread.callers.back().at;
    thread.first_sequence = thread.callers.back().first_sequence;
    thread.callers.pop_back();
    return true;
  }
  if (thread_id != kMainThread) {
    thread.segment = nullptr;
    wake(rank, thread.parent, thread.now_ns + host_cost(state, rank, kThreadHandOffNs));
    return false;
  }
  if (state.in_epilogue) {
    result_.window_end_ns[static_cast<size_t>(rank)] = thread.now_ns;
    state.recording = false;
    state.finished = true;
    thread.segment = nullptr;
    return false;
  }
  ++state.step;
  state.ops_of_step = std::exchange(state.ops, {});
  thread.at = 0;
  thread.segment = &step_segment(*state.program, state.step);
  if (state.step == config_.warmup_steps + config_.recorded_steps) {
    state.in_epilogue = true;
    thread.segment = &state.program->epilogue;
  }
  return true;
}

bool EngineRun::execute(int32_t rank, int32_t thread_id, const Instruction& instruction) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  HostThread& thread = state.threads[static_cast<size_t>(thread_id)];
  switch (instruction.code) {
    case Code::begin:
      begin_slice(rank, thread_id, instruction, instruction.name);
      thread.now_ns += host_cost(state, rank, instruction.cost_ns);
      return true;
    case Code::begin_step:
      begin_step(rank, instruction);
      return true;
    case Code::end:
      thread.now_ns += host_cost(state, rank, instruction.cost_ns);
      end_slice(rank, thread_id);
      return true;
    case Code::work:
      thread.now_ns += host_cost(state, rank, instruction.cost_ns);
      return true;
    case Code::pass:
      thread.now_ns += instruction.cost_ns;
      return true;
    case Code::loader: {
      begin_slice(rank, thread_id, instruction, instruction.name);
      thread.now_ns = next_batch_ns(state, thread.now_ns);
      end_slice(rank, thread_id);
      return true;
    }
    case Code::unless_stall:
      if (state.stall.step != state.step) thread.at += static_cast<size_t>(instruction.index);
      return true;
    case Code::if_stall:
      if (state.stall.step == state.step) thread.at += static_cast<size_t>(instruction.index);
      return true;
    case Code::stall:
      thread.now_ns += state.stall.dur_ns / 1000 * instruction.cost_ns;
      return true;
    case Code::call: {
      const TimeNs start_ns = thread.now_ns;
      thread.now_ns += host_cost(state, rank, instruction.cost_ns);
      runtime_slice(rank, thread_id, instruction, start_ns, state.next_correlation++);
      return true;
    }
    case Code::launch:
    case Code::copy:
    case Code::collective:
    case Code::record_event:
    case Code::wait_event:
      return launch(rank, thread_id, instruction);
    case Code::sync_stream:
    case Code::sync_device:
      return sync(rank, thread_id, instruction);
    case Code::run_thread: {
      if (thread.call_ns >= 0) {  // the other thread has ended
        thread.call_ns = -1;
        return true;
      }
      HostThread& other = state.threads[static_cast<size_t>(instruction.stream)];
      other.segment = &state.program->segments[static_cast<size_t>(instruction.index)];
      other.at = 0;
      other.first_sequence = std::max(0, instruction.sequence);
      other.parent = thread_id;
      other.now_ns = thread.now_ns + host_cost(state, rank, kThreadHandOffNs);
      queue_.push(other.now_ns, EventType::host, rank, instruction.stream);
      thread.call_ns = thread.now_ns;
      thread.wait = HostThread::Wait::join;
      return false;
    }
    case Code::run_segment:
      thread.callers.push_back({thread.segment, thread.at + 1, thread.first_sequence});
      thread.segment = &state.program->segments[static_cast<size_t>(instruction.index)];
      thread.at = SIZE_MAX;  // the caller of execute() goes on to the first
      thread.first_sequence = std::max(0, instruction.sequence);
      return true;
  }
  return true;
}

void EngineRun::begin_slice(int32_t rank, int32_t thread_id, const Instruction& instruction, trace::StringId name) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  HostThread& thread = state.threads[static_cast<size_t>(thread_id)];
  HostThread::Open open{.start_ns = thread.now_ns};
  if (!thread.open.empty()) open.external_id = thread.open.back().external_id;
  if (state.recording && config_.record_host) {
    trace::RankTraceBuilder& builder = builders_[static_cast<size_t>(rank)];
    open.slice = builder.add_slice(tracks_[static_cast<size_t>(rank)].threads[thread_id], instruction.kind, name,
                                   thread.now_ns, 0);
    const int64_t external_id = state.next_external_id++;
    if (instruction.kind == trace::SliceKind::host_op) open.external_id = external_id;
    int64_t sequence = -1;
    if (instruction.sequence >= 0) {
      const int32_t number = thread.first_sequence + instruction.sequence;
      sequence = static_cast<int64_t>(state.step) * state.program->sequences_per_step + number;
      trace::SliceId& forward = state.forward[static_cast<size_t>(number)];
      if (thread_id == kMainThread) {
        forward = open.slice;
      } else if (forward != trace::kNoSlice) {
        builder.add(trace::Flow{forward, open.slice});
        forward = trace::kNoSlice;
      }
    }
    builder.add(trace::OpArgs{open.slice, external_id, sequence, instruction.shapes, instruction.types});
  }
  thread.open.push_back(open);
}

void EngineRun::end_slice(int32_t rank, int32_t thread_id) {
  HostThread& thread = ranks_[static_cast<size_t>(rank)].threads[static_cast<size_t>(thread_id)];
  if (thread.open.empty()) return;
  const HostThread::Open open = thread.open.back();
  thread.open.pop_back();
  if (open.slice == trace::kNoSlice) return;
  builders_[static_cast<size_t>(rank)].header().dur_ns[open.slice] = thread.now_ns - open.start_ns;
}

void EngineRun::begin_step(int32_t rank, const Instruction& instruction) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  const int32_t recorded = state.step - config_.warmup_steps;
  if (recorded == 0) {
    state.recording = true;
    result_.window_begin_ns[static_cast<size_t>(rank)] = state.threads[kMainThread].now_ns;
  }
  begin_slice(rank, kMainThread, instruction,
              recorded < 0 ? 0 : step_names_[static_cast<size_t>(rank)][static_cast<size_t>(recorded)]);
  HostThread& thread = state.threads[kMainThread];
  thread.now_ns += host_cost(state, rank, instruction.cost_ns);
}

void EngineRun::runtime_slice(int32_t rank, int32_t thread_id, const Instruction& instruction, TimeNs start_ns,
                              int64_t correlation) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  if (!state.recording || !config_.record_host) return;
  const TimeNs end_ns = state.threads[static_cast<size_t>(thread_id)].now_ns;
  builders_[static_cast<size_t>(rank)].add_slice(tracks_[static_cast<size_t>(rank)].threads[thread_id],
                                                 trace::SliceKind::runtime, instruction.name, start_ns,
                                                 end_ns - start_ns, correlation);
}

void EngineRun::enqueue(int32_t rank, int32_t thread_id, const Instruction& instruction, TimeNs ready_ns,
                        int64_t correlation) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  const HostThread& thread = state.threads[static_cast<size_t>(thread_id)];
  DeviceOp op{.recorded = state.recording,
              .index = instruction.index,
              .step = state.recording ? state.step - config_.warmup_steps : -1,
              .ready_ns = ready_ns,
              .correlation = correlation,
              .external_id = thread.open.empty() ? -1 : thread.open.back().external_id};
  if (instruction.code == Code::copy) op.kind = DeviceOp::Kind::copy;
  if (instruction.code == Code::collective) op.kind = DeviceOp::Kind::collective;
  if (instruction.code == Code::record_event) {
    op.kind = DeviceOp::Kind::record;
    op.index = static_cast<int32_t>(state.events.size());
    state.events.push_back(false);
    state.latest_event[static_cast<size_t>(instruction.index)] = op.index;
  }
  if (instruction.code == Code::wait_event) {
    op.kind = DeviceOp::Kind::wait;
    op.index = state.latest_event[static_cast<size_t>(instruction.index)];
    if (op.index < 0) return;  // as CUDA: waiting for an event that was never recorded does nothing
  }
  Stream& stream = state.streams[static_cast<size_t>(instruction.stream)];
  stream.ops.push_back(op);
  if (op.kind == DeviceOp::Kind::kernel || op.kind == DeviceOp::Kind::copy || op.kind == DeviceOp::Kind::collective) {
    ++stream.queued;
  }
  advance_stream(rank, instruction.stream);
}

bool EngineRun::launch(int32_t rank, int32_t thread_id, const Instruction& instruction) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  HostThread& thread = state.threads[static_cast<size_t>(thread_id)];
  Stream& stream = state.streams[static_cast<size_t>(instruction.stream)];
  const bool takes_space = instruction.code != Code::record_event && instruction.code != Code::wait_event;
  if (takes_space && stream.queued >= config_.queue_depth) {
    if (thread.call_ns < 0) thread.call_ns = thread.now_ns;
    thread.wait = HostThread::Wait::space;
    stream.space_waiter = thread_id;
    return false;
  }
  const TimeNs start_ns = thread.call_ns >= 0 ? thread.call_ns : thread.now_ns;
  thread.call_ns = -1;
  const TimeNs enqueued_ns = thread.now_ns;
  thread.now_ns += host_cost(state, rank, instruction.cost_ns);
  if (takes_space && state.host_draws.chance_permille(kLaunchTailPermille)) {
    thread.now_ns += state.host_draws.uniform_int(kLaunchTailLowNs, kLaunchTailHighNs);
  }
  const int64_t correlation = state.next_correlation++;
  runtime_slice(rank, thread_id, instruction, start_ns, correlation);
  // The driver rings the device's doorbell near the call's end, so a start lies 5.3 us or more after the call's start.
  const int64_t jitter_permille = state.host_draws.uniform_int(880, 1250);
  enqueue(rank, thread_id, instruction, enqueued_ns + config_.launch_latency_ns * jitter_permille / 1000, correlation);
  return true;
}

bool EngineRun::sync_done(const RankState& state, const HostThread& thread) const {
  for (size_t stream = 0; stream < state.streams.size(); ++stream) {
    if (state.streams[stream].head < thread.target[stream]) return false;
  }
  return true;
}

bool EngineRun::sync(int32_t rank, int32_t thread_id, const Instruction& instruction) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  HostThread& thread = state.threads[static_cast<size_t>(thread_id)];
  if (thread.call_ns < 0) {
    thread.call_ns = thread.now_ns;
    thread.target.assign(state.streams.size(), 0);
    for (size_t stream = 0; stream < state.streams.size(); ++stream) {
      if (instruction.code == Code::sync_device || static_cast<int32_t>(stream) == instruction.stream) {
        thread.target[stream] = state.streams[stream].ops.size();
      }
    }
    if (!sync_done(state, thread)) {
      thread.wait = HostThread::Wait::stream;
      return false;
    }
  }
  const TimeNs start_ns = thread.call_ns;
  thread.call_ns = -1;
  thread.now_ns += host_cost(state, rank, instruction.cost_ns);
  runtime_slice(rank, thread_id, instruction, start_ns, state.next_correlation++);
  return true;
}

void EngineRun::wake(int32_t rank, int32_t thread_id, TimeNs at_ns) {
  RankState& state = ranks_[static_cast<size_t>(rank)];
  HostThread& thread = state.threads[static_cast<size_t>(thread_id)];
  TimeNs wake_ns = at_ns;
  if (thread.wait == HostThread::Wait::stream) {
    wake_ns += state.host_draws.uniform_int(kSyncWakeLowNs, kSyncWakeHighNs);
  }
  thread.wait = HostThread::Wait::none;
  thread.now_ns = wake_ns;
  queue_.push(wake_ns, EventType::host, rank, thread_id);
}

}  // namespace td::sim
