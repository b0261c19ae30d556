#include "drill/reading_order.h"

#include <algorithm>

namespace td::drill {
namespace {

using trace::RankTrace;
using trace::SliceId;
using trace::SliceKind;

constexpr size_t kMostSpans = 6;

// What one rank's device did in one step.
struct DeviceWork {
  IntervalSet compute;
  IntervalSet comm;
  IntervalSet busy;
  SliceId longest = trace::kNoSlice;  // compute kernel that begins and ends in the step
};

Interval common(const RankTrace& rank, SliceId slice) {
  const TimeNs begin_ns = rank.start_ns[slice] + rank.clock_offset_ns;
  return {begin_ns, begin_ns + rank.dur_ns[slice]};
}

bool inside(Interval at, Interval step) { return at.begin_ns >= step.begin_ns && at.end_ns <= step.end_ns; }

DeviceWork work_in(const RankTrace& rank, Interval step) {
  std::vector<Interval> compute;
  std::vector<Interval> comm;
  std::vector<Interval> all;
  DeviceWork out;
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (!trace::is_gpu_work(rank.kind[slice])) continue;
    const Interval at = common(rank, slice);
    if (at.end_ns <= step.begin_ns || at.begin_ns >= step.end_ns) continue;
    all.push_back(at);
    if (rank.kind[slice] == SliceKind::comm) comm.push_back(at);
    if (rank.kind[slice] != SliceKind::compute) continue;
    compute.push_back(at);
    const bool longer = out.longest == trace::kNoSlice || rank.dur_ns[slice] > rank.dur_ns[out.longest];
    if (longer && inside(at, step)) out.longest = slice;
  }
  out.compute = clip(unite(std::move(compute)), step);
  out.comm = clip(unite(std::move(comm)), step);
  out.busy = clip(unite(std::move(all)), step);
  return out;
}

std::vector<RowSpan> longest_of(IntervalSet set, int32_t rank, trace::TrackId track) {
  std::ranges::stable_sort(set, std::greater{}, &Interval::length_ns);
  if (set.size() > kMostSpans) set.resize(kMostSpans);
  std::ranges::sort(set, {}, &Interval::begin_ns);
  std::vector<RowSpan> out;
  for (const Interval& at : set) out.push_back({rank, track, at});
  return out;
}

std::vector<RowSpan> spans_of(const ExplainInput& input, const ReadLine& line) {
  const RankTrace& rank = input.run.trace.ranks[line.rank];
  const RankRows& rows = input.traced.rows[line.rank];
  const Interval step = input.traced.steps[line.step];
  if (line.id == "step") return {{rows.rank, rows.compute, step}};
  const DeviceWork work = work_in(rank, step);
  if (line.id == "gaps") return longest_of(subtract(IntervalSet{step}, work.busy), rows.rank, rows.compute);
  if (line.id == "overlap") {
    const IntervalSet exposed = subtract(work.comm, work.compute);
    return longest_of(exposed.empty() ? work.comm : exposed, rows.rank, rows.comm);
  }
  if (work.longest == trace::kNoSlice) return {};
  return {{rows.rank, rank.track[work.longest], common(rank, work.longest)}};
}

}  // namespace

void place_reading_order(const ExplainInput& input, Truth& truth) {
  for (ReadLine& line : truth.read) {
    const bool on_trace = line.rank < input.traced.rows.size() && line.step < input.traced.steps.size();
    if (line.spans.empty() && on_trace) line.spans = spans_of(input, line);
  }
}

}  // namespace td::drill
