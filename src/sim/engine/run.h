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
  static constexpr size_t kNoCollective = SIZE_MAX;

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
  int32_t queued = 0;                 // launched and not started
  int32_t space_waiter = -1;          // thread blocked on a full queue
  size_t collective = kNoCollective;  // whose kernel is here
};

struct HostThread {
  enum class Wait : uint8_t { none, space, stream, join };
  struct Frame {
    const std::vector<Instruction>* segment = nullptr;
    size_t at = 0;
    int32_t first_sequence = 0;
  };
  const std::vector<Instruction>* segment = nullptr;
  size_t at = 0;
  int32_t first_sequence = 0;  // added to the sequence numbers of the segment
  std::vector<Frame> callers;  // of a segment that run_segment runs
  TimeNs now_ns = 0;
  Wait wait = Wait::none;
  std::vector<size_t> target;  // by stream: ops that must be done
  TimeNs call_ns = -1;         // start of a call that has blocked
  int32_t parent = -1;         // thread that waits for this one
  struct Open {
    trace::SliceId slice = trace::kNoSlice;
    TimeNs start_ns = 0;
    int64_t external_id = -1;
  };
  std::vector<Open> open;
};

// What a rank knows of a communicator.
struct RankGroup {
  int32_t index = 0;       // in Deployment::groups
  size_t collectives = 0;  // arrived at so far
  trace::StringId name = 0;
  trace::StringId ranks = 0;
};

struct RankState {
  const Program* program = nullptr;
  std::vector<RankGroup> groups;
  std::vector<Stream> streams;
  std::array<HostThread, kThreadCount> threads;
  std::vector<bool> events;             // instance -> done
  std::vector<int32_t> latest_event;    // event index -> instance
  std::vector<trace::SliceId> forward;  // autograd sequence -> forward op's slice
  int32_t step = 0;                     // counts warm-up steps too
  bool recording = false;
  bool in_epilogue = false;
  bool finished = false;
  bool computing = false;
  double compute_rate = 1.0;  // of this rank's kernels, as the collectives' kernels beside them allow
  int64_t next_correlation = 0;
  int64_t next_external_id = 1;
  RandomStream host_draws;
  RandomStream kernel_draws;
  std::optional<Loader> loader;  // where it is modelled
  HostStall stall;
  std::vector<Detour> detours;                         // still to be made
  std::array<int64_t, kThreadCount> ops = {};          // that each thread has begun in this step
  std::array<int64_t, kThreadCount> ops_of_step = {};  // and in the one before it
  FirstBatch first_batch;                              // still to come

  RankState(uint64_t seed, int rank) : host_draws(seed, "host", rank), kernel_draws(seed, "kernel", rank) {}
};

struct CollectiveRun {
  struct Member {
    int32_t rank = 0;
    int32_t stream = 0;
  };
  const CollectiveSpec* spec = nullptr;  // of the first that arrived
  int64_t sequence = 0;                  // within its group, from 1
  std::vector<Member> members;           // that have arrived
  bool started = false;                  // all have
  int32_t computing = 0;                 // members whose compute stream is busy, during the transfer
  TimeNs updated_ns = 0;
  double remaining_ns = 0;
  double rate = 1.0;
  uint32_t version = 0;
};

class EngineRun {
 public:
  EngineRun(const Deployment& deployment, const EngineConfig& config, std::span<trace::RankTraceBuilder> builders,
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
  void take_detour(int32_t rank, int32_t thread);  // if one is due here
  [[nodiscard]] bool sync_done(const RankState& state, const HostThread& thread) const;
  [[nodiscard]] static const std::vector<Instruction>& step_segment(const Program& program, int32_t step);
  TimeNs next_batch_ns(RankState& state, TimeNs asked_ns);
  TimeNs host_cost(RankState& state, int32_t rank, TimeNs median_ns);

  // device.cc
  void advance_stream(int32_t rank, int32_t stream);
  bool pass_marker(int32_t rank, int32_t stream);  // false if the stream must wait
  void start_work(int32_t rank, int32_t stream);
  void finish_work(int32_t rank, int32_t stream);  // the head has ended now
  void settle(Stream& stream) const;
  void schedule_end(int32_t rank, int32_t stream);
  void update_compute_rate(int32_t rank);
  void update_computing(int32_t rank);
  void arrive(int32_t rank, int32_t stream);
  void start_transfer(size_t number);
  void schedule_transfer(size_t number);
  void set_transfer_rate(size_t number, double rate);
  void end_collective(size_t number);
  void record_work(int32_t rank, int32_t stream, const DeviceOp& op);

  const Deployment& deployment_;
  const EngineConfig& config_;
  std::span<trace::RankTraceBuilder> builders_;
  std::span<const RankTracks> tracks_;
  EventQueue queue_;
  TimeNs clock_ns_ = 0;
  std::vector<RankState> ranks_;
  std::vector<CollectiveRun> collectives_;
  std::vector<std::vector<size_t>> group_collectives_;  // by group, in its order
  std::vector<size_t> active_;                          // collectives in transfer
  RandomStream transfer_draws_;
  std::vector<double> host_jitter_;                       // a table of lognormal draws
  std::vector<std::vector<trace::StringId>> step_names_;  // by rank, by recorded step
  EngineResult result_;
  Status status_;
};

}  // namespace td::sim
