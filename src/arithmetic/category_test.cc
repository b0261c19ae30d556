// What holds for every problem of every category.
#include "arithmetic/category.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "arithmetic/answer.h"
#include "arithmetic/grade.h"
#include "arithmetic/name.h"
#include "arithmetic/pick.h"

namespace td::arithmetic {
namespace {

constexpr uint32_t kSeeds = 900;

bool has_unit(const std::string& sum) {
  // A line ends in a unit or a word, or compares things that have them; a bare ratio is none.
  for (const char c : sum) {
    if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z' && c != 'e') || c == '%' || c == '$') return true;
  }
  return sum.find("≤") != std::string::npos || sum.find(" > ") != std::string::npos;
}

class EveryCategory : public testing::TestWithParam<const Category*> {};

TEST_P(EveryCategory, ProblemsAreSaneDistinctAndBalanced) {
  const Category& category = *GetParam();
  EXPECT_FALSE(category.identity.empty());
  EXPECT_FALSE(category.source.empty());
  std::set<std::string> questions;
  std::map<std::string, int> verdicts;
  int verdict_count = 0;
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    const Result<Problem> made = generate(category, seed);
    ASSERT_TRUE(made.has_value()) << seed << " " << made.error().text();
    const Problem& problem = *made;
    questions.insert(problem.question);
    ASSERT_EQ(problem.category, category.id);
    ASSERT_EQ(problem.seed, seed);
    ASSERT_TRUE(problem.question.ends_with("?")) << problem.question;
    ASSERT_FALSE(problem.conventions.empty());
    ASSERT_FALSE(problem.inputs.empty());
    ASSERT_FALSE(problem.steps.empty());
    ASSERT_FALSE(problem.in_the_head.text.empty()) << problem.question;
    std::set<std::string> names;
    for (const Input& input : problem.inputs) {
      ASSERT_TRUE(names.insert(input.name).second) << input.name << " twice in " << problem.question;
      ASSERT_GT(input.value.value, 0) << input.name;
      ASSERT_TRUE(std::isfinite(input.value.value));
      ASSERT_EQ(input.value.dimension, input.unit.dimension) << input.name;
    }
    for (const Step& step : problem.steps)
      ASSERT_TRUE(has_unit(step.sum)) << problem.question << "\n" << step.text << ": " << step.sum;
    if (problem.asks_verdict()) {
      ++verdict_count;
      ++verdicts[problem.verdict];
      continue;
    }
    // Units cancel: what the sum comes to is what is asked for.
    ASSERT_EQ(problem.answer.dimension, problem.unit.dimension) << problem.question;
    ASSERT_FALSE(problem.answer.dimension.mixed);
    const double shown = problem.answer.value / problem.unit.scale;
    ASSERT_TRUE(std::isfinite(shown));
    ASSERT_GT(shown, 0.005) << problem.question;
    ASSERT_LT(shown, 1e7) << problem.question;
    for (const Slip& slip : problem.slips) ASSERT_TRUE(std::isfinite(slip.value)) << slip.name;
    // What is printed as the answer is right when it is typed.
    const Result<Answer> typed = parse_answer(answer_text(problem), problem);
    ASSERT_TRUE(typed.has_value()) << answer_text(problem) << " " << typed.error().text();
    const Judgement judgement = grade(problem, *typed);
    ASSERT_EQ(judgement.grade, Grade::right) << answer_text(problem);
    ASSERT_EQ(judgement.slip, "");
  }
  EXPECT_GE(questions.size(), 500U);
  for (const auto& [verdict, count] : verdicts) {
    EXPECT_LE(count, verdict_count * 6 / 10) << verdict << " of " << verdict_count;
    EXPECT_GE(verdicts.size(), 2U);
  }
}

// The same everywhere: nothing but the seed decides.
TEST_P(EveryCategory, TheSeedDecides) {
  const Problem one = *generate(*GetParam(), 4711);
  const Problem again = *generate(*GetParam(), 4711);
  EXPECT_EQ(one.question, again.question);
  EXPECT_EQ(answer_text(one), answer_text(again));
  EXPECT_NE(one.question, generate(*GetParam(), 4712)->question);
}

// An eighth, a thousandth and half of a right answer are told apart, and none is right.
TEST_P(EveryCategory, SlipsAreNamed) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const Problem problem = *generate(*GetParam(), seed);
    if (problem.asks_verdict()) continue;
    const auto given = [&](double factor) {
      return grade(problem,
                   {.quantity = {problem.answer.value * factor, problem.unit.dimension}, .verdict = {}, .read_as = {}});
    };
    EXPECT_EQ(given(1.09).grade, Grade::right);
    EXPECT_EQ(given(0.91).grade, Grade::right);
    EXPECT_EQ(given(1.11).grade, Grade::close);
    EXPECT_EQ(given(1.9).grade, Grade::close);
    EXPECT_EQ(given(2).grade, Grade::close);
    EXPECT_EQ(given(0.5).grade, Grade::close);
    EXPECT_EQ(given(2.1).grade, Grade::wrong);
    EXPECT_EQ(given(0.45).grade, Grade::wrong);
    for (const double factor : {2.0, 0.5, 1000.0, 0.001, 1024.0}) {
      EXPECT_NE(given(factor).slip, "") << problem.question << " " << factor;
    }
    EXPECT_EQ(given(1.3).grade, Grade::close);
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryCategory, testing::ValuesIn([] {
                           std::vector<const Category*> all;
                           for (const Category& category : all_categories()) all.push_back(&category);
                           return all;
                         }()),
                         [](const auto& info) { return std::string(info.param->id); });

TEST(Categories, EightAreCoreAndManyMoreAreNot) {
  std::set<std::string_view> core;
  for (const Category* category : core_categories()) core.insert(category->id);
  EXPECT_EQ(core, (std::set<std::string_view>{"gemm_intensity", "decode_ceiling", "roofline_knee", "tile_budget",
                                              "ring_all_reduce", "training_step", "kv_capacity", "training_memory"}));
  EXPECT_GE(all_categories().size(), core.size() + 12);
}

TEST(Categories, AnUnknownOneListsTheOthers) {
  const auto found = find_category("gemm");
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, ErrorCode::not_found);
  EXPECT_NE(found.error().message.find("gemm_intensity"), std::string::npos);
}

TEST(Names, SayWhichProblemAndNotOfWhichKind) {
  std::set<std::string> names;
  for (const Category& category : all_categories()) {
    for (const uint32_t seed : {0U, 1U, 77U, 4294967295U}) {
      const std::string name = problem_name(category.id, seed);
      EXPECT_TRUE(names.insert(name).second) << name;
      const Result<NamedProblem> parsed = parse_problem_name(name);
      ASSERT_TRUE(parsed.has_value()) << name;
      EXPECT_EQ(parsed->category->id, category.id);
      EXPECT_EQ(parsed->seed, seed);
    }
  }
  for (const char* bad :
       {"", "math.1/", "math.1/00000000000g", "math.2/000000000000", "math.1/0000000000000", "core.1/7"}) {
    EXPECT_FALSE(parse_problem_name(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace td::arithmetic
