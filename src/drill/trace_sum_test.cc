#include "drill/trace_sum.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "arithmetic/answer.h"
#include "arithmetic/grade.h"

namespace td::drill {
namespace {

TEST(TraceSum, NamesOfBothKinds) {
  const SumName time = *parse_sum_name("core.1/7");
  EXPECT_EQ(to_string(time.drill), "core.1/7");
  EXPECT_EQ(time.kind, SumKind::time);
  const SumName rate = *parse_sum_name("core.1/7/rate");
  EXPECT_EQ(to_string(rate.drill), "core.1/7");
  EXPECT_EQ(rate.kind, SumKind::rate);
  EXPECT_FALSE(parse_sum_name("core.1/7/time").has_value());
}

// Whatever is wrong with a drill, its sum can be asked, is answered from its own numbers, and says nothing of the
// cause.
TEST(TraceSum, IsRightByItsOwnInputsAndTellsNoCause) {
  int times = 0;
  int rates = 0;
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    const DrillName name = *parse_drill_name("core.1/" + std::to_string(seed));
    const Result<Exercise> exercise = open_drill(name);
    ASSERT_TRUE(exercise.has_value()) << exercise.error().text();
    for (const SumKind kind : {SumKind::time, SumKind::rate}) {
      const Result<arithmetic::Problem> problem = trace_sum(name, *exercise, kind);
      ASSERT_TRUE(problem.has_value()) << problem.error().text();
      EXPECT_EQ(problem->answer.dimension, problem->unit.dimension) << problem->question;
      EXPECT_NE(problem->question.find("core.1/" + std::to_string(seed)), std::string::npos);
      const auto typed = arithmetic::parse_answer(arithmetic::answer_text(*problem), *problem);
      ASSERT_TRUE(typed.has_value());
      EXPECT_EQ(arithmetic::grade(*problem, *typed).grade, arithmetic::Grade::right);
      std::string all = problem->question;
      for (const auto& step : problem->steps) all += step.text + step.sum;
      for (const char* word : {"straggler", "slow", "late rank", "healthy", "recompil", "stall", "starv"}) {
        EXPECT_EQ(all.find(word), std::string::npos) << word << " in " << all;
      }
      double given[3] = {0, 0, 0};
      ASSERT_GE(problem->inputs.size(), 2U);
      for (size_t i = 0; i < problem->inputs.size() && i < 3; ++i) given[i] = problem->inputs[i].value.value;
      if (problem->inputs.front().name == "size" && kind == SumKind::time) {
        // size, ranks, bandwidth: n - 1 chunks of S/n leave in each of the two passes.
        const int passes = problem->question.find("all_reduce") != std::string::npos ? 2 : 1;
        EXPECT_NEAR(problem->answer.value, passes * (given[1] - 1) * (given[0] / given[1]) / given[2],
                    problem->answer.value * 1e-9);
        ++times;
      } else if (kind == SumKind::rate) {
        EXPECT_NEAR(problem->answer.value, given[0] / given[1] / given[2], problem->answer.value * 1e-9);
        EXPECT_LT(problem->answer.value, 2.0) << problem->question;  // what the L2 holds may exceed the memory's rate
        ++rates;
      }
    }
  }
  EXPECT_GT(times, 0);
  EXPECT_GT(rates, 0);
}

TEST(TraceSum, ATraceWithoutWorkHasNone) {
  Exercise empty;
  EXPECT_FALSE(trace_sum(*parse_drill_name("core.1/1"), empty, SumKind::time).has_value());
}

}  // namespace
}  // namespace td::drill
