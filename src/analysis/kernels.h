// The kernels that take the most time, by name.
#pragma once

#include <vector>

#include "analysis/measured.h"
#include "analysis/reading.h"

namespace td::analysis {

// Compute kernels of the rank's steady steps, the `at_most` longest in all, longest first. Shares are of the sum of
// all compute kernels' lengths, so that they add up to one; streams that overlap make that sum larger than the ledger's
// compute, which is a union.
std::vector<KernelRow> longest_kernels(const MeasuredRank& rank, size_t at_most);

}  // namespace td::analysis
