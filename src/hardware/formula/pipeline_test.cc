#include "hardware/formula/pipeline.h"

#include <gtest/gtest.h>

namespace td::hardware {
namespace {

TEST(Pipeline, BubbleOfKnownSchedules) {
  EXPECT_DOUBLE_EQ(bubble_frac(8, 8, 1), 7.0 / 15);   // 47 %
  EXPECT_DOUBLE_EQ(bubble_frac(4, 6, 1), 3.0 / 9);    // 33 %
  EXPECT_DOUBLE_EQ(bubble_frac(8, 32, 1), 7.0 / 39);  // 18 %
  EXPECT_DOUBLE_EQ(bubble_frac(4, 16, 4), 3.0 / 67);  // 4.5 %
  EXPECT_DOUBLE_EQ(bubble_frac(1, 4, 1), 0);
}

}  // namespace
}  // namespace td::hardware
