// Where a device stood without compute because its host was freeing and mapping device memory.
#pragma once

#include <cstdint>
#include <vector>

#include "base/intervals.h"
#include "trace/trace.h"

namespace td::drill {

// Calls of one thread that follow each other, one miss: a cudaFree for each cached segment, then the cudaMalloc.
struct AllocatorGap {
  trace::TrackId thread = 0;
  Interval calls;  // from the first to the end of the last; the trace's common clock
  int64_t frees = 0;
  int64_t mallocs = 0;
  Interval dry;       // the step's stretch without compute that is open when the last call returns
  TimeNs dry_ns = 0;  // of that, under the calls
};

// Of one rank, those with dry time in the device step, in order. Collectives may run in it: they do not shorten it.
std::vector<AllocatorGap> allocator_gaps(const trace::RankTrace& rank, Interval step);

}  // namespace td::drill
