// Places in a trace as they stand in a reading: on the common clock, with the file's own timestamp.
#pragma once

#include "analysis/reading.h"
#include "base/intervals.h"
#include "trace/trace.h"

namespace td::analysis {

Span span_of_slice(const trace::RankTrace& rank, trace::SliceId slice, TimeNs offset_ns);

// An interval on the track of `at_slice`, named after it.
Span span_of_interval(const trace::RankTrace& rank, trace::SliceId at_slice, Interval at, TimeNs offset_ns);

}  // namespace td::analysis
