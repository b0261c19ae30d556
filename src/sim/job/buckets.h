// How DDP groups gradients into all-reduces.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace td::sim {

// For parameters in the order in which their gradients become ready (reverse of their use), the bucket of each: a
// bucket closes once it holds its cap or more; the first cap is 1 MiB, so that communication starts early.
// Source: pytorch torch/csrc/distributed/c10d/reducer, compute_bucket_assignment_by_size, kDefaultFirstBucketBytes.
std::vector<int32_t> assign_buckets(std::span<const int64_t> gradient_bytes, int64_t cap_bytes);

}  // namespace td::sim
