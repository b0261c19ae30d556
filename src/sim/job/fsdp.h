// Fully sharded data parallelism: every rank holds a part of each block's weights and gathers the whole when it runs
// it.
#pragma once

#include "sim/engine/program.h"
#include "sim/job/job.h"
#include "sim/job/kernel_names.h"

namespace td::sim {

// One program for all ranks. Each block is a unit: its all-gather is launched one unit ahead, in forward and again in
// backward, its reduce-scatter behind its backward; both on the stream of the one communicator, in order. The job must
// have passed check_job.
Deployment fsdp_deployment(const Job& job, const Software& software);

}  // namespace td::sim
