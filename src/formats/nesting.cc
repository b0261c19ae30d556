#include "formats/nesting.h"

namespace td::formats {
namespace {

using trace::RankTrace;
using trace::SliceId;
using trace::TrackId;

// Overlapping slices of one thread spread over at most so many tracks; what is left over is cut to fit.
constexpr size_t kMaxLanes = 32;

// The stack of open slices of one lane.
struct Lane {
  TrackId track = 0;
  std::vector<TimeNs> open_ends_ns;

  // How far a slice would reach beyond the one it begins in; 0 or less if it fits.
  TimeNs overrun_ns(TimeNs start_ns, TimeNs end_ns) {
    while (!open_ends_ns.empty() && open_ends_ns.back() <= start_ns) open_ends_ns.pop_back();
    return open_ends_ns.empty() ? 0 : end_ns - open_ends_ns.back();
  }
};

class Nester {
 public:
  explicit Nester(RankTrace& trace) : t_(trace) {}

  Nesting run() {
    const auto count = static_cast<TrackId>(t_.tracks.size());
    for (TrackId id = 0; id < count; ++id)
      if (t_.tracks[id].kind == trace::TrackKind::host_thread) nest(id);
    if (out_.moved > 0) sort_again();
    return std::move(out_);
  }

 private:
  void nest(TrackId id) {
    lanes_.assign(1, Lane{id, {}});
    for (SliceId slice = t_.tracks[id].begin; slice < t_.tracks[id].end; ++slice) {
      Lane& lane = lane_for(slice);
      lane.open_ends_ns.push_back(t_.end_ns(slice));
      if (lane.track == id) continue;
      t_.track[slice] = lane.track;
      ++out_.moved;
    }
  }

  // The first lane that takes the slice, cutting its end by what rounding explains.
  Lane& lane_for(SliceId slice) {
    for (Lane& lane : lanes_) {
      const TimeNs overrun_ns = lane.overrun_ns(t_.start_ns[slice], t_.end_ns(slice));
      if (overrun_ns <= 0) return lane;
      if (overrun_ns > kClipNs && (&lane != &lanes_.back() || lanes_.size() < kMaxLanes)) continue;
      t_.dur_ns[slice] -= overrun_ns;
      ++out_.clipped;
      return lane;
    }
    const TrackId from = lanes_.front().track;
    t_.tracks.push_back(t_.tracks[from]);
    const auto added = static_cast<TrackId>(t_.tracks.size() - 1);
    out_.lanes.emplace_back(from, added);
    lanes_.push_back({added, {}});
    return lanes_.back();
  }

  void sort_again() {
    trace::RankTraceBuilder builder;
    builder.header() = std::move(t_);
    t_ = builder.finish_at(0);
  }

  RankTrace& t_;
  Nesting out_;
  std::vector<Lane> lanes_;
};

}  // namespace

Nesting make_nested(RankTrace& trace) { return Nester(trace).run(); }

}  // namespace td::formats
