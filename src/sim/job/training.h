// A training step as a program: what each host thread does, op by op, and the kernels that it launches.
#pragma once

#include "sim/engine/program.h"
#include "sim/job/job.h"
#include "sim/job/kernel_names.h"

namespace td::sim {

// The job must have passed check_job.
Deployment training_deployment(const Job& job, const Software& software);

}  // namespace td::sim
