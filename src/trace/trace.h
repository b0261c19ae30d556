// The trace model: columns, one RankTrace a rank, each with its own strings.
//
// Slices are sorted by (track, start_ns, longer first, order of arrival), so a track is one contiguous range and a
// parent stands before its children. All times are nanoseconds from the rank's own first event; two ranks share a clock
// after adding each one's clock_offset_ns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "trace/kernel_class.h"
#include "trace/string_table.h"

namespace td::trace {

using TrackId = uint32_t;
using SliceId = uint32_t;
inline constexpr SliceId kNoSlice = UINT32_MAX;
inline constexpr int64_t kNoCorrelation = 0;

enum class TrackKind : uint8_t {
  host_thread,     // CPU ops, annotations and runtime calls of one thread, nested
  loader_worker,   // a dataloader worker process (Nsight only; Kineto sees the parent alone)
  stream,          // kernels, copies and memsets of one GPU stream
  gpu_annotation,  // host annotations projected on a stream (not work)
  sync,            // Kineto's cuda_sync and cuda_event rows
  counter,
  other,  // the profiler's own rows
};

enum class SliceKind : uint8_t {
  host_op,     // aten::mm, autograd nodes
  annotation,  // user_annotation: ProfilerStep#3, record_function, NVTX
  python,      // python_function
  loader,      // a wait for input on the host (is_loader_wait)
  runtime,     // a CUDA/HIP runtime or driver call
  compute,     // a kernel that is not communication
  comm,        // a communication kernel
  copy,        // memcpy
  memset,
  gpu_annotation,
  sync,      // cuda_sync: not GPU work
  overhead,  // the profiler's own cost
  instant,   // a mark without length
  other,
};

// Kernels, communication, copies and memsets: what occupies the GPU.
constexpr bool is_gpu_work(SliceKind kind) {
  return kind == SliceKind::compute || kind == SliceKind::comm || kind == SliceKind::copy || kind == SliceKind::memset;
}
// What stands on a host thread.
constexpr bool is_host(SliceKind kind) {
  return kind == SliceKind::host_op || kind == SliceKind::annotation || kind == SliceKind::python ||
         kind == SliceKind::loader || kind == SliceKind::runtime;
}
std::string_view to_string(SliceKind kind);
std::string_view to_string(TrackKind kind);

struct Track {
  TrackKind kind = TrackKind::other;
  int64_t pid = 0;  // as in the file; 0 if it was not a number
  int64_t tid = 0;  // OS thread id, or the stream id for GPU tracks
  StringId process_name = 0;
  StringId name = 0;    // "thread 4211 (pt_main_thread)", "stream 7"
  int32_t device = -1;  // GPU tracks only
  int32_t sort_index = 0;
  SliceId begin = 0;  // slices [begin, end)
  SliceId end = 0;
};

// Typed side tables: args that analysis needs. Each is sorted by slice, at most one row a slice.
struct KernelArgs {
  SliceId slice = kNoSlice;
  uint32_t grid[3] = {0, 0, 0};
  uint32_t block[3] = {0, 0, 0};
  int32_t registers_per_thread = -1;
  int32_t shared_memory_bytes = -1;
};
struct CollectiveArgs {
  SliceId slice = kNoSlice;
  CollectiveKind kind = CollectiveKind::unknown;
  DType dtype = DType::unknown;
  int32_t group_size = -1;
  int64_t in_count = -1;  // elements, as in the metadata: all_gather has the shard in and the whole out
  int64_t out_count = -1;
  int64_t sequence = -1;     // "Seq", -1 if the file has none
  StringId group = 0;        // process group name ("0")
  StringId group_ranks = 0;  // "[0, 1, 2, 3]" as in the file
};
struct CopyArgs {
  SliceId slice = kNoSlice;
  CopyKind kind = CopyKind::unknown;
  int64_t size_bytes = -1;
};
struct OpArgs {  // host ops and the GPU work linked to them by "External id"
  SliceId slice = kNoSlice;
  int64_t external_id = -1;
  int64_t sequence = -1;  // autograd "Sequence number"
  StringId shapes = 0;    // "[[8192,4096],[4096,14336]]", Input Dims as in the file without spaces
  StringId types = 0;
};

// S of nccl-tests' definitions: the whole buffer, max(in, out) elements times their size; -1 if unknown.
int64_t size_bytes(const CollectiveArgs& args);

// An arrow between slices that is not launch -> kernel (that one is the correlation): forward -> backward.
struct Flow {
  SliceId from = kNoSlice;
  SliceId to = kNoSlice;
};

struct CounterSample {
  TrackId track = 0;
  TimeNs at_ns = 0;
  int64_t value_millionths = 0;
};

// The communicators of the job, from distributedInfo.pg_config.
struct Group {
  std::string name;
  std::string description;
  std::vector<int32_t> ranks;
};

// Something that the file held and the trace does not, or holds only after mending.
struct LoadProblem {
  std::string id;    // stable: "truncated", "bad_timestamp", "negative_duration"
  std::string text;  // one sentence with the first place
  int64_t count = 0;
};

struct RankTrace {
  // Identity and hardware; -1, 0 or "" where the file does not say.
  int32_t rank = -1;
  int32_t world_size = -1;
  std::string file;
  std::string host_name;
  std::string device_name;
  int64_t device_memory_bytes = -1;
  int32_t sm_count = -1;
  std::string backend;  // "nccl", "cuda:nccl,cpu:gloo"
  std::vector<Group> groups;

