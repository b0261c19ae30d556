#include "analysis/collectives.h"

#include <gtest/gtest.h>

#include "analysis/read.h"
#include "analysis/testing/tiny_trace.h"

namespace td::analysis {
namespace {

using testing::job;
using testing::TinyRank;
using testing::us;

// Three steps of 1000 us on each of `late_us.size()` ranks: compute from 0 to 600 + lateness, then one all-reduce until
// 100 us after the last rank has arrived, then an optimizer kernel of 50 us.
std::vector<trace::RankTrace> all_reduce_job(const std::vector<std::vector<int64_t>>& late_us,
                                             TimeNs clock_ahead_ns = 0) {
  std::vector<trace::RankTrace> ranks;
  const auto world_size = static_cast<int32_t>(late_us.size());
  for (int32_t r = 0; r < world_size; ++r) {
    TinyRank rank(r, world_size);
    int64_t begin_us = 0;
    rank.kernel("warm", 0, 5, 10);
    rank.step(0, 0, 10);
    begin_us = 10;
    for (size_t s = 0; s < late_us[0].size(); ++s) {
      int64_t last_us = 0;
      for (const std::vector<int64_t>& each : late_us) last_us = std::max(last_us, each[s]);
      const int64_t ready_us = begin_us + 600 + late_us[static_cast<size_t>(r)][s];
      const int64_t end_us = begin_us + 600 + last_us + 100;
      rank.step(static_cast<int64_t>(s) + 1, begin_us, end_us + 50);
      rank.kernel("forward_backward", begin_us + 1, begin_us + 8, ready_us);
      rank.all_reduce(begin_us + 4, ready_us, end_us, 1'000'000);
      rank.kernel("optimizer", begin_us + 20, end_us, end_us + 50);
      begin_us = end_us + 50;
    }
    if (r == 1) rank.header().base_time_ns = clock_ahead_ns;
    ranks.push_back(rank.build());
  }
  return ranks;
}

TEST(Collectives, WaitEndsWithTheLastArrival) {
  const Reading reading = read(job(all_reduce_job({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {200, 200, 200}})));
  EXPECT_TRUE(reading.collectives.groups_complete);
  // A step is 8 us of launch, 592 + lateness of compute, the all-reduce, 50 of optimizer: 950 us everywhere.
  for (const Ledger& ledger : reading.ledgers) {
    EXPECT_EQ(ledger.step_ns, us(600 + 200 + 100 + 50));
    const bool late = ledger.rank == 3;
    EXPECT_EQ(ledger.comm_wait_ns, us(late ? 0 : 200));
    EXPECT_EQ(ledger.comm_transfer_ns, us(100));
    EXPECT_EQ(ledger.exposed_comm_ns, us(late ? 100 : 300));
  }
  EXPECT_EQ(reading.collectives.wait_ns, us(3 * 200) / 4);
  EXPECT_EQ(reading.collectives.transfer_ns, us(100));
  // All-reduce over four ranks: 4 MB x 2 x 3 / 4 in 100 us.
  EXPECT_DOUBLE_EQ(*reading.overlap.by_kind[0].busbw_bytes_per_s, 4e6 * 1.5 / 100e-6);
}

TEST(Collectives, SameRankLastInEachStepIsAlwaysThatRank) {
  const LastArrival last =
      read(job(all_reduce_job({{0, 0, 0}, {0, 0, 0}, {200, 200, 200}, {0, 0, 0}}))).collectives.last_arrival;
  EXPECT_EQ(last.kind, LastArrivalKind::always_rank);
  EXPECT_EQ(last.rank, 2);
  EXPECT_DOUBLE_EQ(*last.share_frac, 1.0);
  // At the others' pace (600 of 800 us to the first all-reduce) it would be ready 200 us earlier.
  EXPECT_EQ(last.lateness_ns, us(200));
}

TEST(Collectives, ADifferentRankEachStepIsRotating) {
  const LastArrival last = read(job(all_reduce_job({{0, 0, 200}, {200, 0, 0}, {0, 200, 0}}))).collectives.last_arrival;
  EXPECT_EQ(last.kind, LastArrivalKind::rotating);
  EXPECT_EQ(last.rank, std::nullopt);
}

TEST(Collectives, ALittleLatenessIsNobody) {
  // 3 % of a 770 us step is 23 us.
  EXPECT_EQ(read(job(all_reduce_job({{0, 0, 0}, {20, 20, 20}}))).collectives.last_arrival.kind, LastArrivalKind::none);
}

TEST(Collectives, OneRankAloneTellsNothing) {
  std::vector<trace::RankTrace> ranks = all_reduce_job({{0, 0, 0}, {200, 200, 200}});
  ranks.pop_back();
  const Reading reading = read(job(std::move(ranks)));
  EXPECT_FALSE(reading.collectives.groups_complete);
  EXPECT_EQ(reading.collectives.wait_ns, std::nullopt);
  EXPECT_EQ(reading.collectives.last_arrival.kind, LastArrivalKind::unknown);
  EXPECT_EQ(reading.ledgers[0].comm_wait_ns, std::nullopt);
}

TEST(Collectives, ClocksAreAlignedOnTheEnds) {
  // Rank 1's clock is 7 ms ahead: unaligned, it would be the last to arrive everywhere.
  const Reading reading = read(job(all_reduce_job({{200, 200, 200}, {0, 0, 0}, {0, 0, 0}}, us(7000))));
  EXPECT_EQ(reading.ranks[1].clock_offset_ns, 0) << "7 ms by the file's clock, less 7 ms of correction";
  EXPECT_EQ(reading.collectives.last_arrival.rank, 0);
  ASSERT_FALSE(reading.trust.problems.empty());
  EXPECT_EQ(reading.trust.problems[0].id, "clocks_skewed");
}

TEST(Collectives, AMissingKernelIsNotMatchedToItsNeighbour) {
  std::vector<trace::RankTrace> ranks = all_reduce_job({{0, 0, 0}, {0, 0, 0}});
  TinyRank more(2, 3);  // a third rank with one all-reduce of its own in step 1
  more.step(1, 10, 760).kernel("forward_backward", 11, 18, 610).all_reduce(14, 610, 650).all_reduce(15, 650, 710);
  ranks.push_back(more.build());
  const trace::Trace trace = job(std::move(ranks));
  const Reading reading = read(trace);
  EXPECT_FALSE(reading.collectives.groups_complete);
  EXPECT_EQ(reading.collectives.wait_ns, std::nullopt);
}

}  // namespace
}  // namespace td::analysis
