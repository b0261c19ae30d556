#include "analysis/whole.h"

namespace td::analysis {

Whole measure_whole(const RankTimeline& timeline) {
  Whole whole;
  if (!timeline.window) return whole;
  whole.span_ns = timeline.window->length_ns();
  whole.busy_ns = total_ns(timeline.busy);
  whole.compute_ns = total_ns(timeline.compute);
  whole.comm_ns = total_ns(timeline.comm);
  whole.comm_hidden_ns = *whole.comm_ns - total_ns(timeline.exposed_comm);
  whole.copy_ns = total_ns(timeline.copy);
  whole.idle_ns = *whole.span_ns - *whole.busy_ns;
  return whole;
}

}  // namespace td::analysis
