#include "analysis/text.h"

#include <gtest/gtest.h>

namespace td::analysis {
namespace {

TEST(Text, Durations) {
  EXPECT_EQ(duration_text(0), "0 ns");
  EXPECT_EQ(duration_text(999), "999 ns");
  EXPECT_EQ(duration_text(1'000), "1.00 us");
  EXPECT_EQ(duration_text(12'345), "12.3 us");
  EXPECT_EQ(duration_text(3'405'000), "3.41 ms");
  EXPECT_EQ(duration_text(101'460'000), "101.5 ms");
  EXPECT_EQ(duration_text(2'310'000'000), "2.31 s");
  EXPECT_EQ(duration_text(-12'345), "-12.3 us");
  EXPECT_EQ(duration_text(INT64_MAX), "9223372036.9 s");
}

TEST(Text, SharesAndRates) {
  EXPECT_EQ(percent_text(1, 3), "33.3 %");
  EXPECT_EQ(percent_text(1, 0), "-");
  EXPECT_EQ(percent_text(0.9996), "100.0 %");
  EXPECT_EQ(bytes_text(512), "512 B");
  EXPECT_EQ(bytes_text(25 * kMiB), "25.0 MiB");
  EXPECT_EQ(rate_text(12.1e9), "12.1 GB/s");
  EXPECT_EQ(rate_text(9.75e9), "9.75 GB/s");
  EXPECT_EQ(count_text(1, "step"), "1 step");
  EXPECT_EQ(count_text(3, "step"), "3 steps");
}

TEST(Text, KernelNamesLoseTheirBracketsFirst) {
  EXPECT_EQ(short_name("void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float> >(int)", 60),
            "at::native::vectorized_elementwise_kernel");
  EXPECT_EQ(short_name("void at::native::vectorized_elementwise_kernel<4>(int)", 34), "vectorized_elementwise_kernel");
  EXPECT_EQ(short_name("void (anonymous namespace)::f<int>()", 20), "f");
  EXPECT_EQ(short_name("Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV", 12), "Cijk_Alik...");
  EXPECT_EQ(short_name("", 12), "");
  EXPECT_EQ(short_name("a\nb", 12), "a b");
}

}  // namespace
}  // namespace td::analysis
