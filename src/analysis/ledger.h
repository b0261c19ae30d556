// The gap ledger: device step = compute + exposed communication + exposed copies + idle, to the nanosecond.
#pragma once

#include <span>
#include <vector>

#include "analysis/gaps.h"
#include "analysis/reading.h"
#include "analysis/steps.h"
#include "analysis/timeline.h"

namespace td::analysis {

// Means of sums over `count` steps, rounded so that they still add up: with running totals c_0, c_1, ..., the i-th mean
// is floor(c_i / count) - floor(c_{i-1} / count).
std::vector<TimeNs> additive_means(std::span<const TimeNs> sums_ns, int64_t count);

// The rank's ledger, without the split of exposed communication (collectives.h fills it in).
//   offset_ns  added to the rank's own times to reach the common clock
Ledger make_ledger(const RankTimeline& timeline, const RankSteps& steps, const std::vector<GapPart>& parts,
                   TimeNs offset_ns);

}  // namespace td::analysis
