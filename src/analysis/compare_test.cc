#include "analysis/compare.h"

#include <gtest/gtest.h>

#include "analysis/read.h"
#include "analysis/testing/tiny_trace.h"

namespace td::analysis {
namespace {

using testing::TinyRank;
using testing::us;

// Steps of one kernel and a sync before the next launch: `gap_us` apart, jittered by the step's number.
Reading run(int64_t kernel_us, int64_t gap_us, const char* name = "gemm") {
  TinyRank rank;
  int64_t at = 0;
  for (int64_t i = 0; i < 8; ++i) {
    const int64_t length = kernel_us + i % 3;
    rank.step(i, at, at + length + gap_us);
    rank.kernel(name, at, at + 6, at + 6 + length);
    rank.host(trace::SliceKind::runtime, "cudaStreamSynchronize", at + 2, at + 6 + length);
    at += length + gap_us;
  }
  return read(testing::job(rank.build()));
}

TEST(Compare, AShorterGapIsBetterAndSaysWhere) {
  const Comparison out = compare(run(400, 200), run(400, 100));
  EXPECT_EQ(out.change, Change::better);
  ASSERT_TRUE(out.before_ns && out.after_ns);
  EXPECT_NEAR(static_cast<double>(*out.before_ns - *out.after_ns), static_cast<double>(us(100)), 1e3);
  EXPECT_EQ(out.parts.front().name, "idle:sync");
}

TEST(Compare, WithinTheSpreadOfTheStepsItIsTheSame) {
  EXPECT_EQ(compare(run(400, 200), run(401, 200)).change, Change::same);
}

TEST(Compare, PartsAddUpToTheStep) {
  const Comparison out = compare(run(400, 200), run(500, 100));
  TimeNs before_ns = 0;
  for (const ComparedPart& part : out.parts) before_ns += part.before_ns;
  EXPECT_NEAR(static_cast<double>(before_ns), static_cast<double>(*out.before_ns), 10);
}

TEST(Compare, WithoutStepsNothingIsSaid) {
  TinyRank rank;
  rank.kernel("a", 0, 6, 20).kernel("b", 30, 40, 50);
  const Comparison out = compare(run(400, 200), read(testing::job(rank.build())));
  EXPECT_EQ(out.change, Change::not_comparable);
  EXPECT_FALSE(out.reasons.empty());
  EXPECT_FALSE(out.before_ns);
}

TEST(Compare, ATraceWithItselfIsTheSame) {
  const Reading reading = run(400, 200);
  const Comparison out = compare(reading, reading);
  EXPECT_EQ(out.change, Change::same);
  EXPECT_TRUE(out.gone.empty() && out.come.empty());
}

}  // namespace
}  // namespace td::analysis
