// The result of reading a trace: the `Reading` contract as plain structs (docs/reading.md has the definitions).
//
// Times are ns from the trace's start on the job's common clock, lengths are ns, fractions are 0..1. What cannot be had
// is an empty optional, printed as null, never 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace td::analysis {

inline constexpr int kReadingSchemaVersion = 1;

// A place in the trace, with what is needed to find it in the file.
struct Span {
  int32_t rank = -1;
  uint32_t track_id = 0;  // index in the rank's tracks
  std::string track;      // "stream 7", "thread 4211 (pt_main_thread)"
  TimeNs start_ns = 0;
  TimeNs dur_ns = 0;
  std::string name;         // of the slice; for a gap, of the GPU work that ended it
  int64_t correlation = 0;  // 0 if none
  TimeNs file_ts_ns = 0;    // the file's own timestamp of start_ns
  std::string during;       // gaps only: what the launching thread was in, if known
};

struct RankInfo {
  int32_t rank = -1;
  std::optional<int32_t> world_size;
  std::string device;
  TimeNs clock_offset_ns = 0;  // a slice's own time plus this is the common clock, after alignment
};

enum class Verdict : uint8_t { ok, limited, unreadable };

struct Problem {
  std::string id;
  std::string text;
  int64_t count = 0;
};

struct Trust {
  Verdict verdict = Verdict::ok;
  std::vector<Problem> problems;
};

enum class StepSource : uint8_t { profiler_step, annotation, motif, whole_trace };

struct StepItem {
  int32_t rank = -1;
  std::string name;
  TimeNs start_ns = 0;
  TimeNs dur_ns = 0;
  bool warmup = false;
  bool partial = false;
  bool outlier = false;
};

struct Steps {
  StepSource source = StepSource::whole_trace;
  int64_t count = 0;                // complete steps without warm-up, of the first rank
  std::optional<TimeNs> median_ns;  // over those of all ranks
  std::vector<StepItem> items;
};

enum class GapOwner : uint8_t {
  data_loading,
  sync,
  allocator,
  compile,
  gc,
  host_dispatch,
  launch_latency,
  queue_gap,
  device_wait,
  host_other,
  pageable_copy,
  python_hook,
};
inline constexpr size_t kGapOwnerCount = 12;

enum class Rhythm : uint8_t { each_step, every_kth, by_shape, irregular };

struct GapGroup {
  GapOwner owner = GapOwner::host_other;
  int64_t count = 0;             // over all the ledger's steps
  TimeNs total_ns = 0;           // mean per step
  std::optional<Rhythm> rhythm;  // empty with fewer than two steps
  Span longest;
};

// Blocking calls that opened no gap: the device had work all the while, so that removing them gains nothing.
struct HarmlessSyncs {
  int64_t count = 0;      // over all the ledger's steps
  TimeNs blocked_ns = 0;  // how long the host stood in them, mean per step
  std::optional<Span> longest;
};

struct StepLedger {
  int64_t step = 0;  // index in Steps::items of this rank, counted from 0
  TimeNs step_ns = 0;
  TimeNs compute_ns = 0;
  TimeNs exposed_comm_ns = 0;
  TimeNs exposed_copy_ns = 0;
  TimeNs idle_ns = 0;
};

// Means over a rank's complete steps without warm-up; compute + exposed_comm + exposed_copy + idle == step, and the
// gaps' totals add up to idle, exactly.
struct Ledger {
  int32_t rank = -1;
  int64_t steps = 0;
  TimeNs step_ns = 0;
  TimeNs compute_ns = 0;
  TimeNs exposed_comm_ns = 0;
  TimeNs exposed_copy_ns = 0;
  TimeNs idle_ns = 0;
  std::optional<TimeNs> comm_wait_ns;  // exposed, until the last arrival; wait + transfer == exposed_comm
  std::optional<TimeNs> comm_transfer_ns;
  std::vector<GapGroup> gaps;  // largest first
  HarmlessSyncs harmless_syncs;
  std::vector<StepLedger> per_step;
};

