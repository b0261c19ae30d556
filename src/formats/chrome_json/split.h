// One builder -> one a part, for files that hold several ranks.
#pragma once

#include <vector>

#include "formats/chrome_json/plan.h"

namespace td::formats::chrome {

// The slices, side tables and counters of each part, on that part's own tracks, in the order of plan.parts. With one
// part the columns are taken over without a copy.
std::vector<trace::RankTraceBuilder> split(trace::RankTraceBuilder& builder, const Plan& plan);

// Where a track of the plan went: its number within its part.
std::vector<trace::TrackId> local_tracks(const Plan& plan);

}  // namespace td::formats::chrome
