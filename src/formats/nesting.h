// Host slices of a thread nest: a parent holds its children whole. Files break that in two ways, both mended here.
#pragma once

#include <utility>
#include <vector>

#include "trace/trace.h"

namespace td::formats {

struct Nesting {
  int64_t clipped = 0;  // ends that stood up to kClipNs beyond the parent's and were moved to it
  int64_t moved = 0;    // slices that overlap and now stand on a further track of the same thread
  // (track, the further track that took its overlapping slices), in order of need.
  std::vector<std::pair<trace::TrackId, trace::TrackId>> lanes;
};

// Files in whole microseconds cut start and length apart, so a child may outlive its parent by 1 us
// (pytorch/pytorch#101861).
inline constexpr TimeNs kClipNs = 1000;

// Makes the slices of every host_thread track nest. `trace` is finished, and stays so.
Nesting make_nested(trace::RankTrace& trace);

}  // namespace td::formats