// First to last GPU event of the first rank.
struct Whole {
  std::optional<TimeNs> span_ns;
  std::optional<TimeNs> busy_ns;
  std::optional<TimeNs> compute_ns;
  std::optional<TimeNs> comm_ns;
  std::optional<TimeNs> comm_hidden_ns;
  std::optional<TimeNs> copy_ns;
  std::optional<TimeNs> idle_ns;
};

struct OverlapKind {
  std::string kind;
  std::string group;
  int64_t calls = 0;  // over the scope
  std::optional<int64_t> bytes_per_call;
  TimeNs comm_ns = 0;  // mean per step
  TimeNs exposed_ns = 0;
  std::optional<double> busbw_bytes_per_s;
};

struct Overlap {
  std::string scope;
  std::optional<TimeNs> comm_ns;  // mean per step
  std::optional<TimeNs> hidden_ns;
  std::optional<TimeNs> exposed_ns;
  std::optional<double> overlap_frac;  // hidden / comm; empty without communication
  std::vector<OverlapKind> by_kind;
};

struct KernelRow {
  std::string name;
  int64_t count = 0;  // over the scope of Overlap
  TimeNs total_ns = 0;
  TimeNs mean_ns = 0;
  double share_of_compute_frac = 0;  // of the sum of compute kernels' lengths
};

enum class LastArrivalKind : uint8_t { always_rank, rotating, none, unknown };

struct LastArrival {
  LastArrivalKind kind = LastArrivalKind::unknown;
  std::optional<int32_t> rank;        // always_rank only
  std::optional<double> share_frac;   // steps in which that rank was last
  std::optional<TimeNs> lateness_ns;  // exposed wait it caused, mean per step
};

struct Collectives {
  bool groups_complete = false;   // every rank of every group is here and every call found its peers
  std::optional<TimeNs> wait_ns;  // exposed, mean over ranks and steps
  std::optional<TimeNs> transfer_ns;
  LastArrival last_arrival;
};

struct Evidence {
  std::string text;
  std::vector<Span> spans;
};

struct RuledOut {
  std::string cause;
  std::string why;
};

struct WhatIf {
  std::string per = "step";  // or "token", "sample"
  TimeNs step_ns = 0;        // what a step (or a step's worth of tokens) would take
  double win_frac = 0;
  std::string method;  // how it was reckoned, one sentence
};

struct Finding {
  std::string cause;
  double confidence = 0;
  std::optional<TimeNs> cost_ns_per_step;
  std::vector<Evidence> evidence;
  std::vector<RuledOut> ruled_out;
  std::string confirm;
  std::string fix;
  std::optional<WhatIf> what_if;
};

// One step in characters, for terminals; not in JSON.
enum class PictureKind : uint8_t { host, compute, comm, copy };

struct PictureRow {
  std::string name;  // "host", "stream 7"
  PictureKind kind = PictureKind::host;
  // One character a column. Host rows: what the thread is in ('.' ops, 's' sync, 'm' allocation, 'l' loader, 'c'
  // compiler, 'g' collector, 'h' hooks, ' ' nothing recorded). GPU rows: '0' to '8', eighths covered.
  std::string cells;
};

struct Picture {
  int32_t rank = -1;
  std::string step;
  TimeNs start_ns = 0;
  TimeNs dur_ns = 0;
  std::vector<PictureRow> rows;
};

struct UnreadFile {
  std::string file;
  std::string error;
};

struct Reading {
  std::vector<std::string> files;
  std::vector<UnreadFile> unread_files;
  std::vector<RankInfo> ranks;
  Trust trust;
  Steps steps;
  Picture picture;
  std::vector<Ledger> ledgers;
  Whole whole;
  Overlap overlap;
  std::vector<KernelRow> kernels;
  Collectives collectives;
  std::vector<Finding> findings;
};

// As printed in JSON.
std::string_view to_string(Verdict verdict);
std::string_view to_string(StepSource source);
std::string_view to_string(GapOwner owner);
std::string_view to_string(Rhythm rhythm);
std::string_view to_string(LastArrivalKind kind);

}  // namespace td::analysis
