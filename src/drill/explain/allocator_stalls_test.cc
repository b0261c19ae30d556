#include <gtest/gtest.h>

#include <algorithm>

#include "drill/allocator_gaps.h"
#include "drill/draw.h"
#include "drill/grade.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 10;

SimulatedInstance simulated(uint64_t seed) {
  auto instance = simulate_instance(*find_scenario("fragmented_pool"), seed);
  if (!instance) ADD_FAILURE() << seed << ": " << instance.error().text();
  return instance ? *std::move(instance) : SimulatedInstance{};
}

// Some steps stall, not all, on the ranks that were meant; the sums come to the simulated win.
TEST(AllocatorStalls, AreIrregularAndOnTheRanksThatWereMeant) {
  int64_t on_one_rank = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const SimulatedInstance instance = simulated(seed);
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
    const Truth truth = make_truth(instance);
    const TimeNs win_ns = instance.traced_measure.mean_step_ns - instance.fixed_measure.mean_step_ns;
    EXPECT_NEAR(static_cast<double>(truth.win.reckoned_ns), static_cast<double>(win_ns),
                static_cast<double>(instance.traced_measure.mean_step_ns) * 0.02);
  }
  EXPECT_GE(on_one_rank, 1);
}

// What the explanation says, answered back, is graded right in every part.
TEST(AllocatorStalls, ItsOwnAnswerIsGradedRight) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const Truth truth = make_truth(simulated(seed));
    Answer answer;
    answer.diagnosis = "allocator_stalls";
    answer.place = AnswerPlace{truth.places.front().rank, {}, truth.places.front().at};
    answer.number_millionths = truth.number.value_or(DecidingNumber{}).value_millionths;
    answer.measurement = "allocator_stats";
    answer.fix = "stable_shapes";
    answer.win = AnswerWin{truth.win.reckoned_ns, true};
    answer.confidence_percent = 90;
    answer.elapsed_ms = 60000;
    const Verdict verdict = grade(truth, answer);
    EXPECT_EQ(verdict.right, verdict.of);
    answer.diagnosis = "sync_stalls";
    EXPECT_LT(grade(truth, answer).right, verdict.right);
  }
}

}  // namespace
}  // namespace td::drill
