// Which ranks do what under a parallelism, and how long their groups' collectives take.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "hardware/fabric.h"
#include "sim/job/job.h"

namespace td::sim {

// invalid_argument if the ranks, stages and microbatches do not go together.
Status check_parallelism(const Job& job);

// Parameters that a rank holds, at most. A pipeline's stages have even parts, and one may have the largest tensor (an
// embedding) on top.
int64_t held_parameters(const Job& job);

// Activations that a rank keeps at a time, in microbatches of the whole model: 1 without a pipeline; the first stage
// keeps its part of those that are on their way through the stages behind it.
double microbatches_in_flight(const Job& job);

// The rank of a pipeline's stage in one of its replicas (0 to data_parallel_size(job) - 1).
int32_t pipeline_rank(const Job& job, int32_t stage, int32_t replica);

// As hardware::transfer_ns, for a group of some of the job's ranks. Groups of the same shape are taken to use the
// node's NICs at the same time, each its share of them.
//   ranks  at least one, all below the fabric's world size
TimeNs group_transfer_ns(hardware::Collective collective, int64_t size_bytes, std::span<const int32_t> ranks,
                         const hardware::Fabric& fabric, const hardware::Gpu& gpu);

// CTAs of NCCL's kernel: one a channel; fewer channels feed a network than NVLink.
int32_t nccl_channels(std::span<const int32_t> ranks, const hardware::Fabric& fabric);

}  // namespace td::sim
