// The truth of sync stalls against the simulation.
#include <gtest/gtest.h>

#include "drill/explain/explain_fixture.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 12;

// T' = T - k x gap, within 2 % of the step.
TEST(SyncStalls, TheFormulaAgreesWithTheSimulation) {
  for (uint64_t seed = 100; seed < 100 + kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    expect_sums_agree(make_truth(drawn("sync_metrics", seed)));
  }
}

// What is counted on the trace is what was injected: as many reads in each step, each followed by its host work.
TEST(SyncStalls, EveryReadIsSeenOnEveryRank) {
  for (uint64_t seed = 100; seed < 100 + kSeeds; ++seed) {
    const SimulatedInstance instance = drawn("sync_metrics", seed);
    const Measured& traced = instance.traced_measure;
    const int64_t host_work_ns = instance.instance.faults.front().number("host_work_ns");
    const auto reads = static_cast<size_t>(sim::metrics_per_step(instance.job));
    // Some jobs read a value at the end of backward too, which costs nothing (docs/models/background.md).
    const auto is_injected = [&](const ReadGap& read) { return read.idle.length_ns() > host_work_ns / 4; };
    for (const auto& step : traced.reads[0]) {
      EXPECT_EQ(static_cast<size_t>(std::ranges::count_if(step, is_injected)), reads) << seed;
      EXPECT_LE(step.size(), reads + 1) << seed;
    }
    for (const auto& step : instance.fixed_measure.reads[0]) EXPECT_LE(step.size(), 1U) << seed;
  }
}

TEST(SyncStalls, TheRightAnswerIsGradedRight) {
  const SimulatedInstance instance = drawn("sync_metrics", 100);
  const Truth truth = make_truth(instance);
  Answer answer = answer_of(truth);
  answer.place = AnswerPlace{.rank = 5, .track = {}, .at = truth.evidence[1].at};
  answer.number_millionths = sim::metrics_per_step(instance.job) * 1'000'000;
  answer.win = AnswerWin{.value_millionths = truth.win.win_millionths * 100, .in_ms = false};
  expect_all_right(truth, answer);
  const Verdict verdict = grade(truth, answer);
  answer.diagnosis = "launch_bound";
  answer.fix = "cuda_graphs";
  const Verdict wrong = grade(truth, answer);
  for (const Part& part : wrong.parts) {
    if (part.id == "diagnosis" || part.id == "fix") {
      EXPECT_EQ(part.grade, Grade::wrong) << part.id;
    }
  }
  EXPECT_LT(wrong.right, verdict.right);
}

}  // namespace
}  // namespace td::drill
