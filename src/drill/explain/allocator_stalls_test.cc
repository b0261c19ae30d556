#include <gtest/gtest.h>

#include <algorithm>

#include "drill/allocator_gaps.h"
#include "drill/explain/explain_fixture.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 10;

// Some steps stall, not all, on the ranks that were meant; the sums come to the simulated win.
TEST(AllocatorStalls, AreIrregularAndOnTheRanksThatWereMeant) {
  int64_t on_one_rank = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const SimulatedInstance instance = drawn("fragmented_pool", seed);
    const int64_t only = instance.instance.faults.front().number("rank", -1);
    on_one_rank += only >= 0 ? 1 : 0;
    for (size_t rank = 0; rank < instance.traced_measure.ranks(); ++rank) {
      size_t hit = 0;
      for (const Interval& step : instance.traced_measure.steps) {
        TimeNs dry_ns = 0;
        for (const AllocatorGap& gap : allocator_gaps(instance.run.trace.ranks[rank], step)) dry_ns += gap.dry_ns;
        hit += dry_ns * 100 > step.length_ns() ? 1 : 0;
      }
      const bool meant = only < 0 || static_cast<int64_t>(rank) == only;
      EXPECT_EQ(hit > 0, meant) << rank;
      EXPECT_LT(hit, instance.traced_measure.steps.size());
    }
    expect_sums_agree(make_truth(instance));
  }
  EXPECT_GE(on_one_rank, 1);
}

// What the explanation says, answered back, is graded right in every part.
TEST(AllocatorStalls, ItsOwnAnswerIsGradedRight) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    expect_own_answer_right(make_truth(drawn("fragmented_pool", seed)), "sync_stalls");
  }
}

}  // namespace
}  // namespace td::drill
