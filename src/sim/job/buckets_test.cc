#include "sim/job/buckets.h"

#include <gtest/gtest.h>

#include "base/units.h"

namespace td::sim {
namespace {

TEST(Buckets, CloseOnceTheyHoldTheirCap) {
  // Caps: 1 MiB for the first, then 25 MiB; a bucket closes after the tensor that reaches its cap.
  const std::vector<int64_t> bytes = {2 * kMiB, 20 * kMiB, 4 * kMiB, 1 * kMiB, 60 * kMiB, 3 * kMiB};
  EXPECT_EQ(assign_buckets(bytes, 25 * kMiB), (std::vector<int32_t>{0, 1, 1, 1, 2, 3}));
}

TEST(Buckets, SmallTensorsShareTheFirst) {
  EXPECT_EQ(assign_buckets(std::vector<int64_t>{100, 200, kMiB, 5}, 25 * kMiB), (std::vector<int32_t>{0, 0, 0, 1}));
}

TEST(Buckets, ACapThatHoldsEverythingMakesOne) {
  const std::vector<int64_t> bytes = {2 * kMiB, 20 * kMiB, 4 * kMiB, 1 * kMiB, 60 * kMiB, 3 * kMiB};
  EXPECT_EQ(assign_buckets(bytes, 90 * kMiB, 90 * kMiB), (std::vector<int32_t>(6, 0)));
}

TEST(Buckets, NoneWithoutParameters) { EXPECT_TRUE(assign_buckets({}, 25 * kMiB).empty()); }

}  // namespace
}  // namespace td::sim
