// The truth of launch-bound drills against the simulation.
#include <gtest/gtest.h>

#include <algorithm>

#include "drill/explain/explain_fixture.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 12;

// T' = T - gaps + k x 1 us, within 2 % of the step.
TEST(LaunchBound, TheFormulaAgreesWithTheSimulation) {
  for (uint64_t seed = 100; seed < 100 + kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    expect_sums_agree(make_truth(drawn("slow_hosts", seed)));
  }
}

// Nothing is queued with the fault on any rank; with the fix the host is far ahead.
TEST(LaunchBound, TheHostIsNeverAhead) {
  for (uint64_t seed = 100; seed < 100 + kSeeds; ++seed) {
    const SimulatedInstance instance = drawn("slow_hosts", seed);
    const Measured& traced = instance.traced_measure;
    EXPECT_LT(traced.median_run_ahead_ns, 30 * kNsPerUs) << seed;
    EXPECT_GT(instance.fixed_measure.median_run_ahead_ns, kNsPerMs) << seed;
    for (const auto& steps : traced.launches) {
      for (const LaunchGaps& step : steps) {
        EXPECT_GT(std::ssize(step.gaps) * 5, step.kernels) << seed;
        // Small ones; a pause of the collector may stand among them (docs/models/background.md).
        const auto is_long = [&](const Interval& gap) { return gap.length_ns() * 12 >= traced.mean_step_ns; };
        EXPECT_LE(std::ranges::count_if(step.gaps, is_long), 1) << seed;
      }
    }
  }
}

TEST(LaunchBound, TheRightAnswerIsGradedRight) {
  const SimulatedInstance instance = drawn("slow_hosts", 101);
  const Truth truth = make_truth(instance);
  for (const std::string_view fix : {"faster_host", "cuda_graphs"}) {
    Answer answer = answer_of(truth);
    answer.place = AnswerPlace{.rank = 2, .track = {}, .at = truth.evidence[0].at};
    answer.fix = fix;
    answer.win = AnswerWin{.value_millionths = truth.win.win_millionths * 100, .in_ms = false};
    expect_all_right(truth, answer);
  }
}

}  // namespace
}  // namespace td::drill
