// The program of one DDP training step of a decoder-only transformer: what each host thread does, op by op, and the
// kernels that it launches.
#pragma once

#include "sim/engine/program.h"
#include "sim/job/job.h"
#include "sim/job/kernel_names.h"

namespace td::sim {

// The job must have passed check_job.
Program training_program(const Job& job, const Software& software);

}  // namespace td::sim
