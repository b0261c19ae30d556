// How DDP groups gradients into all-reduces.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.h"

namespace td::sim {

// For parameters in the order in which their gradients become ready (reverse of their use), the bucket of each: a
// bucket closes once it holds its cap or more; the first cap is 1 MiB by default, so that communication starts early
// (DDP takes a cap that the user gives for all buckets, the first included).
// Source: pytorch torch/csrc/distributed/c10d/reducer, compute_bucket_assignment_by_size, kDefaultFirstBucketBytes.
std::vector<int32_t> assign_buckets(std::span<const int64_t> gradient_bytes, int64_t cap_bytes,
                                    int64_t first_cap_bytes = kMiB);

}  // namespace td::sim
