#include "drill/allocator_gaps.h"

#include <algorithm>
#include <string_view>

namespace td::drill {
namespace {

using trace::RankTrace;
using trace::SliceId;

// Between two calls of one miss the allocator only walks its lists.
constexpr TimeNs kTogetherNs = 200 * kNsPerUs;

bool frees(std::string_view name) { return name == "cudaFree" || name == "hipFree"; }
bool maps(std::string_view name) { return name == "cudaMalloc" || name == "hipMalloc"; }

Interval common(const RankTrace& rank, SliceId slice) {
  const TimeNs begin_ns = rank.start_ns[slice] + rank.clock_offset_ns;
  return {begin_ns, begin_ns + rank.dur_ns[slice]};
}

std::vector<AllocatorGap> all_calls(const RankTrace& rank) {
  std::vector<AllocatorGap> out;
  bool mapped = false;  // the last call has mapped what was asked for: the next one begins another miss
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (rank.kind[slice] != trace::SliceKind::runtime) continue;
    const std::string_view name = rank.name_of(slice);
    if (!frees(name) && !maps(name)) continue;
    const Interval at = common(rank, slice);
    const bool goes_on = !out.empty() && !mapped && out.back().thread == rank.track[slice] &&
                         at.begin_ns - out.back().calls.end_ns <= kTogetherNs;
    if (!goes_on) out.push_back({.thread = rank.track[slice], .calls = at, .dry = {}});
    out.back().calls.end_ns = at.end_ns;
    (frees(name) ? out.back().frees : out.back().mallocs) += 1;
    // Before the frees stands the request that has failed.
    mapped = maps(name) && out.back().frees > 0;
  }
  return out;
}

}  // namespace

std::vector<AllocatorGap> allocator_gaps(const RankTrace& rank, Interval step) {
  std::vector<Interval> compute;
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (rank.kind[slice] == trace::SliceKind::compute) compute.push_back(common(rank, slice));
  }
  const IntervalSet dry = subtract(IntervalSet{step}, unite(std::move(compute)));
  std::vector<AllocatorGap> out;
  for (AllocatorGap gap : all_calls(rank)) {
    // While a call waits for queued work the device may run short as well, for reasons of that work.
    const auto open = std::ranges::find_if(dry, [&](const Interval& stretch) {
      return stretch.begin_ns < gap.calls.end_ns && gap.calls.end_ns <= stretch.end_ns;
    });
    if (open == dry.end()) continue;
    gap.dry = *open;
    gap.dry_ns = total_ns(clip(IntervalSet{gap.calls}, *open));
    if (gap.dry_ns > 0) out.push_back(gap);
  }
  return out;
}

}  // namespace td::drill
