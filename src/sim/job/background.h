// What happens beside the work in any job and costs next to nothing: pauses of the garbage collector under queued work,
// allocations while the host is ahead, values that lie on the host already, a first recorded step that still warms up.
//
// Drawn from the run's seed and what the healthy program looks like, never from what goes wrong, so that none of it
// tells a cause. In steady steps all of it together costs less than 2 % of the mean step: what might cost is kept short
// by the work of a step (docs/models/background.md).
#pragma once

#include <cstdint>

#include "sim/engine/engine.h"
#include "sim/engine/program.h"
#include "sim/job/job.h"

namespace td::sim {

// One step of a program, by its own numbers: what the device works and the host thread takes, without waiting.
struct StepWork {
  TimeNs device_ns = 0;
  TimeNs host_ns = 0;
  bool autograd = false;  // something runs on the autograd thread
};
StepWork work_of_step(const Program& program);

// Adds the detours and first batches of all ranks. More of it with job.noise_percent, none at 0.
void add_background(const Job& job, uint64_t seed, Deployment& deployment, EngineConfig& config);

}  // namespace td::sim
