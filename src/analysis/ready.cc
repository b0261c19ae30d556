#include "analysis/ready.h"

#include <algorithm>

namespace td::analysis {

using trace::SliceId;

ReadyTimes::ReadyTimes(const RankTimeline& timeline) : timeline_(&timeline) {
  const trace::RankTrace& rank = *timeline.trace;
  for (const SliceId slice : timeline.gpu) {
    const SliceId launch = timeline.launches.launch_of(slice);
    if (rank.kind[slice] == trace::SliceKind::compute && launch != trace::kNoSlice)
      by_launch_.emplace_back(rank.start_ns[launch], rank.end_ns(slice));
  }
  std::ranges::sort(by_launch_);
}

TimeNs ReadyTimes::of(SliceId comm_kernel) const {
  const trace::RankTrace& rank = *timeline_->trace;
  const TimeNs start_ns = rank.start_ns[comm_kernel];
  const SliceId launch = timeline_->launches.launch_of(comm_kernel);
  if (launch == trace::kNoSlice) return start_ns;
  const TimeNs launched_ns = rank.start_ns[launch];
  const auto after = std::ranges::lower_bound(by_launch_, std::pair{launched_ns, INT64_MIN});
  const TimeNs fed_ns = after == by_launch_.begin() ? launched_ns : std::prev(after)->second;
  return std::min(std::max(launched_ns, fed_ns), start_ns);
}

}  // namespace td::analysis
