// What a rank's host threads do, as instructions: the engine runs them and knows nothing of models.
//
// One Program serves all steps of all ranks with the same role (a pipeline has one a stage); what differs between those
// ranks (jitter, clocks, faults) is drawn when it runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "hardware/formula/kernel_time.h"
#include "trace/kernel_class.h"
#include "trace/string_table.h"
#include "trace/trace.h"

namespace td::sim {

struct KernelSpec {
  trace::StringId name = 0;
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {128, 1, 1};
  int32_t registers_per_thread = 32;
  int32_t shared_memory_bytes = 0;
  hardware::KernelTime time;
};

struct CopySpec {
  trace::StringId name = 0;
  trace::CopyKind kind = trace::CopyKind::unknown;
  int64_t size_bytes = 0;
  TimeNs dur_ns = 0;
};

// A collective of one group. `kernel` describes the spinning kernel; its time comes from `transfer_ns`. A message is a
// send_recv of a group of two.
struct CollectiveSpec {
  KernelSpec kernel;
  trace::CollectiveKind kind = trace::CollectiveKind::all_reduce;
  trace::DType dtype = trace::DType::bfloat16;
  int64_t in_count = 0;  // elements, as traces print them: all_gather has the shard in and the whole out
  int64_t out_count = 0;
  TimeNs transfer_ns = 0;
  int32_t group = 0;  // index in RankRole::groups
  // How much it takes from the compute beside it, as a share of what EngineConfig's rates say.
  double footprint = 1.0;
};

// A communicator. Its collectives match by order: every member must launch the same ones.
struct ProcessGroup {
  std::string name;  // "0"
  std::string description;
  std::vector<int32_t> ranks;
};

enum class Code : uint8_t {
  begin,         // open a slice on the thread's track; then cost_ns passes inside it
  end,           // cost_ns passes, then the innermost slice closes
  work,          // cost_ns passes
  pass,          // cost_ns passes exactly, however fast the host is
  call,          // a runtime call without effect on the device
  launch,        // a runtime call that enqueues kernel `index` on `stream`
  copy,          // a runtime call that enqueues copy `index` on `stream`
  collective,    // a runtime call that enqueues collective `index` on `stream`
  record_event,  // marks all earlier work of `stream` as event `index`
  wait_event,    // later work of `stream` waits for the latest event `index`
  sync_stream,   // blocks until all earlier work of `stream` is done
  sync_device,   // blocks until all streams are done
  loader,        // a slice of drawn length: the next batch is ready
  run_thread,    // runs segment `index` on the thread `stream` and waits for its end
  run_segment,   // runs segment `index` on this thread
  begin_step,    // opens ProfilerStep#N
  unless_stall,  // the next `index` instructions are passed over, but in a step in which this rank's host stalls
  if_stall,      // the next `index` instructions are passed over in such a step
  stall,         // `cost_ns` permille of that stall pass
};

struct Instruction {
  Code code = Code::work;
  trace::SliceKind kind = trace::SliceKind::other;
  trace::StringId name = 0;
  trace::StringId shapes = 0;
  trace::StringId types = 0;
  TimeNs cost_ns = 0;  // median; jitter is drawn
  int32_t index = 0;
  int32_t stream = 0;
  int32_t sequence = -1;  // autograd sequence; joins forward and backward. run_*: counted from here on in the segment
};

struct Program {
  trace::StringTable strings;
  std::vector<KernelSpec> kernels;
  std::vector<CopySpec> copies;
  std::vector<CollectiveSpec> collectives;
  // Segment 0 is one step of the main thread; the others are run by run_thread or run_segment, or are steps of their
  // own.
  std::vector<std::vector<Instruction>> segments;
  // The segment that a step of the main thread runs, by step from the first warm-up step on; beyond its end 0.
  std::vector<int32_t> step_segments;
  // What the main thread runs once after the last recorded step (the profiler's own synchronisation).
  std::vector<Instruction> epilogue;
  int32_t event_count = 0;
  int32_t sequences_per_step = 0;  // autograd sequence numbers that a step uses up
  int32_t stream_count = 2;
};

// What one rank is: which program it runs, and what the program's groups are for it.
struct RankRole {
  int32_t program = 0;
  std::vector<int32_t> groups;  // CollectiveSpec::group -> index in Deployment::groups
};

// What runs, on all ranks.
struct Deployment {
  std::vector<Program> programs;
  std::vector<ProcessGroup> groups;
  std::vector<RankRole> ranks;
};
// The same program on every rank, with one group of all of them.
Deployment deploy_on_all(Program program, int32_t world_size);

// Something that the host does on the way, once: a segment of the program that a thread runs inside one of its ops.
struct Detour {
  int32_t step = 0;      // from the first warm-up step on
  int32_t thread = 0;    // kMainThread or kAutogradThread
  int32_t permille = 0;  // of the thread's ops in a step (the one before): inside the first that begins from there on
  int32_t segment = 0;
};

// Streams of a rank, by index; their ids as traces print them are drawn by the job. A program may have more of them.
inline constexpr int32_t kComputeStream = 0;
inline constexpr int32_t kCommStream = 1;
// Host threads of a rank.
inline constexpr int32_t kMainThread = 0;
inline constexpr int32_t kAutogradThread = 1;
inline constexpr int32_t kThreadCount = 2;

}  // namespace td::sim
