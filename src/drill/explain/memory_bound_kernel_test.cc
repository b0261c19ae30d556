#include <gtest/gtest.h>

#include <string>

#include "drill/draw.h"
#include "drill/grade.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 16;

SimulatedInstance drawn(uint64_t seed) {
  auto instance = simulate_instance(*find_scenario("math_attention"), seed);
  EXPECT_TRUE(instance.has_value()) << (instance ? "" : instance.error().text());
  return instance ? *std::move(instance) : SimulatedInstance{};
}

TEST(ExplainMemoryBound, FormulaAndSimulationAgreeWithinTwoPercentOfTheStep) {
  for (uint64_t seed = 100; seed < 100 + kSeeds; ++seed) {
    const Win win = make_truth(drawn(seed)).win;
    const TimeNs apart_ns = win.reckoned_ns - win.win_ns;
    EXPECT_LE((apart_ns < 0 ? -apart_ns : apart_ns) * 50, win.step_ns) << "seed " << seed;
  }
}

TEST(ExplainMemoryBound, TheRateIsThatOfMemory) {
  for (uint64_t seed = 100; seed < 108; ++seed) {
    const SimulatedInstance instance = drawn(seed);
    const Truth truth = make_truth(instance);
    ASSERT_TRUE(truth.number.has_value());
    const double rate = static_cast<double>(truth.number->value_millionths) / 1e6 * 1e9;
    EXPECT_GT(rate, 0.6 * instance.job.gpu->hbm_bytes_per_s) << seed;
    EXPECT_LT(rate, 0.93 * instance.job.gpu->hbm_bytes_per_s) << seed;
  }
}

TEST(ExplainMemoryBound, GradesAReadersAnswer) {
  const SimulatedInstance instance = drawn(7);
  const Truth truth = make_truth(instance);
  Answer answer;
  answer.diagnosis = "memory_bound_kernel";
  answer.place = AnswerPlace{
      2, std::nullopt, {instance.traced_measure.steps[1].begin_ns, instance.traced_measure.at[0][1].ready_ns}};
  answer.number_millionths = truth.number->value_millionths * 105 / 100;
  answer.measurement = "speed_of_light";
  answer.fix = "fuse_or_quantise";
  answer.win = AnswerWin{truth.win.reckoned_ns, true};
  answer.confidence_percent = 90;
  answer.elapsed_ms = 60'000;
  const Verdict right = grade(truth, answer);
  for (const Part& part : right.parts) EXPECT_EQ(part.grade, Grade::right) << part.id << ": " << part.why;

  answer.diagnosis = "healthy";
  answer.measurement = "sm_clocks";
  answer.fix = "change_nothing";
  answer.win = AnswerWin{0, true};
  answer.place.reset();
  EXPECT_EQ(grade(truth, answer).right, 0);
}

}  // namespace
}  // namespace td::drill
