// Idle stretches of a device that a value read on the host has opened.
#pragma once

#include <vector>

#include "base/intervals.h"
#include "trace/trace.h"

namespace td::drill {

// One read: the copy to the host, and the device idle from its end to the next work of any stream.
struct ReadGap {
  Interval copy;  // the trace's common clock
  Interval idle;
};

// The reads of a rank inside a device step, in order: copies to the host with compute before them in that step. (The
// loss that is read at a step's end has its copy after the step's last kernel, so it stands before the next one's
// first and is left out.)
std::vector<ReadGap> read_gaps(const trace::RankTrace& rank, Interval step);

}  // namespace td::drill
