#include "drill/launch_gaps.h"

#include <algorithm>

namespace td::drill {
namespace {

// From a launch call's start to the kernel's, at most, on a device that waits for it.
constexpr TimeNs kLatencyNs = 25 * kNsPerUs;

}  // namespace

LaunchGaps launch_gaps(const trace::RankTrace& rank, const trace::LaunchIndex& launches, Interval step) {
  std::vector<trace::SliceId> kernels;
  for (trace::SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (rank.kind[slice] != trace::SliceKind::compute) continue;
    const TimeNs begin_ns = rank.start_ns[slice] + rank.clock_offset_ns;
    if (begin_ns >= step.begin_ns && begin_ns < step.end_ns) kernels.push_back(slice);
  }
  std::ranges::sort(kernels, {}, [&](trace::SliceId slice) { return rank.start_ns[slice]; });
  LaunchGaps out;
  out.kernels = static_cast<int64_t>(kernels.size());
  TimeNs end_ns = step.begin_ns;
  for (const trace::SliceId kernel : kernels) {
    Interval gap = {end_ns, rank.start_ns[kernel] + rank.clock_offset_ns};
    end_ns = std::max(end_ns, gap.end_ns + rank.dur_ns[kernel]);
    const trace::SliceId launch = launches.launch_of(kernel);
    if (launch == trace::kNoSlice) continue;
    const TimeNs launched_ns = rank.start_ns[launch] + rank.clock_offset_ns;
    if (launched_ns <= gap.begin_ns) continue;
    // What a kernel waits for beyond its launch is an event of another stream.
    gap.end_ns = std::min(gap.end_ns, launched_ns + kLatencyNs);
    out.gaps.push_back(gap);
    out.idle_ns += gap.length_ns();
  }
  return out;
}

}  // namespace td::drill
