#include "analysis/syncs.h"

#include <gtest/gtest.h>

#include "analysis/read.h"
#include "analysis/testing/tiny_trace.h"

namespace td::analysis {
namespace {

using testing::TinyRank;
using testing::us;

// Three steps of two kernels. In each the host waits 100 us for the first kernel, with the second already queued; at
// the end of each it waits 20 us for the second, with nothing queued.
trace::RankTrace rank_with_syncs() {
  TinyRank rank;
  for (int64_t i = 0; i < 3; ++i) {
    const int64_t at = i * 400;
    rank.step(i, at, at + 400);
    rank.kernel("a", at, at + 10, at + 150).kernel("b", at + 5, at + 150, at + 300);
    rank.host(trace::SliceKind::runtime, "cudaStreamSynchronize", at + 50, at + 150);
    rank.host(trace::SliceKind::runtime, "cudaDeviceSynchronize", at + 280, at + 300);
  }
  return rank.build();
}

TEST(HarmlessSyncs, ASyncUnderQueuedWorkCostsNothing) {
  const Reading reading = read(testing::job(rank_with_syncs()));
  const HarmlessSyncs& syncs = reading.ledgers[0].harmless_syncs;
  // Steps 1 and 2 are complete; the last end-of-step sync opens no gap in the trace.
  EXPECT_EQ(reading.ledgers[0].steps, 2);
  EXPECT_EQ(syncs.count, 3);
  EXPECT_EQ(syncs.blocked_ns, us(100 + 100 + 20) / 2);
  ASSERT_TRUE(syncs.longest);
  EXPECT_EQ(syncs.longest->name, "cudaStreamSynchronize");
}

}  // namespace
}  // namespace td::analysis
