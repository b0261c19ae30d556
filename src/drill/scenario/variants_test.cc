// Every form of a cause keeps what its drill promises, at both levels: the win, the arithmetic that is written out, and
// an answer that repeats the truth is right in every part.
#include <gtest/gtest.h>

#include "drill/draw.h"
#include "drill/grade.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 3;

void expect_consistent(const char* id, Level level) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(std::string(id) + " " + std::string(to_string(level)) + " " + std::to_string(seed));
    const auto instance = simulate_instance(*find_scenario(id), seed, level);
    ASSERT_TRUE(instance.has_value()) << instance.error().text();
    const Truth truth = make_truth(*instance);
    EXPECT_GE(truth.win.win_millionths, 49'000);
    ASSERT_FALSE(truth.places.empty());
    Answer answer;
    answer.diagnosis = truth.cause;
    answer.place = AnswerPlace{std::max(truth.places.front().rank, 0), {}, truth.places.front().at};
    answer.number_millionths = truth.number.value_or(DecidingNumber{}).value_millionths;
    answer.measurement = truth.confirm.id;
    answer.fix = truth.fix.id;
    answer.win = AnswerWin{truth.win.reckoned_ns, true};
    answer.confidence_percent = 90;
    answer.elapsed_ms = 60000;
    const Verdict verdict = grade(truth, answer);
    for (const Part& part : verdict.parts) {
      if (part.grade == Grade::not_needed) continue;
      EXPECT_EQ(part.grade, Grade::right) << part.id << ": " << part.why;
    }
  }
}

TEST(Variants, StragglerHbm) {
  expect_consistent("straggler_hbm", Level::standard);
  expect_consistent("straggler_hbm", Level::hard);
}
TEST(Variants, StragglerData) {
  expect_consistent("straggler_data", Level::standard);
  expect_consistent("straggler_data", Level::hard);
}
TEST(Variants, StragglerClock) { expect_consistent("straggler_clock", Level::hard); }
TEST(Variants, BandwidthFp32) { expect_consistent("bandwidth_fp32", Level::standard); }
TEST(Variants, HardOnes) {
  for (const char* id : {"starved_loader", "recompile_shape", "fragmented_pool", "sync_metrics", "overlap_off"}) {
    expect_consistent(id, Level::hard);
  }
}

}  // namespace
}  // namespace td::drill
