#include "analysis/ledger.h"

#include <gtest/gtest.h>

#include <numeric>

#include "analysis/read.h"
#include "analysis/testing/tiny_trace.h"

namespace td::analysis {
namespace {

using testing::job;
using testing::TinyRank;
using testing::us;

TEST(AdditiveMeans, AddUpWhereRoundedMeansWouldNot) {
  // 1/3 + 1/3 + 1/3: each would round to 0, their sum is 1.
  const std::vector<TimeNs> means = additive_means(std::vector<TimeNs>{1, 1, 1}, 3);
  EXPECT_EQ(std::accumulate(means.begin(), means.end(), TimeNs{0}), 1);
  EXPECT_EQ(additive_means(std::vector<TimeNs>{30, 60, 90}, 3), (std::vector<TimeNs>{10, 20, 30}));
}

//   compute  100-160, 200-220              60 + 20
//   comm     140-190                       30 exposed (160-190)
//   copy     150-195 on another row        5 exposed (190-195)
//   idle     195-200, and 90-100           5 + 10
TEST(Ledger, ComputeBeforeCommunicationBeforeCopiesBeforeIdle) {
  TinyRank rank(0, 2);
  rank.step(1, 0, 50).kernel("a", 10, 40, 90);
  rank.step(2, 50, 150).kernel("a", 60, 100, 160).all_reduce(62, 140, 190).copy("Memcpy DtoH", 64, 2, 150, 195);
  rank.kernel("b", 140, 200, 220);
  const Reading reading = read(job(rank.build()));
  ASSERT_EQ(reading.ledgers.size(), 1u);
  const Ledger& ledger = reading.ledgers[0];
  EXPECT_EQ(ledger.steps, 1);
  EXPECT_EQ(ledger.step_ns, us(220 - 90));
  EXPECT_EQ(ledger.compute_ns, us(60 + 20));
  EXPECT_EQ(ledger.exposed_comm_ns, us(30));
  EXPECT_EQ(ledger.exposed_copy_ns, us(5));
  EXPECT_EQ(ledger.idle_ns, us(10 + 5));
  EXPECT_EQ(ledger.comm_wait_ns, std::nullopt) << "one rank cannot tell";
  EXPECT_EQ(reading.overlap.comm_ns, us(50));
  EXPECT_EQ(reading.overlap.hidden_ns, us(20));
  EXPECT_DOUBLE_EQ(*reading.overlap.overlap_frac, 0.4);
  ASSERT_EQ(reading.overlap.by_kind.size(), 1u);
  EXPECT_EQ(reading.overlap.by_kind[0].bytes_per_call, 4000);
  EXPECT_EQ(reading.overlap.by_kind[0].busbw_bytes_per_s, std::nullopt);
}

TEST(Ledger, WholeCoversFirstToLastGpuEvent) {
  TinyRank rank(0, 2);
  rank.kernel("a", 0, 10, 30).all_reduce(2, 20, 50).copy("Memcpy HtoD", 40, 2, 60, 70).kernel("a", 80, 90, 100);
  const Whole whole = read(job(rank.build())).whole;
  EXPECT_EQ(whole.span_ns, us(90));
  EXPECT_EQ(whole.compute_ns, us(30));
  EXPECT_EQ(whole.comm_ns, us(30));
  EXPECT_EQ(whole.comm_hidden_ns, us(10));
  EXPECT_EQ(whole.copy_ns, us(10));
  EXPECT_EQ(whole.busy_ns, us(40 + 10 + 10));
  EXPECT_EQ(whole.idle_ns, us(30));
}

TEST(Ledger, MeanOverStepsKeepsEachStepApart) {
  TinyRank rank;
  rank.step(0, 0, 100).kernel("a", 10, 20, 100);
  rank.step(1, 100, 200).kernel("a", 110, 120, 200);  // 20 idle
  rank.step(2, 200, 340).kernel("a", 250, 260, 341);  // 60 idle, 81 compute
  const Ledger ledger = read(job(rank.build())).ledgers[0];
  ASSERT_EQ(ledger.per_step.size(), 2u);
  EXPECT_EQ(ledger.per_step[0].idle_ns, us(20));
  EXPECT_EQ(ledger.per_step[1].idle_ns, us(60));
  EXPECT_EQ(ledger.per_step[1].step, 2);
  EXPECT_EQ(ledger.idle_ns, us(40));
  EXPECT_EQ(ledger.compute_ns, us(161) / 2);
}

}  // namespace
}  // namespace td::analysis
