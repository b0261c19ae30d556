// How much communication stands behind compute, in all and by kind and group.
#pragma once

#include "analysis/collectives.h"
#include "analysis/measured.h"
#include "analysis/reading.h"

namespace td::analysis {

// Over the steady steps of ranks[index], means per step. busbw needs every rank of the group and is null otherwise.
Overlap measure_overlap(const Measured& measured, size_t index);

// busbw_factor's collective, or nothing for kinds that have none.
std::optional<hardware::Collective> hardware_kind(trace::CollectiveKind kind);

}  // namespace td::analysis
