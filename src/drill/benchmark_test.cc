#include "drill/benchmark.h"

#include <gtest/gtest.h>

namespace td::drill {
namespace {

TEST(Benchmark, CountsByCauseAndConfusion) {
  const Benchmark out = benchmark({{"a", "straggler", "straggler", 0.9},
                                   {"b", "straggler", "healthy", 0.8},
                                   {"c", "healthy", "healthy", {}},
                                   {"d", "healthy", "", {}}});
  EXPECT_EQ(out.drills, 4);
  EXPECT_EQ(out.right, 2);
  EXPECT_EQ(out.answered, 3);
  ASSERT_EQ(out.causes.size(), 2u);
  EXPECT_EQ(out.causes[0].cause, "healthy");
  EXPECT_EQ(out.causes[0].right, 1);
  EXPECT_EQ(out.causes[0].unanswered, 1);
  ASSERT_EQ(out.confusions.size(), 2u);
}

TEST(Benchmark, CalibrationIsWhatWasClaimedAgainstWhatCame) {
  // 0.9 right and 0.8 wrong: Brier (0.01 + 0.64) / 2; each stands alone in its bin, 0.1 and 0.8 off.
  const Benchmark out = benchmark({{"a", "x", "x", 0.9}, {"b", "x", "y", 0.8}});
  ASSERT_TRUE(out.brier && out.expected_calibration_error);
  EXPECT_NEAR(*out.brier, 0.325, 1e-12);
  EXPECT_NEAR(*out.expected_calibration_error, 0.45, 1e-12);
  EXPECT_EQ(out.bins.size(), 2u);
  EXPECT_FALSE(benchmark({{"a", "x", "x", {}}}).brier);
}

TEST(Benchmark, AnswersComeInTwoForms) {
  const auto answers =
      benchmark_answers(*parse_json(R"({"d1":"healthy","d2":{"cause":"straggler","confidence":0.75}})"));
  ASSERT_TRUE(answers);
  EXPECT_EQ((*answers)[0].cause, "healthy");
  EXPECT_EQ((*answers)[1].confidence, 0.75);
}

TEST(Benchmark, BadAnswersNameTheDrill) {
  const auto answers = benchmark_answers(*parse_json(R"({"d2":{"cause":"straggler","confidence":75}})"));
  ASSERT_FALSE(answers);
  EXPECT_EQ(answers.error().where, "d2");
  EXPECT_FALSE(benchmark_answers(*parse_json(R"(["healthy"])")));
  EXPECT_FALSE(benchmark_answers(*parse_json(R"({"d":3})")));
}

}  // namespace
}  // namespace td::drill
