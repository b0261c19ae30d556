// Where each station of the fixed reading order stands on the timeline: step boundary, gaps, overlap, longest kernel.
#pragma once

#include "drill/explain.h"

namespace td::drill {

// Fills ReadLine::spans of the four stations where the explainer left them empty, on the station's rank and in its
// step: the step itself; its longest gaps; its exposed communication, or what is hidden if all is; its longest compute
// kernel. At most six spans a station, the longest ones, in order of time. A station of which the trace has nothing (no
// gap, no communication) stays empty.
void place_reading_order(const ExplainInput& input, Truth& truth);

}  // namespace td::drill
