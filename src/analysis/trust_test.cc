#include "analysis/trust.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/read.h"
#include "analysis/testing/tiny_trace.h"

namespace td::analysis {
namespace {

using testing::job;
using testing::TinyRank;

const Problem* problem_of(const Trust& trust, std::string_view id) {
  const auto it = std::ranges::find(trust.problems, id, &Problem::id);
  return it != trust.problems.end() ? &*it : nullptr;
}

TinyRank three_steps() {
  TinyRank rank;
  for (int64_t k = 0; k < 3; ++k)
    rank.step(k, 100 * k, 100 * k + 100).kernel("a", 100 * k + 1, 100 * k + 8, 100 * k + 100);
  return rank;
}

TEST(Trust, SoundTraceHasNoProblem) {
  const Trust trust = read(job(three_steps().build())).trust;
  EXPECT_EQ(trust.verdict, Verdict::ok);
  EXPECT_TRUE(trust.problems.empty());
}

TEST(Trust, LoadProblemsAreShownWithTheirCounts) {
  TinyRank rank = three_steps();
  rank.header().problems.push_back({"truncated", "the file ends inside an event (byte 812)", 1});
  const Trust trust = read(job(rank.build())).trust;
  EXPECT_EQ(trust.verdict, Verdict::limited);
  ASSERT_TRUE(problem_of(trust, "truncated"));
  EXPECT_NE(problem_of(trust, "truncated")->text.find("byte 812"), std::string::npos);
}

TEST(Trust, AFewLostKernelsLimitWhatCanBeSaid) {
  TinyRank rank = three_steps();
  rank.lost_launch(120);
  const Trust trust = read(job(rank.build())).trust;
  EXPECT_EQ(trust.verdict, Verdict::limited);
  EXPECT_EQ(problem_of(trust, "missing_gpu_events")->count, 1);
}

TEST(Trust, SumsOfOverlappingWorkStayNumbers) {
  // 400 kernels of a year each on one stream: 1.3e19 ns together, more than int64_t holds.
  constexpr int64_t kYearUs = int64_t{365} * 24 * 3600 * 1'000'000;
  TinyRank rank;
  for (int i = 0; i < 400; ++i) rank.orphan("a", 0, kYearUs);
  const Reading reading = read(job(rank.build()));
  ASSERT_EQ(reading.kernels.size(), 1u);
  EXPECT_EQ(reading.kernels[0].total_ns, INT64_MAX);
  EXPECT_GT(reading.kernels[0].mean_ns, 0);
  EXPECT_EQ(reading.kernels[0].share_of_compute_frac, 1.0);
  EXPECT_EQ(reading.trust.verdict, Verdict::limited);
  ASSERT_TRUE(problem_of(reading.trust, "overrunning_events"));
  EXPECT_EQ(problem_of(reading.trust, "overrunning_events")->count, 399);
}

TEST(Trust, WithoutLaunchesGapsHaveNoOwner) {
  TinyRank rank;
  rank.orphan("a", 0, 10).orphan("a", 50, 60);
  const Reading reading = read(job(rank.build()));
  EXPECT_EQ(reading.trust.verdict, Verdict::limited);
  EXPECT_TRUE(problem_of(reading.trust, "no_launches"));
  ASSERT_EQ(reading.ledgers[0].gaps.size(), 1u);
  EXPECT_EQ(reading.ledgers[0].gaps[0].owner, GapOwner::host_other);
}

TEST(Trust, OverlapOnOneStreamIsSuspect) {
  TinyRank rank = three_steps();
  rank.kernel("runaway", 101, 110, 290);
  const Trust trust = read(job(rank.build())).trust;
  EXPECT_EQ(trust.verdict, Verdict::limited);
  EXPECT_TRUE(problem_of(trust, "overrunning_events"));
}

TEST(Trust, DependentLaunchOverlapIsNot) {
  TinyRank rank = three_steps();
  rank.kernel("dependent", 101, 196, 200);  // its predecessor ends at 200
  EXPECT_FALSE(problem_of(read(job(rank.build())).trust, "overrunning_events"));
}

TEST(Trust, MissingRanksMatterOnlyWhereThereIsCommunication) {
  TinyRank alone(0, 8);
  alone.kernel("a", 0, 10, 20);
  EXPECT_FALSE(problem_of(read(job(alone.build())).trust, "ranks_missing"));
  TinyRank together(0, 8);
  together.kernel("a", 0, 10, 20).all_reduce(1, 20, 30);
  const Trust trust = read(job(together.build())).trust;
  ASSERT_TRUE(problem_of(trust, "ranks_missing"));
  EXPECT_EQ(problem_of(trust, "ranks_missing")->count, 7);
}

TEST(Trust, WhatRanksHaveInCommonIsSaidOnce) {
  std::vector<trace::RankTrace> ranks;
  for (int32_t r = 0; r < 3; ++r) {
    TinyRank rank(r, 3);
    ranks.push_back(rank.orphan("a", 0, 10).build());
  }
  const Trust trust = read(job(std::move(ranks))).trust;
  ASSERT_EQ(trust.problems.size(), 1u);
  EXPECT_EQ(trust.problems[0].count, 3);
  EXPECT_NE(trust.problems[0].text.find("2 more ranks"), std::string::npos);
}

}  // namespace
}  // namespace td::analysis
