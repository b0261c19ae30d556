// Times that no trace of a GPU can hold: a clock that was never set, a length that a profiler made up.
#pragma once

#include <cstdint>

#include "trace/trace.h"

namespace td::formats {

// What one rank's events may span, with their lengths: a year. Profilers run for minutes; what lies farther apart came
// from two clocks or from none.
inline constexpr TimeNs kMaxSpanNs = int64_t{365} * 24 * 3600 * kNsPerS;

// If slices and counter samples span more than kMaxSpanNs, leaves out those that do not lie within half of it of the
// median start, so that the rest spans no more. Side tables follow. Returns how many were left out. O(n).
int64_t drop_implausible_times(trace::RankTraceBuilder& builder);

}  // namespace td::formats
