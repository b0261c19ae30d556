#include "drill/read_gaps.h"

#include <algorithm>

namespace td::drill {
namespace {

using trace::SliceId;

bool to_host(const trace::RankTrace& rank, SliceId slice) {
  const trace::CopyArgs* args = rank.copy_args(slice);
  return args != nullptr && args->kind == trace::CopyKind::d2h;
}

Interval common(const trace::RankTrace& rank, SliceId slice) {
  const TimeNs begin_ns = rank.start_ns[slice] + rank.clock_offset_ns;
  return {begin_ns, begin_ns + rank.dur_ns[slice]};
}

}  // namespace

std::vector<ReadGap> read_gaps(const trace::RankTrace& rank, Interval step) {
  std::vector<Interval> work;
  std::vector<Interval> reads;
  TimeNs first_kernel_ns = step.end_ns;
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (!trace::is_gpu_work(rank.kind[slice])) continue;
    const Interval at = common(rank, slice);
    if (at.end_ns <= step.begin_ns || at.begin_ns > step.end_ns) continue;
    work.push_back(at);
    if (rank.kind[slice] == trace::SliceKind::compute && at.begin_ns > step.begin_ns) {
      first_kernel_ns = std::min(first_kernel_ns, at.begin_ns);
    }
    if (to_host(rank, slice)) reads.push_back(at);
  }
  const IntervalSet busy = unite(std::move(work));
  std::vector<ReadGap> out;
  std::ranges::sort(reads, {}, &Interval::begin_ns);
  for (const Interval& copy : reads) {
    if (copy.begin_ns < first_kernel_ns) continue;
    const auto after = std::ranges::find_if(busy, [&](const Interval& at) { return at.end_ns >= copy.end_ns; });
    if (after == busy.end() || after + 1 == busy.end()) continue;
    // Work of another stream may outlast the copy.
    const TimeNs next_ns = after->end_ns == copy.end_ns ? (after + 1)->begin_ns : copy.end_ns;
    out.push_back({copy, {copy.end_ns, std::min(next_ns, step.end_ns)}});
  }
  return out;
}

}  // namespace td::drill
