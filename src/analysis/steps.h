// Step boundaries of one rank, on the device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/host.h"
#include "analysis/reading.h"
#include "analysis/timeline.h"
#include "base/intervals.h"

namespace td::analysis {

// A step that the host marked: from its mark to the next one (the last: to its own end).
struct HostMark {
  std::string name;
  Interval at;
};

struct DeviceStep {
  std::string name;
  Interval window;  // rank's own time; empty if the step launched no compute kernel
  size_t mark = 0;  // index in RankSteps::marks, if there are marks
  bool warmup = false;
  bool partial = false;
  bool outlier = false;
};

struct RankSteps {
  StepSource source = StepSource::whole_trace;
  std::vector<HostMark> marks;    // empty for motif and whole_trace
  std::vector<DeviceStep> items;  // in order of time
  std::vector<size_t> steady;     // indices of the complete ones without warm-up
  bool fell_back = false;         // marks were there, but no device step is complete

  // The index in `steady` of the step whose window (begin, end] holds `at_ns`, or kNone.
  [[nodiscard]] size_t steady_at(TimeNs at_ns) const;
  static constexpr size_t kNone = SIZE_MAX;
};

// ProfilerStep marks, else a repeated annotation that covers most launches, else the repeating motif of kernel names,
// else the whole trace as one step.
RankSteps find_steps(const RankTimeline& timeline, const HostActivity& host);

// Host time inside a window that belongs to the first steps of a process.
struct WarmupSigns {
  TimeNs allocate_ns = 0;
  TimeNs compile_ns = 0;
  TimeNs load_ns = 0;  // of kernels and libraries
  int64_t allocations = 0;
  int64_t loads = 0;
  [[nodiscard]] TimeNs total_ns() const;
};
WarmupSigns warmup_signs(const RankTimeline& timeline, const HostActivity& host, Interval window);

// The marks alone, for tests: ProfilerStep#N of the thread that has most of them.
std::vector<HostMark> profiler_marks(const trace::RankTrace& rank);
// Repeated annotations of one name pattern ("execute_context_#") that cover more than half of the launches.
std::vector<HostMark> annotation_marks(const RankTimeline& timeline);

}  // namespace td::analysis
