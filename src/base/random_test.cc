#include "base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>

namespace td {
namespace {

// The first draws, from a separate Python implementation of splitmix64 seeding and xoshiro256** (Blackman and Vigna).
// A change here changes every drill that was ever shared.
TEST(RandomStream, FirstDrawsAreGolden) {
  RandomStream jitter(1, "jitter");
  EXPECT_EQ(jitter.next_u64(), 0xaae570541c64f595ULL);
  EXPECT_EQ(jitter.next_u64(), 0x3efba37cac94dabfULL);
  EXPECT_EQ(jitter.next_u64(), 0xf72f8a83c5c9762dULL);
  EXPECT_EQ(jitter.next_u64(), 0x34f25304d613038fULL);
}

TEST(RandomStream, SeedPurposeAndRankEachGiveAStreamOfTheirOwn) {
  EXPECT_EQ(RandomStream(1, "jitter", 1).next_u64(), 0x30e8f23d664a19d2ULL);
  EXPECT_EQ(RandomStream(1, "loader", 0).next_u64(), 0xb7000be8346b40f2ULL);
  EXPECT_EQ(RandomStream(48213, "jitter", 0).next_u64(), 0x3eaa3def2068b756ULL);
}

TEST(RandomStream, UniformIntIsGolden) {
  RandomStream die(7, "die");
  constexpr std::array kThrows = {2, 6, 4, 5, 6, 3, 1, 4, 1, 3, 3, 5};
  for (int expected : kThrows) EXPECT_EQ(die.uniform_int(1, 6), expected);
}

TEST(RandomStream, UniformIntReachesBothEnds) {
  RandomStream stream(3, "ends");
  std::array<int, 4> seen{};
  for (int i = 0; i < 400; ++i) {
    const int64_t draw = stream.uniform_int(-1, 2);
    ASSERT_GE(draw, -1);
    ASSERT_LE(draw, 2);
    ++seen[static_cast<size_t>(draw + 1)];
  }
  for (int count : seen) EXPECT_GT(count, 60);  // expected 100 each, standard deviation 8.7
}

TEST(RandomStream, UniformIntTakesRangesOfAnySize) {
  RandomStream stream(3, "sizes");
  EXPECT_EQ(stream.uniform_int(5, 5), 5);
  constexpr int64_t kLow = std::numeric_limits<int64_t>::min();
  constexpr int64_t kHigh = std::numeric_limits<int64_t>::max();
  bool negative = false;
  bool positive = false;
  for (int i = 0; i < 64; ++i) {
    const int64_t draw = stream.uniform_int(kLow, kHigh);
    negative = negative || draw < 0;
    positive = positive || draw > 0;
  }
  EXPECT_TRUE(negative && positive);
}

TEST(RandomStream, UniformIsAMultipleOfTwoToTheMinus53) {
  RandomStream stream(7, "u");
  EXPECT_EQ(stream.uniform() * 0x1p53, 6507595586884166.0);
  EXPECT_EQ(stream.uniform() * 0x1p53, 6334510103800636.0);
  for (int i = 0; i < 1000; ++i) {
    const double u = stream.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
  }
}

TEST(RandomStream, ChanceTakesItsShare) {
  RandomStream stream(11, "chance");
  int hits = 0;
  for (int i = 0; i < 10'000; ++i) hits += stream.chance_permille(250) ? 1 : 0;
  EXPECT_NEAR(hits, 2500, 175);  // four standard deviations of 43
  EXPECT_FALSE(stream.chance_permille(0));
  EXPECT_TRUE(stream.chance_permille(1000));
}

TEST(RandomStream, NormalHasMeanZeroAndVarianceOne) {
  RandomStream stream(13, "normal");
  constexpr int kDraws = 20'000;
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = stream.normal();
    ASSERT_LE(x, 6.0);
    ASSERT_GE(x, -6.0);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0.0, 0.03);
  EXPECT_NEAR(squares / kDraws, 1.0, 0.04);
}

TEST(RandomStream, LognormalHasMedianOne) {
  RandomStream stream(17, "lognormal");
  int below = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double x = stream.lognormal(0.4);
    ASSERT_GT(x, 0.0);
    below += x < 1.0 ? 1 : 0;
  }
  EXPECT_NEAR(below, 5000, 200);
  EXPECT_EQ(RandomStream(17, "lognormal").lognormal(0.0), 1.0);
}

}  // namespace
}  // namespace td
