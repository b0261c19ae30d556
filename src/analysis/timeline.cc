#include "analysis/timeline.h"

#include <algorithm>

namespace td::analysis {
namespace {

using trace::SliceId;
using trace::SliceKind;

IntervalSet union_of(const trace::RankTrace& rank, const std::vector<SliceId>& gpu, bool (*wanted)(SliceKind)) {
  std::vector<Interval> all;
  for (const SliceId slice : gpu)
    if (wanted(rank.kind[slice])) all.push_back({rank.start_ns[slice], rank.end_ns(slice)});
  return unite(std::move(all));
}

std::vector<DeviceGap> gaps_between(const trace::RankTrace& rank, const std::vector<SliceId>& gpu) {
  std::vector<DeviceGap> gaps;
  SliceId last = trace::kNoSlice;
  TimeNs busy_until_ns = 0;
  for (const SliceId slice : gpu) {
    const TimeNs start_ns = rank.start_ns[slice];
    if (last != trace::kNoSlice && start_ns > busy_until_ns) gaps.push_back({{busy_until_ns, start_ns}, last, slice});
    if (last == trace::kNoSlice || rank.end_ns(slice) > busy_until_ns) {
      busy_until_ns = rank.end_ns(slice);
      last = slice;
    } else if (start_ns >= busy_until_ns) {
      last = slice;  // an event without length still stands between its neighbours
    }
  }
  return gaps;
}

TimeNs typical_launch_latency_ns(const RankTimeline& timeline) {
  const trace::RankTrace& rank = *timeline.trace;
  std::vector<TimeNs> delays;
  for (const SliceId slice : timeline.gpu) {
    const SliceId launch = timeline.launches.launch_of(slice);
    if (launch == trace::kNoSlice || rank.start_ns[slice] <= rank.start_ns[launch]) continue;
    delays.push_back(rank.start_ns[slice] - rank.start_ns[launch]);
  }
  return percentile_ns(std::move(delays), 10);
}

}  // namespace

RankTimeline::RankTimeline(const trace::RankTrace& rank) : trace(&rank), launches(rank) {
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice)
    if (trace::is_gpu_work(rank.kind[slice])) gpu.push_back(slice);
  std::ranges::stable_sort(gpu, [&](SliceId a, SliceId b) {
    if (rank.start_ns[a] != rank.start_ns[b]) return rank.start_ns[a] < rank.start_ns[b];
    // Of several that start together, the one that computes ends the gap.
    return rank.kind[a] < rank.kind[b];
  });
  if (!gpu.empty()) {
    Interval all{rank.start_ns[gpu.front()], rank.end_ns(gpu.front())};
    for (const SliceId slice : gpu) all.end_ns = std::max(all.end_ns, rank.end_ns(slice));
    window = all;
  }
  compute = union_of(rank, gpu, [](SliceKind kind) { return kind == SliceKind::compute; });
  comm = union_of(rank, gpu, [](SliceKind kind) { return kind == SliceKind::comm; });
  copy = union_of(rank, gpu, [](SliceKind kind) { return kind == SliceKind::copy || kind == SliceKind::memset; });
  exposed_comm = subtract(comm, compute);
  const IntervalSet kernels = unite(compute, comm);
  exposed_copy = subtract(copy, kernels);
  busy = unite(kernels, copy);
  gaps = gaps_between(rank, gpu);
  launch_latency_ns = typical_launch_latency_ns(*this);
}

std::span<const Interval> touching(const IntervalSet& set, Interval window) {
  const auto first = std::ranges::upper_bound(set, window.begin_ns, {}, &Interval::end_ns);
  const auto last = std::ranges::lower_bound(first, set.end(), window.end_ns, {}, &Interval::begin_ns);
  return {first, last};
}

TimeNs length_within_ns(const IntervalSet& set, Interval window) {
  TimeNs sum_ns = 0;
  for (const Interval& i : touching(set, window))
    sum_ns += std::max<TimeNs>(0, std::min(i.end_ns, window.end_ns) - std::max(i.begin_ns, window.begin_ns));
  return sum_ns;
}

TimeNs median_ns(std::vector<TimeNs> values) { return percentile_ns(std::move(values), 50); }

TimeNs percentile_ns(std::vector<TimeNs> values, int percent) {
  if (values.empty()) return 0;
  const size_t at = (values.size() - 1) * static_cast<size_t>(percent) / 100;
  std::ranges::nth_element(values, values.begin() + static_cast<ptrdiff_t>(at));
  return values[at];
}

}  // namespace td::analysis
