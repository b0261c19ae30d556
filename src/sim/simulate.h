// Runs a job with its faults and returns the timeline that falls out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "sim/fault/fault.h"
#include "sim/job/job.h"
#include "trace/trace.h"

namespace td::sim {

struct StepTime {
  TimeNs begin_ns = 0;  // device step, on the trace's common clock
  TimeNs end_ns = 0;
};

struct SimulatedJob {
  trace::Trace trace;           // one RankTrace a rank, clocks aligned up to small drawn offsets
  std::vector<StepTime> steps;  // rank 0's steady device steps (definition in docs/reading.md), complete ones only
  TimeNs mean_step_ns = 0;      // over `steps`
  int64_t tokens_per_step = 0;  // over all ranks
  // What overlap costs in this run: the speed of compute under a resident collective and of a transfer under compute.
  int32_t compute_rate_permille = 1000;
  int32_t comm_rate_permille = 1000;
};

// The same (job, faults, seed) gives the same bytes on every compiler. Faults are applied in order to a copy of the
// job. invalid_argument if the job cannot exist or a fault is unknown.
Result<SimulatedJob> simulate(const Job& job, std::span<const FaultInstance> faults, uint64_t seed);

}  // namespace td::sim
