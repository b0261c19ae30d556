// A model cut into pipeline stages that run 1F1B, each replicated for data parallelism.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/engine/program.h"
#include "sim/job/job.h"
#include "sim/job/kernel_names.h"

namespace td::sim {

// One program a stage. Activations and their gradients go over a communicator for each direction and each pair of
// neighbours, so that no message waits behind one that goes the other way; a receiver posts its receive when it has
// nothing else to do (plain 1F1B), so its kernel holds the wait. The job must have passed check_job.
Deployment pipeline_deployment(const Job& job, const Software& software);

// The blocks [first, last) of each part of the model, in order: stages x virtual_stages parts that differ as little as
// may be in the time that their kernels take, at least one block each.
std::vector<std::pair<int32_t, int32_t>> cut_into_parts(const Job& job, const Software& software);

}  // namespace td::sim
