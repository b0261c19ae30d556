// Arrow ends of the file -> flows between slices.
#pragma once

#include <span>
#include <vector>

#include "formats/chrome_json/plan.h"

namespace td::formats::chrome {

// Which of the slices that start together an arrow means when the file does not say: the innermost host op, else the
// innermost. `first` to `last`: those slices, outer before inner. The writer asks the same question.
trace::SliceId default_flow_end(const trace::RankTrace& trace, trace::SliceId first, trace::SliceId last);

// Adds the flows to `parts` (finished, in the order of plan.parts). An arrow's end binds to the slice that starts at
// its time, else to the innermost one open then; an f without "bp":"e" to the next one that starts. Ends that find no
// partner or no slice are counted as "unbound_flow".
void bind_flows(Mapped& mapped, const Plan& plan, std::span<trace::RankTrace> parts);

}  // namespace td::formats::chrome
