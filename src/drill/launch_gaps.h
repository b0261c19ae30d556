// Where a device waited for its host to launch the next kernel.
#pragma once

#include <vector>

#include "base/intervals.h"
#include "trace/trace.h"

namespace td::drill {

// One rank in one device step, on the trace's common clock.
struct LaunchGaps {
  int64_t kernels = 0;         // compute kernels that start in the step
  std::vector<Interval> gaps;  // no compute kernel runs, and the next one's launch call begins only within
  TimeNs idle_ns = 0;          // their sum
};
LaunchGaps launch_gaps(const trace::RankTrace& rank, const trace::LaunchIndex& launches, Interval step);

}  // namespace td::drill
