// When a collective could have begun on a rank, had the stream and the other ranks been free.
#pragma once

#include <utility>
#include <vector>

#include "analysis/timeline.h"

namespace td::analysis {

// A collective is ready when it is launched and the compute kernel that was launched last before it has ended: the
// event that its stream waits for was recorded behind that kernel.
class ReadyTimes {
 public:
  explicit ReadyTimes(const RankTimeline& timeline);

  // In the rank's own time, at most the kernel's start (which it is where no launch was recorded). O(log n).
  [[nodiscard]] TimeNs of(trace::SliceId comm_kernel) const;

 private:
  const RankTimeline* timeline_;
  std::vector<std::pair<TimeNs, TimeNs>> by_launch_;  // compute kernels: launch, end
};

}  // namespace td::analysis
