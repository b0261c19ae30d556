// First to last GPU event of one rank, without steps.
#pragma once

#include "analysis/reading.h"
#include "analysis/timeline.h"

namespace td::analysis {

// All null if the rank has no GPU work.
Whole measure_whole(const RankTimeline& timeline);

}  // namespace td::analysis
