#include <gtest/gtest.h>

#include <set>
#include <string>

#include "drill/draw.h"
#include "drill/grade.h"
#include "drill/pipeline_waits.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 5;

SimulatedInstance drawn(const char* scenario, uint64_t seed) {
  auto instance = simulate_instance(*find_scenario(scenario), seed);
  EXPECT_TRUE(instance.has_value()) << (instance ? "" : instance.error().text());
  return instance ? *std::move(instance) : SimulatedInstance{};
}

TEST(PipelineBubbles, FormulaAndSimulationAgreeWithinTwoPercentOfTheStep) {
  std::set<std::string> fixes;
  for (const char* scenario : {"few_microbatches", "no_interleaving"}) {
    for (uint64_t seed = 100; seed < 100 + kSeeds; ++seed) {
      const Truth truth = make_truth(drawn(scenario, seed));
      fixes.insert(truth.fix.id);
      const TimeNs apart_ns = truth.win.reckoned_ns - truth.win.win_ns;
      EXPECT_LE((apart_ns < 0 ? -apart_ns : apart_ns) * 50, truth.win.step_ns) << scenario << " seed " << seed;
    }
  }
  EXPECT_EQ(fixes.size(), 2U);
}

TEST(PipelineBubbles, TheMeasuredShareIsTheFormulasAndALittle) {
  const SimulatedInstance instance = drawn("few_microbatches", 7);
  const PipelineWaits waits = pipeline_waits(instance.run, instance.traced_measure, instance.job);
  EXPECT_GT(waits.waiting_millionths, waits.ideal_millionths - 15'000);
  EXPECT_LT(waits.waiting_millionths, waits.ideal_millionths + 40'000);
  EXPECT_LT(static_cast<double>(waits.most_compute_ns), 1.05 * static_cast<double>(waits.least_compute_ns));
  EXPECT_GT(waits.longest_message_ns, 20 * waits.message_ns);
}

// The whole form, answered from the trace: all of it right.
TEST(PipelineBubbles, GradesAReadersAnswer) {
  const SimulatedInstance instance = drawn("few_microbatches", 7);
  const Truth truth = make_truth(instance);
  const Wait wait = longest_wait(instance.run, instance.traced_measure, 0, 1);
  Answer answer;
  answer.diagnosis = "pipeline_bubbles";
  answer.place = AnswerPlace{0, std::nullopt, wait.at};
  ASSERT_TRUE(truth.number.has_value());
  answer.number_millionths = truth.number->value_millionths + 500'000;
  answer.measurement = "stage_times";
  answer.fix = "accumulate_gradients";
  answer.win = AnswerWin{truth.win.reckoned_ns, true};
  answer.confidence_percent = 90;
  answer.elapsed_ms = 60'000;
  const Verdict right = grade(truth, answer);
  for (const Part& part : right.parts) EXPECT_EQ(part.grade, Grade::right) << part.id << ": " << part.why;

  answer.diagnosis = "straggler";
  EXPECT_LT(grade(truth, answer).right, right.right);
}

}  // namespace
}  // namespace td::drill
