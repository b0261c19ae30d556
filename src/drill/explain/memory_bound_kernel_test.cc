#include <gtest/gtest.h>

#include <string>

#include "drill/explain/explain_fixture.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 16;

TEST(ExplainMemoryBound, FormulaAndSimulationAgreeWithinTwoPercentOfTheStep) {
  for (uint64_t seed = 100; seed < 100 + kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    expect_sums_agree(make_truth(drawn("math_attention", seed)));
  }
}

TEST(ExplainMemoryBound, TheRateIsThatOfMemory) {
  for (uint64_t seed = 100; seed < 108; ++seed) {
    const SimulatedInstance instance = drawn("math_attention", seed);
    const Truth truth = make_truth(instance);
    ASSERT_TRUE(truth.number.has_value());
    const double rate = static_cast<double>(truth.number->value_millionths) / 1e6 * 1e9;
    EXPECT_GT(rate, 0.6 * instance.job.gpu->hbm_bytes_per_s) << seed;
    EXPECT_LT(rate, 0.93 * instance.job.gpu->hbm_bytes_per_s) << seed;
  }
}

TEST(ExplainMemoryBound, GradesAReadersAnswer) {
  const SimulatedInstance instance = drawn("math_attention", 7);
  const Truth truth = make_truth(instance);
  Answer answer = answer_of(truth);
  answer.place = AnswerPlace{
      2, std::nullopt, {instance.traced_measure.steps[1].begin_ns, instance.traced_measure.at[0][1].ready_ns}};
  answer.number_millionths = truth.number->value_millionths * 105 / 100;
  expect_all_right(truth, answer);

  answer.diagnosis = "healthy";
  answer.measurement = "sm_clocks";
  answer.fix = "change_nothing";
  answer.win = AnswerWin{0, true};
  answer.place.reset();
  EXPECT_EQ(grade(truth, answer).right, 0);
}

}  // namespace
}  // namespace td::drill
