// The truth of launch-bound drills against the simulation.
#include <gtest/gtest.h>

#include "drill/draw.h"
#include "drill/grade.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 12;

SimulatedInstance simulated(uint64_t seed) {
  auto instance = simulate_instance(*find_scenario("slow_hosts"), seed);
  if (!instance) ADD_FAILURE() << seed << ": " << instance.error().text();
  return instance ? *std::move(instance) : SimulatedInstance{};
}

// T' = T - gaps + k x 1 us, within 2 % of the step.
TEST(LaunchBound, TheFormulaAgreesWithTheSimulation) {
  for (uint64_t seed = 100; seed < 100 + kSeeds; ++seed) {
    const SimulatedInstance instance = simulated(seed);
    const Win win = make_truth(instance).win;
    const TimeNs apart_ns = win.reckoned_ns > win.win_ns ? win.reckoned_ns - win.win_ns : win.win_ns - win.reckoned_ns;
    EXPECT_LE(apart_ns * 50, win.step_ns) << seed << ": " << win.reckoned_ns << " against " << win.win_ns;
  }
}

// Nothing is queued with the fault on any rank; with the fix the host is far ahead.
TEST(LaunchBound, TheHostIsNeverAhead) {
  for (uint64_t seed = 100; seed < 100 + kSeeds; ++seed) {
    const SimulatedInstance instance = simulated(seed);
    const Measured& traced = instance.traced_measure;
    EXPECT_LT(traced.median_run_ahead_ns, 30 * kNsPerUs) << seed;
    EXPECT_GT(instance.fixed_measure.median_run_ahead_ns, kNsPerMs) << seed;
    for (const auto& steps : traced.launches) {
      for (const LaunchGaps& step : steps) {
        EXPECT_GT(std::ssize(step.gaps) * 3, step.kernels) << seed;
        for (const Interval& gap : step.gaps) EXPECT_LT(gap.length_ns() * 12, traced.mean_step_ns) << seed;
      }
    }
  }
}

TEST(LaunchBound, TheRightAnswerIsGradedRight) {
  const SimulatedInstance instance = simulated(101);
  const Truth truth = make_truth(instance);
  for (const std::string_view fix : {"faster_host", "cuda_graphs"}) {
    Answer answer;
    answer.diagnosis = "launch_bound";
    answer.place = AnswerPlace{.rank = 2, .track = {}, .at = truth.evidence[0].at};
    answer.number_millionths = truth.number->value_millionths;
    answer.measurement = "launch_queue";
    answer.fix = fix;
    answer.win = AnswerWin{.value_millionths = truth.win.win_millionths * 100, .in_ms = false};
    answer.confidence_percent = 90;
    for (const Part& part : grade(truth, answer).parts) {
      EXPECT_TRUE(part.grade == Grade::right || part.grade == Grade::not_needed) << part.id << ": " << part.why;
    }
  }
}

}  // namespace
}  // namespace td::drill
