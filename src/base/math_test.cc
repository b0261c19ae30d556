#include "base/math.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/random.h"

namespace td {
namespace {

TEST(LogExact, AgreesWithTheLibrary) {
  RandomStream stream(1, "log");
  for (int i = 0; i < 20'000; ++i) {
    const double x = std::ldexp(1.0 + stream.uniform(), static_cast<int>(stream.uniform_int(-300, 300)));
    const double expected = std::log(x);
    ASSERT_NEAR(log_exact(x), expected, 1e-14 * std::fabs(expected) + 1e-16) << "x = " << x;
  }
}

TEST(LogExact, IsExactAtOneAndNearIt) {
  EXPECT_EQ(log_exact(1.0), 0.0);
  for (double d : {1e-3, 1e-6, 1e-9, 1e-12}) {
    EXPECT_NEAR(log_exact(1.0 + d) / std::log(1.0 + d), 1.0, 1e-13) << d;
    EXPECT_NEAR(log_exact(1.0 - d) / std::log(1.0 - d), 1.0, 1e-13) << d;
  }
}

TEST(ExpExact, AgreesWithTheLibrary) {
  RandomStream stream(2, "exp");
  for (int i = 0; i < 20'000; ++i) {
    const double x = (stream.uniform() - 0.5) * 1400.0;
    ASSERT_NEAR(exp_exact(x) / std::exp(x), 1.0, 1e-13) << "x = " << x;
  }
  EXPECT_EQ(exp_exact(0.0), 1.0);
}

TEST(ExpExact, ClampsInsteadOfOverflowing) {
  EXPECT_EQ(exp_exact(5000.0), exp_exact(700.0));
  EXPECT_EQ(exp_exact(-5000.0), exp_exact(-700.0));
  EXPECT_TRUE(std::isfinite(exp_exact(5000.0)));
  EXPECT_GT(exp_exact(-5000.0), 0.0);
}

TEST(ExpExact, UndoesLog) {
  for (double x : {0.001, 0.71, 1.0, 2.5, 1e6, 1e12}) EXPECT_NEAR(exp_exact(log_exact(x)) / x, 1.0, 1e-12) << x;
}

// The bits themselves, which every compiler must give: the determinism of every simulated trace rests on them. exp(1)
// is one unit in the last place above the correctly rounded value.
TEST(ExactMath, BitsAreGolden) {
  EXPECT_EQ(std::bit_cast<uint64_t>(exp_exact(1.0)), 0x4005bf0a8b14576aULL);
  EXPECT_EQ(std::bit_cast<uint64_t>(log_exact(2.0)), 0x3fe62e42fefa39efULL);
}

TEST(RoundToInt, HalvesGoAwayFromZero) {
  EXPECT_EQ(round_to_int(0.5), 1);
  EXPECT_EQ(round_to_int(-0.5), -1);
  EXPECT_EQ(round_to_int(2.4999), 2);
  EXPECT_EQ(round_to_int(-2.5), -3);
  EXPECT_EQ(round_to_int(0.0), 0);
  EXPECT_EQ(round_to_int(1e15), 1'000'000'000'000'000);
}

}  // namespace
}  // namespace td
