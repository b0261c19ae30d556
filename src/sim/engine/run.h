// The engine's state and moves; private to engine/. host.cc runs instructions, device.cc streams and collectives.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "sim/engine/engine.h"
#include "sim/engine/event_queue.h"
#include "sim/engine/loader.h"
#include "sim/engine/program.h"

namespace td::sim {

// One entry of a stream's queue.
struct DeviceOp {
  enum class Kind : uint8_t { kernel, copy, collective, record, wait };
  Kind kind = Kind::kernel;
  bool recorded = false;
  int32_t index = 0;  // of the spec; of the event instance for record and wait
  int32_t step = -1;  // recorded step that launched it
  TimeNs ready_ns = 0;
  int64_t correlation = 0;
  int64_t external_id = -1;
};

struct Stream {
  std::vector<DeviceOp> ops;  // all that was ever enqueued
  size_t head = 0;            // the first that is not done
  bool busy = false;          // ops[head] has been started
  bool had_work = false;
  TimeNs free_ns = 0;  // end of the last work
  TimeNs start_ns = 0;
  TimeNs updated_ns = 0;    // up to here remaining_ns is settled
  double remaining_ns = 0;  // at rate 1
  double rate = 1.0;
  uint32_t version = 0;
  int32_t queued = 0;         // launched and not started
  int32_t space_waiter = -1;  // thread blocked on a full queue
};

struct HostThread {
  enum class Wait : uint8_t { none, space, stream, join };
  const std::vector<Instruction>* segment = nullptr;
  size_t at = 0;
  TimeNs now_ns = 0;
  Wait wait = Wait::none;
  std::array<size_t, kStreamCount> target = {};  // ops that must be done
  TimeNs call_ns = -1;                           // start of a call that has blocked
  int32_t parent = -1;                           // thread that waits for this one
  struct Open {
    trace::SliceId slice = trace::kNoSlice;
    TimeNs start_ns = 0;
    int64_t external_id = -1;
  };
  std::vector<Open> open;
};

struct RankState {
  std::array<Stream, kStreamCount> streams;
  std::array<HostThread, kThreadCount> threads;
  std::vector<bool> events;             // instance -> done
  std::vector<int32_t> latest_event;    // event index -> instance
  std::vector<trace::SliceId> forward;  // autograd sequence -> forward op's slice
  size_t collectives = 0;               // arrived at so far
  int32_t step = 0;                     // counts warm-up steps too
  bool recording = false;
  bool in_epilogue = false;
  bool finished = false;
  bool computing = false;
  double compute_rate = 1.0;  // of this rank's kernels, as the collective's kernel beside them allows
  int64_t next_correlation = 0;
  int64_t next_external_id = 1;
  RandomStream host_draws;
  RandomStream kernel_draws;
  std::optional<Loader> loader;  // where it is modelled
  HostStall stall;

  RankState(uint64_t seed, int rank) : host_draws(seed, "host", rank), kernel_draws(seed, "kernel", rank) {}
};

struct CollectiveRun {
  int32_t spec = 0;
  int32_t arrived = 0;
  bool active = false;
  TimeNs updated_ns = 0;
  double remaining_ns = 0;
  double rate = 1.0;
  uint32_t version = 0;
};

class EngineRun {
 public:
  EngineRun(const Program& program, const EngineConfig& config, std::span<trace::RankTraceBuilder> builders,
            std::span<const RankTracks> tracks);
  Result<EngineResult> run();

 private:
  // host.cc
  void run_host(int32_t rank, int32_t thread);
  bool next_segment(int32_t rank, int32_t thread);  // false if the thread has nothing more to do now
  bool execute(int32_t rank, int32_t thread, const Instruction& instruction);  // false if the thread blocks
  void begin_slice(int32_t rank, int32_t thread, const Instruction& instruction, trace::StringId name);
  void end_slice(int32_t rank, int32_t thread);
  void begin_step(int32_t rank, const Instruction& instruction);
  void runtime_slice(int32_t rank, int32_t thread, const Instruction& instruction, TimeNs start_ns,
                     int64_t correlation);
  void enqueue(int32_t rank, int32_t thread, const Instruction& instruction, TimeNs ready_ns, int64_t correlation);
  bool launch(int32_t rank, int32_t thread, const Instruction& instruction);
  bool sync(int32_t rank, int32_t thread, const Instruction& instruction);
  void wake(int32_t rank, int32_t thread, TimeNs at_ns);
  [[nodiscard]] bool sync_done(const RankState& state, const HostThread& thread) const;
  [[nodiscard]] const std::vector<Instruction>& step_segment(int32_t step) const;
  static TimeNs next_batch_ns(RankState& state, TimeNs asked_ns);
  TimeNs host_cost(RankState& state, int32_t rank, TimeNs median_ns);

  // device.cc
  void advance_stream(int32_t rank, int32_t stream);
  bool pass_marker(int32_t rank, int32_t stream);  // false if the stream must wait
  void start_work(int32_t rank, int32_t stream);
  void finish_work(int32_t rank, int32_t stream);  // the head has ended now
  void settle(Stream& stream) const;
  void schedule_end(int32_t rank, int32_t stream);
  void set_compute_rate(int32_t rank, double rate);
  void update_computing(int32_t rank);
  void arrive(int32_t rank);
  void schedule_transfer(size_t number);
  void set_transfer_rates();
  void end_collective(int32_t number);
  void record_work(int32_t rank, int32_t stream, const DeviceOp& op);

  const Program& program_;
  const EngineConfig& config_;
  std::span<trace::RankTraceBuilder> builders_;
  std::span<const RankTracks> tracks_;
  EventQueue queue_;
  TimeNs clock_ns_ = 0;
  std::vector<RankState> ranks_;
  std::vector<CollectiveRun> collectives_;
  std::vector<size_t> active_;  // collectives in transfer
  int32_t computing_ranks_ = 0;
  RandomStream transfer_draws_;
  std::vector<double> host_jitter_;  // a table of lognormal draws
  std::vector<trace::StringId> step_names_;
  EngineResult result_;
};

}  // namespace td::sim
