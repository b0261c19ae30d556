// Is this trace fit to be read, and what can it not tell?
#pragma once

#include "analysis/measured.h"
#include "analysis/reading.h"

namespace td::analysis {

// Problems of all ranks, gravest first. Verdict: unreadable if nothing about the device can be said; limited if some
// number is missing or some gap may not have been one; ok otherwise (problems may still be listed).
Trust judge_trust(const Measured& measured);

// The profiler's own rows (buffer flushes, instrumentation; not the loading of kernels) inside the rank's steady steps,
// as a union, summed over them.
TimeNs profiler_overhead_ns(const MeasuredRank& rank);

}  // namespace td::analysis
