// The reader: one function from a trace to its reading, in the fixed order.
#pragma once

#include "analysis/facts.h"
#include "analysis/reading.h"
#include "base/io.h"
#include "trace/trace.h"

namespace td::analysis {

// Reads any trace; a trace that cannot tell gives an `inconclusive` finding, never an error.
//   facts     hardware that the trace does not name; the GPU is taken from the trace if it is not given
//   executor  ranks are measured in parallel on it; nullptr runs them in turn. The result is the same.
// The reading holds no reference to the trace. Roughly linear in slices (sorting apart).
Reading read(const trace::Trace& trace, const Facts& facts = {}, Executor* executor = nullptr);

}  // namespace td::analysis
