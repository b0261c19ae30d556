#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/read.h"
#include "analysis/testing/tiny_trace.h"

namespace td::analysis {
namespace {

using testing::TinyRank;

// Four steps of 1000 us of compute and four all-reduces of 50 us with nothing beside them: behind all of the compute,
// or each behind a quarter of it, as tensor parallelism has them.
trace::RankTrace rank_of(int32_t number, bool at_the_end) {
  TinyRank rank(number, 2);
  for (int64_t i = 0; i < 4; ++i) {
    int64_t at = 100 + i * 1300;
    rank.step(i, at - 50, at + 1240);
    const auto compute = [&] {
      rank.kernel("gemm", at - 20, at, at + 250);
      at += 250;
    };
    const auto reduce = [&] {
      rank.all_reduce(at - 10, at, at + 50);
      at += 50;
    };
    for (int part = 0; part < 4; ++part) {
      compute();
      if (!at_the_end) reduce();
    }
    for (int part = 0; part < 4 && at_the_end; ++part) reduce();
    rank.kernel("optimizer", at - 20, at, at + 50);
  }
  return rank.build();
}

bool is_found(bool at_the_end) {
  std::vector<trace::RankTrace> ranks;
  ranks.push_back(rank_of(0, at_the_end));
  ranks.push_back(rank_of(1, at_the_end));
  const Reading reading = read(testing::job(std::move(ranks)), {});
  return std::ranges::any_of(reading.findings,
                             [](const Finding& finding) { return finding.cause == "unoverlapped_allreduce"; });
}

TEST(DetectUnoverlapped, BehindAllOfTheCompute) { EXPECT_TRUE(is_found(true)); }
TEST(DetectUnoverlapped, NotAllOverTheStep) { EXPECT_FALSE(is_found(false)); }

}  // namespace
}  // namespace td::analysis
