#include <gtest/gtest.h>

#include <algorithm>

#include "drill/draw.h"
#include "drill/grade.h"
#include "drill/host_hold.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 12;

SimulatedInstance simulated(const Scenario& scenario, uint64_t seed) {
  auto instance = simulate_instance(scenario, seed);
  if (!instance) ADD_FAILURE() << seed << ": " << instance.error().text();
  return instance ? *std::move(instance) : SimulatedInstance{};
}

// step = max(GPU, worker time / workers), within 2 % of the step; the rank that is named is starved in every step.
TEST(InputStarvation, FollowsTheLoadersArithmetic) {
  const Scenario& scenario = *find_scenario("starved_loader");
  int64_t on_one_rank = 0;
  for (uint64_t seed = 0; seed < 2 * kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const SimulatedInstance instance = simulated(scenario, seed);
    const sim::FaultInstance& fault = instance.instance.faults.front();
    const int64_t workers = fault.number("workers", instance.instance.job.loader.workers);
    const int64_t batch_ns = fault.number("batch_ns", instance.instance.job.loader.batch_ns);
    const TimeNs step_ns = instance.traced_measure.mean_step_ns;
    const TimeNs formula_ns = std::max(instance.fixed_measure.mean_step_ns, batch_ns / workers);
    EXPECT_NEAR(static_cast<double>(step_ns), static_cast<double>(formula_ns), static_cast<double>(step_ns) * 0.02);

    const int64_t only = fault.number("rank", -1);
    on_one_rank += only >= 0 ? 1 : 0;
    for (size_t rank = 0; rank < instance.traced_measure.ranks(); ++rank) {
      const bool starved = only < 0 || static_cast<int64_t>(rank) == only;
      for (const Interval& step : instance.traced_measure.steps) {
        const HostHold hold = hold_of(instance.run.trace.ranks[rank], step, waits_for_batch);
        EXPECT_EQ(hold.idle_ns * 100 > step.length_ns() * 3, starved) << rank;
      }
    }
    const Truth truth = make_truth(instance);
    EXPECT_TRUE(truth.number.has_value());
    EXPECT_LT(truth.number.value_or(DecidingNumber{}).slack_millionths, step_ns);
    EXPECT_EQ(truth.places.front().rank, only);
  }
  EXPECT_GE(on_one_rank, 3);
}

// What the explanation says, answered back, is graded right in every part.
TEST(InputStarvation, ItsOwnAnswerIsGradedRight) {
  const Scenario& scenario = *find_scenario("starved_loader");
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const Truth truth = make_truth(simulated(scenario, seed));
    Answer answer;
    answer.diagnosis = "input_starvation";
    answer.place = AnswerPlace{std::max(truth.places.front().rank, 0), {}, truth.places.front().at};
    answer.number_millionths = truth.number.value_or(DecidingNumber{}).value_millionths;
    answer.measurement = "cached_batch";
    answer.fix = "more_workers";
    answer.win = AnswerWin{truth.win.reckoned_ns, true};
    answer.confidence_percent = 90;
    answer.elapsed_ms = 60000;
    const Verdict verdict = grade(truth, answer);
    EXPECT_EQ(verdict.right, verdict.of);
    answer.diagnosis = "straggler";
    EXPECT_LT(grade(truth, answer).right, verdict.right);
  }
}

}  // namespace
}  // namespace td::drill
