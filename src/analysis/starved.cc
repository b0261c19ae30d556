#include "analysis/starved.h"

#include <algorithm>

namespace td::analysis {
namespace {

using trace::SliceId;

// Of the late rank's starved time, and of the step: below that nobody's host is slow.
constexpr double kAlikeFrac = 0.75;
constexpr double kStarvedFrac = 0.05;

// Stretches without compute or copies, each with the work around it: communication apart, the device's own gaps.
std::vector<DeviceGap> gaps_beside_communication(const RankTimeline& timeline) {
  std::vector<DeviceGap> gaps;
  const trace::RankTrace& rank = *timeline.trace;
  TimeNs end_ns = 0;
  SliceId before = trace::kNoSlice;
  for (const SliceId slice : timeline.gpu) {
    if (rank.kind[slice] == trace::SliceKind::comm) continue;
    const TimeNs start_ns = rank.start_ns[slice];
    if (before != trace::kNoSlice && start_ns > end_ns) gaps.push_back({{end_ns, start_ns}, before, slice});
    if (before == trace::kNoSlice || rank.end_ns(slice) > end_ns) {
      end_ns = rank.end_ns(slice);
      before = slice;
    }
  }
  return gaps;
}

// Adds the parts of one gap.
void add_gap(const MeasuredRank& rank, const DeviceGap& gap, Interval at, Starved& out) {
  TimeNs sum_ns = 0;
  for (const GapPart& part : split_gap(rank.timeline, rank.host, gap, at)) {
    if (part.owner != GapOwner::host_dispatch && part.owner != GapOwner::launch_latency) continue;
    sum_ns += part.at.length_ns();
    out.longest_ns = std::max(out.longest_ns, part.at.length_ns());
  }
  out.total_ns += sum_ns;
  out.count += sum_ns > 0 ? 1 : 0;
}

}  // namespace

Starved starved_by_launches(const MeasuredRank& rank) {
  Starved out;
  if (rank.steps.steady.empty()) return out;
  const std::vector<DeviceGap> gaps = gaps_beside_communication(rank.timeline);
  for (const size_t step : rank.steps.steady) {
    const Interval window = rank.steps.items[step].window;
    auto gap = std::ranges::upper_bound(gaps, window.begin_ns, {}, [](const DeviceGap& g) { return g.at.end_ns; });
    for (; gap != gaps.end() && gap->at.begin_ns < window.end_ns; ++gap) {
      const Interval at = {std::max(gap->at.begin_ns, window.begin_ns), std::min(gap->at.end_ns, window.end_ns)};
      add_gap(rank, *gap, at, out);
    }
  }
  out.total_ns /= static_cast<TimeNs>(rank.steps.steady.size());
  return out;
}

bool starved_alike(const Measured& measured, size_t late) {
  std::vector<TimeNs> others;
  for (size_t r = 0; r < measured.ranks.size(); ++r) {
    if (r != late && measured.reading->ledgers[r].steps > 0)
      others.push_back(starved_by_launches(measured.ranks[r]).total_ns);
  }
  if (others.empty()) return false;
  const auto own = static_cast<double>(starved_by_launches(measured.ranks[late]).total_ns);
  const auto other = static_cast<double>(median_ns(std::move(others)));
  const auto step = static_cast<double>(measured.reading->ledgers[late].step_ns);
  return other >= kStarvedFrac * step && other >= kAlikeFrac * own;
}

}  // namespace td::analysis
