#include "sim/job/buckets.h"

#include <algorithm>

namespace td::sim {

std::vector<int32_t> assign_buckets(std::span<const int64_t> gradient_bytes, int64_t cap_bytes,
                                    int64_t first_cap_bytes) {
  std::vector<int32_t> buckets;
  int32_t bucket = 0;
  int64_t held_bytes = 0;
  for (const int64_t bytes : gradient_bytes) {
    buckets.push_back(bucket);
    held_bytes += bytes;
    const int64_t limit_bytes = bucket == 0 ? std::min(first_cap_bytes, cap_bytes) : cap_bytes;
    if (held_bytes >= limit_bytes) {
      ++bucket;
      held_bytes = 0;
    }
  }
  return buckets;
}

}  // namespace td::sim
