#include "base/saturate.h"

#include <gtest/gtest.h>

namespace td {
namespace {

TEST(Saturate, AddsUntilTheEndsOfTheRange) {
  EXPECT_EQ(add_saturated(2, -5), -3);
  EXPECT_EQ(add_saturated(INT64_MAX, 0), INT64_MAX);
  EXPECT_EQ(add_saturated(INT64_MAX - 1, 2), INT64_MAX);
  EXPECT_EQ(add_saturated(INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(add_saturated(INT64_MIN, INT64_MAX), -1);
  int64_t sum = 0;
  for (int i = 0; i < 10; ++i) accumulate(sum, 997'000'000'000'000'000);
  EXPECT_EQ(sum, INT64_MAX);
}

}  // namespace
}  // namespace td
