// What one rank's GPU did, as interval sets by priority, in the rank's own time.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/intervals.h"
#include "trace/trace.h"

namespace td::analysis {

// An idle stretch of the device between two pieces of GPU work.
struct DeviceGap {
  Interval at;
  trace::SliceId before = trace::kNoSlice;  // the work whose end opened it
  trace::SliceId after = trace::kNoSlice;   // the work whose start ended it
};

struct RankTimeline {
  const trace::RankTrace* trace = nullptr;
  trace::LaunchIndex launches;

  std::vector<trace::SliceId> gpu;  // kernels, copies, memsets in order of start
  std::optional<Interval> window;   // first to last GPU event, empty without any
  IntervalSet compute;              // union of compute kernels
  IntervalSet comm;                 // union of communication kernels
  IntervalSet copy;                 // union of copies and memsets
  IntervalSet exposed_comm;         // comm \ compute
  IntervalSet exposed_copy;         // copy \ (compute u comm)
  IntervalSet busy;                 // compute u comm u copy
  std::vector<DeviceGap> gaps;      // window \ busy, each with its neighbours

  // Start of work to end of launch call is not what counts: from launch start to kernel start with an empty queue.
  TimeNs launch_latency_ns =
      0;  // a tenth of the rank's kernels start sooner than this after their launch; 0 if unknown

  explicit RankTimeline(const trace::RankTrace& rank);
};

// The part of a sorted set that touches `window`, not clipped. O(log n).
std::span<const Interval> touching(const IntervalSet& set, Interval window);
// Length of `set` inside `window`. O(log n + intervals inside).
TimeNs length_within_ns(const IntervalSet& set, Interval window);

// The middle value (the lower one of two); 0 for none.
TimeNs median_ns(std::vector<TimeNs> values);
// The value below which `percent` of the values lie, by nearest rank; 0 for none.
TimeNs percentile_ns(std::vector<TimeNs> values, int percent);

}  // namespace td::analysis
