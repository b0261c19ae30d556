#include <gtest/gtest.h>

#include <set>
#include <string>

#include "drill/explain/explain_fixture.h"
#include "drill/pipeline_waits.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 5;

TEST(PipelineBubbles, FormulaAndSimulationAgreeWithinTwoPercentOfTheStep) {
  std::set<std::string> fixes;
  for (const char* scenario : {"few_microbatches", "no_interleaving"}) {
    for (uint64_t seed = 100; seed < 100 + kSeeds; ++seed) {
      const Truth truth = make_truth(drawn(scenario, seed));
      fixes.insert(truth.fix.id);
      SCOPED_TRACE(std::string(scenario) + " " + std::to_string(seed));
      expect_sums_agree(truth);
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
  Answer answer = answer_of(truth);
  answer.place = AnswerPlace{0, std::nullopt, wait.at};
  ASSERT_TRUE(truth.number.has_value());
  answer.number_millionths = truth.number->value_millionths + 500'000;
  expect_all_right(truth, answer);
  const Verdict right = grade(truth, answer);

  answer.diagnosis = "straggler";
  EXPECT_LT(grade(truth, answer).right, right.right);
}

}  // namespace
}  // namespace td::drill
