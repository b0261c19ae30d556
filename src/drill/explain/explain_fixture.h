// For the tests of explanations: an instance of a scenario, and the answer that repeats its truth.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "drill/draw.h"
#include "drill/grade.h"

namespace td::drill {

// Empty, with a failure noted, where the scenario cannot be drawn.
inline SimulatedInstance drawn(std::string_view scenario, uint64_t seed, Level level = Level::standard) {
  auto instance = simulate_instance(*find_scenario(scenario), seed, level);
  if (!instance) ADD_FAILURE() << scenario << " " << seed << ": " << instance.error().text();
  return instance ? *std::move(instance) : SimulatedInstance{};
}

// Every part as the truth has it.
inline Answer answer_of(const Truth& truth) {
  Answer answer;
  answer.diagnosis = truth.cause;
  if (!truth.places.empty()) {
    answer.place = AnswerPlace{std::max(truth.places.front().rank, 0), {}, truth.places.front().at};
  }
  answer.number_millionths = truth.number.value_or(DecidingNumber{}).value_millionths;
  answer.measurement = truth.confirm.id;
  answer.fix = truth.fix.id;
  answer.win = AnswerWin{truth.win.reckoned_ns, true};
  answer.confidence_percent = 90;
  answer.elapsed_ms = 60'000;
  return answer;
}

inline void expect_all_right(const Truth& truth, const Answer& answer) {
  const Verdict verdict = grade(truth, answer);
  EXPECT_EQ(verdict.right, verdict.of);
  for (const Part& part : verdict.parts) {
    EXPECT_TRUE(part.grade == Grade::right || part.grade == Grade::not_needed) << part.id << ": " << part.why;
  }
}

// The truth's own answer is right in every part, and less so with another diagnosis.
inline void expect_own_answer_right(const Truth& truth, std::string_view twin) {
  Answer answer = answer_of(truth);
  expect_all_right(truth, answer);
  const int32_t right = static_cast<int32_t>(grade(truth, answer).right);
  answer.diagnosis = twin;
  EXPECT_LT(static_cast<int32_t>(grade(truth, answer).right), right);
}

// What the sums come to and what the second run gives: within 2 % of the step.
inline void expect_sums_agree(const Truth& truth) {
  const TimeNs apart_ns = std::abs(truth.win.reckoned_ns - truth.win.win_ns);
  EXPECT_LE(apart_ns * 50, truth.win.step_ns) << truth.win.reckoned_ns << " against " << truth.win.win_ns;
}

}  // namespace td::drill
