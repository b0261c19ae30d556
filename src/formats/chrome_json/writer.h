// RankTrace -> Kineto-style JSON that Perfetto and HolisticTraceAnalysis load.
#pragma once

#include <span>

#include "base/io.h"
#include "base/result.h"
#include "trace/trace.h"

namespace td::formats::chrome {

// One event a line, traceEvents first. Reading the file again gives the same ranks, except that a clock origin that
// Perfetto's doubles could not hold moves into the base time, and that load problems are not written. The same traces
// give the same bytes. Errors: invalid_argument without a rank; what the sink returns.
Status write(std::span<const trace::RankTrace* const> ranks, Sink& sink);

// The time that stands in a file for 0 of the trace, so that no written ts is negative or too large for a double;
// clocks that are that absurd (more than 95 years) stay as they are. invalid_argument if ranks lie so far apart.
// base_ns: Kineto's baseTimeNanoseconds of the file.
struct FileClock {
  TimeNs base_ns = 0;
  std::vector<TimeNs> shift_ns;  // by rank: ts = start_ns + shift_ns
};
Result<FileClock> file_clock(std::span<const trace::RankTrace* const> ranks);

}  // namespace td::formats::chrome
