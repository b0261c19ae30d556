// Sums that stop at the ends of int64_t instead of wrapping: durations of slices that overlap, and sizes that a file
// claims, have no bound together, however each is bounded alone.
#pragma once

#include <cstdint>
#include <limits>

namespace td {

// a + b, or the nearest number that int64_t holds.
constexpr int64_t add_saturated(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

// sum += value, saturated.
constexpr void accumulate(int64_t& sum, int64_t value) { sum = add_saturated(sum, value); }

}  // namespace td
