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

// Calls visit(step, gap, at, parts) for each such gap in a steady step.
template <typename Visit>
void for_each_gap(const MeasuredRank& rank, const Visit& visit) {
  const std::vector<DeviceGap> gaps = gaps_beside_communication(rank.timeline);
  for (size_t s = 0; s < rank.steps.steady.size(); ++s) {
    const Interval window = rank.steps.items[rank.steps.steady[s]].window;
    auto gap = std::ranges::upper_bound(gaps, window.begin_ns, {}, [](const DeviceGap& g) { return g.at.end_ns; });
    for (; gap != gaps.end() && gap->at.begin_ns < window.end_ns; ++gap) {
      const Interval at = {std::max(gap->at.begin_ns, window.begin_ns), std::min(gap->at.end_ns, window.end_ns)};
      visit(s, *gap, at, split_gap(rank.timeline, rank.host, *gap, at));
    }
  }
}

// Adds the parts of one gap.
void add_gap(const std::vector<GapPart>& parts, Starved& out) {
  TimeNs sum_ns = 0;
  for (const GapPart& part : parts) {
    if (part.owner != GapOwner::host_dispatch && part.owner != GapOwner::launch_latency &&
        part.owner != GapOwner::python_hook)
      continue;
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
  for_each_gap(rank,
               [&](size_t, const DeviceGap&, Interval, const std::vector<GapPart>& parts) { add_gap(parts, out); });
  out.total_ns /= static_cast<TimeNs>(rank.steps.steady.size());
  return out;
}

std::vector<HeldGap> gaps_held_by(const MeasuredRank& rank, GapOwner owner) {
  std::vector<HeldGap> out;
  for_each_gap(rank, [&](size_t step, const DeviceGap& gap, Interval at, const std::vector<GapPart>& parts) {
    HeldGap held = {.step = step, .at = at, .after = gap.after};
    TimeNs longest_ns = 0;
    for (const GapPart& part : parts) {
      if (part.owner == GapOwner::queue_gap || part.owner == GapOwner::device_wait) continue;
      (part.owner == owner ? held.held_ns : held.other_ns) += part.at.length_ns();
      if (part.owner != owner || part.at.length_ns() <= longest_ns) continue;
      longest_ns = part.at.length_ns();
      held.culprit = part.culprit;
    }
    out.push_back(held);
  });
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
