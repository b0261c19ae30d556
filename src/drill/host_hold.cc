#include "drill/host_hold.h"

#include <vector>

namespace td::drill {
namespace {

using trace::RankTrace;
using trace::SliceId;

Interval common(const RankTrace& rank, SliceId slice) {
  const TimeNs begin_ns = rank.start_ns[slice] + rank.clock_offset_ns;
  return {begin_ns, begin_ns + rank.dur_ns[slice]};
}

IntervalSet idle_in(const RankTrace& rank, Interval step) {
  std::vector<Interval> work;
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (trace::is_gpu_work(rank.kind[slice])) work.push_back(common(rank, slice));
  }
  return subtract(IntervalSet{step}, unite(std::move(work)));
}

}  // namespace

bool waits_for_batch(trace::SliceKind kind, std::string_view) { return kind == trace::SliceKind::loader; }

bool compiles(trace::SliceKind, std::string_view name) {
  return name.find("_compile.compile_inner") != std::string_view::npos;
}

HostHold hold_of(const RankTrace& rank, Interval step, HoldTest is_meant) {
  HostHold hold;
  std::vector<Interval> calls;
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (trace::is_gpu_work(rank.kind[slice]) || !is_meant(rank.kind[slice], rank.name_of(slice))) continue;
    const IntervalSet at = clip(IntervalSet{common(rank, slice)}, step);
    if (at.empty()) continue;
    calls.push_back(at.front());
    if (at.front().length_ns() > hold.call.length_ns()) {
      hold.call = at.front();
      hold.thread = rank.track[slice];
    }
  }
  const IntervalSet held = unite(std::move(calls));
  hold.call_ns = total_ns(held);
  for (const Interval& idle : idle_in(rank, step)) {
    const TimeNs under_ns = total_ns(clip(held, idle));
    hold.idle_ns += under_ns;
    if (under_ns > 0 && idle.length_ns() > hold.idle.length_ns()) hold.idle = idle;
  }
  return hold;
}

}  // namespace td::drill
