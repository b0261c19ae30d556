#include <gtest/gtest.h>

#include <set>
#include <string>

#include "drill/draw.h"
#include "drill/grade.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 16;

SimulatedInstance drawn(uint64_t seed) {
  auto instance = simulate_instance(*find_scenario("overlap_off"), seed);
  EXPECT_TRUE(instance.has_value()) << (instance ? "" : instance.error().text());
  return instance ? *std::move(instance) : SimulatedInstance{};
}

TEST(ExplainUnoverlapped, FormulaAndSimulationAgreeWithinTwoPercentOfTheStep) {
  std::set<std::string> forms;
  for (uint64_t seed = 100; seed < 100 + kSeeds; ++seed) {
    const SimulatedInstance instance = drawn(seed);
    forms.emplace(instance.instance.faults.front().word("form"));
    const Win win = make_truth(instance).win;
    const TimeNs apart_ns = win.reckoned_ns - win.win_ns;
    EXPECT_LE((apart_ns < 0 ? -apart_ns : apart_ns) * 50, win.step_ns) << "seed " << seed;
  }
  EXPECT_EQ(forms.size(), 2U);
}

TEST(ExplainUnoverlapped, TheReductionStandsAfterBackwardOnEveryRank) {
  for (uint64_t seed = 100; seed < 104; ++seed) {
    const SimulatedInstance instance = drawn(seed);
    const Measured& traced = instance.traced_measure;
    for (size_t rank = 0; rank < traced.ranks(); ++rank) {
      for (const RankStep& step : traced.at[rank]) EXPECT_GE(step.first_comm_ns, step.ready_ns) << "rank " << rank;
    }
    const Truth truth = make_truth(instance);
    ASSERT_TRUE(truth.number.has_value());
    EXPECT_NEAR(static_cast<double>(truth.number->value_millionths), 100e6, 1e6);
  }
}

// The whole form, answered from the trace: all of it right. With the twin's answer: nothing of it.
TEST(ExplainUnoverlapped, GradesAReadersAnswer) {
  const SimulatedInstance instance = drawn(7);
  const Truth truth = make_truth(instance);
  const RankStep& step = instance.traced_measure.at[3][1];
  Answer answer;
  answer.diagnosis = "unoverlapped_allreduce";
  answer.place = AnswerPlace{3, std::nullopt, {step.first_comm_ns, step.last_comm_ns}};
  answer.number_millionths = 98'000'000;
  answer.measurement = "bucket_log";
  answer.fix = "overlap_hooks";
  answer.win = AnswerWin{truth.win.reckoned_ns, true};
  answer.confidence_percent = 90;
  answer.elapsed_ms = 60'000;
  const Verdict right = grade(truth, answer);
  EXPECT_EQ(right.right, 7);
  for (const Part& part : right.parts) EXPECT_EQ(part.grade, Grade::right) << part.id << ": " << part.why;

  answer.diagnosis = "bandwidth_bound_collective";
  answer.measurement = "nccl_tests";
  answer.fix = "compress_gradients";
  answer.place = AnswerPlace{3, std::nullopt, {instance.traced_measure.steps[1].begin_ns, step.first_comm_ns}};
  answer.win.reset();
  const Verdict wrong = grade(truth, answer);
  EXPECT_EQ(wrong.right, 0);
}

}  // namespace
}  // namespace td::drill
