#include <gtest/gtest.h>

#include <set>
#include <string>

#include "drill/explain/explain_fixture.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 16;

TEST(ExplainUnoverlapped, FormulaAndSimulationAgreeWithinTwoPercentOfTheStep) {
  std::set<std::string> forms;
  for (uint64_t seed = 100; seed < 100 + kSeeds; ++seed) {
    const SimulatedInstance instance = drawn("overlap_off", seed);
    forms.emplace(instance.instance.faults.front().word("form"));
    SCOPED_TRACE(seed);
    expect_sums_agree(make_truth(instance));
  }
  EXPECT_EQ(forms.size(), 2U);
}

TEST(ExplainUnoverlapped, TheReductionStandsAfterBackwardOnEveryRank) {
  for (uint64_t seed = 100; seed < 104; ++seed) {
    const SimulatedInstance instance = drawn("overlap_off", seed);
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
  const SimulatedInstance instance = drawn("overlap_off", 7);
  const Truth truth = make_truth(instance);
  const RankStep& step = instance.traced_measure.at[3][1];
  Answer answer = answer_of(truth);
  answer.place = AnswerPlace{3, std::nullopt, {step.first_comm_ns, step.last_comm_ns}};
  answer.number_millionths = 98'000'000;
  expect_all_right(truth, answer);

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