  // Clocks. A slice's timestamp in its file, in ns, is start_ns + file_origin_ns; its absolute time is that plus
  // base_time_ns (Kineto's baseTimeNanoseconds, 0 if absent). clock_offset_ns brings this rank to the trace's zero.
  TimeNs file_origin_ns = 0;
  TimeNs base_time_ns = 0;
  TimeNs clock_offset_ns = 0;

  StringTable strings;
  std::vector<Track> tracks;

  // Slice columns, all of one length.
  std::vector<TimeNs> start_ns;
  std::vector<TimeNs> dur_ns;  // >= 0
  std::vector<TrackId> track;
  std::vector<StringId> name;
  std::vector<SliceKind> kind;
  std::vector<int64_t> correlation;  // kNoCorrelation if none; one launch may own many kernels (CUDA graphs)

  std::vector<KernelArgs> kernels;
  std::vector<CollectiveArgs> collectives;
  std::vector<CopyArgs> copies;
  std::vector<OpArgs> ops;
  std::vector<Flow> flows;
  std::vector<CounterSample> counters;
  std::vector<LoadProblem> problems;

  [[nodiscard]] size_t slice_count() const { return start_ns.size(); }
  [[nodiscard]] TimeNs end_ns(SliceId slice) const { return start_ns[slice] + dur_ns[slice]; }
  [[nodiscard]] std::string_view name_of(SliceId slice) const { return strings.view(name[slice]); }
  [[nodiscard]] const Track& track_of(SliceId slice) const { return tracks[track[slice]]; }

  // The slice's row in a side table, or nullptr. O(log n).
  [[nodiscard]] const KernelArgs* kernel_args(SliceId slice) const;
  [[nodiscard]] const CollectiveArgs* collective_args(SliceId slice) const;
  [[nodiscard]] const CopyArgs* copy_args(SliceId slice) const;
  [[nodiscard]] const OpArgs* op_args(SliceId slice) const;
};

// Several ranks of one job, sorted by rank. Never union busy time over ranks.
struct Trace {
  std::vector<RankTrace> ranks;
};

// Appends slices in any order; finish() sorts them, sets the track ranges and renumbers the side tables and flows.
// The readers and the simulator both build through it.
class RankTraceBuilder {
 public:
  // Header fields, strings and problems may be set directly.
  RankTrace& header() { return trace_; }
  StringId intern(std::string_view text) { return trace_.strings.intern(text); }

  TrackId add_track(const Track& track);

  // Times on any common base; finish() moves the earliest start to 0 and adds it to file_origin_ns.
  SliceId add_slice(TrackId track, SliceKind kind, StringId name, TimeNs start_ns, TimeNs dur_ns,
                    int64_t correlation = kNoCorrelation);

  void add(const KernelArgs& args) { trace_.kernels.push_back(args); }
  void add(const CollectiveArgs& args) { trace_.collectives.push_back(args); }
  void add(const CopyArgs& args) { trace_.copies.push_back(args); }
  void add(const OpArgs& args) { trace_.ops.push_back(args); }
  void add(const Flow& flow) { trace_.flows.push_back(flow); }
  void add(const CounterSample& sample) { trace_.counters.push_back(sample); }

  [[nodiscard]] size_t slice_count() const { return trace_.slice_count(); }

  // The finished trace; the builder is empty afterwards. Tracks without slices are kept (a stream that did nothing is
  // information). `keep_zero_at_ns`: the base time that becomes 0; by default the earliest slice start.
  RankTrace finish();
  RankTrace finish_at(TimeNs zero_ns);

 private:
  RankTrace trace_;
};

// Sorts by rank and sets each clock_offset_ns from the absolute clocks (base_time_ns + file_origin_ns), the earliest
// rank being 0. Ranks without a number get the lowest free ones, in order.
Trace assemble(std::vector<RankTrace> ranks);

// Launches and the GPU work they started, by correlation. Built once, O(n log n).
class LaunchIndex {
 public:
  explicit LaunchIndex(const RankTrace& trace);

  // The runtime call that launched a GPU slice, or kNoSlice.
  [[nodiscard]] SliceId launch_of(SliceId gpu_slice) const { return launch_[gpu_slice]; }

  // GPU slices of a correlation, in order of start (several for a graph launch).
  [[nodiscard]] std::vector<SliceId> gpu_slices_of(int64_t correlation) const;

 private:
  std::vector<SliceId> launch_;
  std::vector<std::pair<int64_t, SliceId>> by_correlation_;  // GPU slices, sorted by (correlation, start)
};

}  // namespace td::trace
