#include "formats/chrome_json/flows.h"

#include <algorithm>
#include <optional>

#include "formats/chrome_json/split.h"

namespace td::formats::chrome {
namespace {

using trace::kNoSlice;
using trace::RankTrace;
using trace::SliceId;
using trace::TrackId;

// How far to look back for the slice that is open at a time: a limit for broken files, far above real nesting.
constexpr int kMaxLookBack = 4096;

struct Bound {
  size_t part = 0;
  SliceId slice = kNoSlice;
};

class Binder {
 public:
  Binder(const Plan& plan, std::span<RankTrace> parts) : plan_(plan), parts_(parts), local_(local_tracks(plan)) {}

  Bound bind(const FlowEnd& end) const {
    const auto row = plan_.rows.find({end.pid, end.tid});
    if (row == plan_.rows.end()) return {};
    for (TrackId id : row->second)
      if (const SliceId slice = starting_at(id, end); slice != kNoSlice) return {plan_.tracks[id].part, slice};
    for (TrackId id : row->second)
      if (const SliceId slice = around(id, end); slice != kNoSlice) return {plan_.tracks[id].part, slice};
    return {};
  }

 private:
  // First slice of the track at or after the file's time.
  SliceId lower_bound(const RankTrace& t, const trace::Track& track, TimeNs file_ns) const {
    const TimeNs at_ns = file_ns - t.file_origin_ns;
    const auto begin = t.start_ns.begin();
    return static_cast<SliceId>(std::lower_bound(begin + track.begin, begin + track.end, at_ns) - begin);
  }

  SliceId starting_at(TrackId id, const FlowEnd& end) const {
    const RankTrace& t = parts_[plan_.tracks[id].part];
    const trace::Track& track = t.tracks[local_[id]];
    const SliceId first = lower_bound(t, track, end.at_ns);
    const SliceId last = lower_bound(t, track, end.at_ns + 1);
    if (first == last) return kNoSlice;
    if (end.nth >= 0 && static_cast<SliceId>(end.nth) < last - first) return first + static_cast<SliceId>(end.nth);
    return default_flow_end(t, first, last);
  }

  SliceId around(TrackId id, const FlowEnd& end) const {
    const RankTrace& t = parts_[plan_.tracks[id].part];
    const trace::Track& track = t.tracks[local_[id]];
    const SliceId next = lower_bound(t, track, end.at_ns);
    if (end.phase == 'f' && !end.binds_enclosing) return next < track.end ? next : kNoSlice;
    const TimeNs at_ns = end.at_ns - t.file_origin_ns;
    for (int back = 1; back <= kMaxLookBack && next >= track.begin + static_cast<SliceId>(back); ++back)
      if (t.end_ns(next - static_cast<SliceId>(back)) >= at_ns) return next - static_cast<SliceId>(back);
    return kNoSlice;
  }

  const Plan& plan_;
  std::span<RankTrace> parts_;
  std::vector<TrackId> local_;
};

}  // namespace

SliceId default_flow_end(const RankTrace& trace, SliceId first, SliceId last) {
  for (SliceId slice = last; slice > first; --slice)
    if (trace.kind[slice - 1] == trace::SliceKind::host_op) return slice - 1;
  return last - 1;
}

void bind_flows(Mapped& mapped, const Plan& plan, std::span<RankTrace> parts) {
  std::vector<FlowEnd>& ends = mapped.flow_ends;
  const auto order = [](char phase) { return phase == 's' ? 0 : phase == 't' ? 1 : 2; };
  std::ranges::stable_sort(ends, [&](const FlowEnd& a, const FlowEnd& b) {
    if (a.key != b.key) return a.key < b.key;
    if (a.at_ns != b.at_ns) return a.at_ns < b.at_ns;
    return order(a.phase) < order(b.phase);
  });
  const Binder binder(plan, parts);
  int64_t unbound = 0;
  for (size_t i = 0; i < ends.size();) {
    size_t group_end = i;
    while (group_end < ends.size() && ends[group_end].key == ends[i].key) ++group_end;
    // An arrow may be drawn backwards (clocks), so the s is looked for in the whole group, not only before its f.
    std::optional<Bound> from;
    for (size_t at = i; at < group_end && !from; ++at)
      if (ends[at].phase == 's') from = binder.bind(ends[at]);
    for (size_t at = i; at < group_end; ++at) {
      const FlowEnd& end = ends[at];
      const Bound to = binder.bind(end);
      if (end.phase == 's') {
        if (to.slice == kNoSlice) ++unbound;
        from = to;
        continue;
      }
      const bool whole = from && from->slice != kNoSlice && to.slice != kNoSlice && from->part == to.part;
      if (whole) {
        parts[to.part].flows.push_back({from->slice, to.slice});
      } else {
        ++unbound;
      }
      if (end.phase == 't') from = to;
    }
    i = group_end;
  }
  if (unbound > 0) mapped.problems.add_global("unbound_flow", "an arrow end found no partner or no slice", unbound);
  ends.clear();
}

}  // namespace td::formats::chrome
