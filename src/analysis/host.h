// What each host thread was doing, as flat segments: nested calls reduced to the one class that matters for a gap.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/intervals.h"
#include "trace/trace.h"

namespace td::analysis {

enum class HostClass : uint8_t {
  none,       // not told: plain Python frames, annotations
  hook,       // Python that watches or hooks into the program: module hooks, debuggers, tracers
  dispatch,   // ops and cheap runtime calls
  sync,       // blocked until the device catches up, or until a copy call returns
  allocator,  // cudaMalloc, cudaFree and their kin
  loader,     // waiting for a batch; all that is nested inside counts as well
  compile,    // Dynamo, Inductor, Triton at work
  gc,         // the garbage collector
};

// By a slice's kind and name. Sync copies are told by how long the call took (blocking_copy).
HostClass class_of_host(trace::SliceKind kind, std::string_view name);
// True for copy calls, which block when the host side is pageable.
bool is_copy_call(std::string_view api_name);

struct HostSegment {
  TimeNs begin_ns = 0;
  TimeNs end_ns = 0;
  HostClass what = HostClass::none;
  trace::SliceId slice = trace::kNoSlice;  // the innermost slice that gave the class
};

// Segments of every host thread; stretches of class none are left out.
class HostActivity {
 public:
  explicit HostActivity(const trace::RankTrace& rank);

  // Sorted and disjoint; empty for tracks that are no host threads.
  [[nodiscard]] const std::vector<HostSegment>& of(trace::TrackId track) const { return segments_[track]; }
  // The thread that launched the most GPU work, or kNoTrack.
  [[nodiscard]] trace::TrackId main_thread() const { return main_; }
  static constexpr trace::TrackId kNoTrack = UINT32_MAX;

  // The first segment that ends after `at_ns`.
  [[nodiscard]] std::vector<HostSegment>::const_iterator from(trace::TrackId track, TimeNs at_ns) const;

 private:
  std::vector<std::vector<HostSegment>> segments_;
  trace::TrackId main_ = kNoTrack;
};

}  // namespace td::analysis
