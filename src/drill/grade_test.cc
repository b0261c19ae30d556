#include "drill/grade.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"

namespace td::drill {
namespace {

constexpr TimeNs kMs = kNsPerMs;

// Rank 5 of 8 is 23 ms late in a step of 101.5 ms; the fix leaves 78.6 ms.
Truth straggler_truth() {
  Truth truth;
  truth.cause = "straggler";
  truth.summary = "Its GPU runs at 1,410 MHz instead of 1,980.";
  truth.lookalikes = {{"bandwidth_bound_collective", "There every rank shows the same bars."}};
  truth.win.step_ns = 101500000;
  truth.win.fixed_step_ns = 78600000;
  truth.win.win_ns = 22900000;
  truth.win.win_millionths = 225616;
  truth.number = DecidingNumber{"lateness of the last rank", "ms a step", 23000000, 0};
  truth.places = {{5, {64 * kMs, 87 * kMs}}, {5, {0, 87 * kMs}}, {5, {166 * kMs, 189 * kMs}}};
  truth.nearby = {{0, {64 * kMs, 88 * kMs}}};
  truth.right_confirms = {"sm_clocks"};
  truth.right_fixes = {"reset_clocks_or_drain"};
  return truth;
}

Answer right_answer() {
  Answer answer;
  answer.diagnosis = "straggler";
  answer.place = AnswerPlace{5, 3, {65 * kMs, 88 * kMs}};
  answer.number_millionths = 22000000;
  answer.measurement = "sm_clocks";
  answer.fix = "reset_clocks_or_drain";
  answer.win = AnswerWin{22000000, false};
  answer.confidence_percent = 80;
  answer.elapsed_ms = 94000;
  return answer;
}

const Part& part_of(const Verdict& verdict, std::string_view id) {
  for (const Part& part : verdict.parts) {
    if (part.id == id) return part;
  }
  ADD_FAILURE() << "no part " << id;
  return verdict.parts.front();
}

Grade grade_of(const Truth& truth, const Answer& answer, std::string_view id) {
  return part_of(grade(truth, answer), id).grade;
}

TEST(Grade, AllRight) {
  const Verdict verdict = grade(straggler_truth(), right_answer());
  for (const Part& part : verdict.parts) {
    EXPECT_EQ(part.grade, Grade::right) << part.id << ": " << part.why;
    EXPECT_FALSE(part.why.empty()) << part.id;
  }
  EXPECT_EQ(verdict.right, 7);
  EXPECT_EQ(verdict.of, 7);
  EXPECT_TRUE(verdict.in_time);
}

TEST(Grade, DiagnosisAloneIsEnough) {
  Answer answer;
  answer.diagnosis = "straggler";
  const Verdict verdict = grade(straggler_truth(), answer);
  EXPECT_EQ(verdict.right, 1);
  EXPECT_EQ(verdict.of, 7);
  EXPECT_FALSE(verdict.in_time);
  for (const Part& part : verdict.parts) {
    EXPECT_EQ(part.grade, part.id == "diagnosis" ? Grade::right : Grade::missing) << part.id;
  }
}

TEST(Grade, EveryOtherDiagnosisIsWrong) {
  for (const catalog::Cause* cause : catalog::core_causes()) {
    Answer answer = right_answer();
    answer.diagnosis = cause->id;
    const Grade expected = cause->id == "straggler" ? Grade::right : Grade::wrong;
    EXPECT_EQ(grade_of(straggler_truth(), answer, "diagnosis"), expected) << cause->id;
    EXPECT_EQ(grade_of(straggler_truth(), answer, "number"), expected) << cause->id;
  }
}

TEST(Grade, ALookalikeIsWrongAndShownWithWhatDecides) {
  Answer answer = right_answer();
  answer.diagnosis = "bandwidth_bound_collective";
  const Verdict verdict = grade(straggler_truth(), answer);
  EXPECT_EQ(part_of(verdict, "diagnosis").grade, Grade::wrong);
  EXPECT_EQ(part_of(verdict, "diagnosis").why, "A lookalike. There every rank shows the same bars.");
  EXPECT_EQ(part_of(verdict, "confidence").grade, Grade::wrong);
}

struct PlaceCase {
  const char* what;
  int32_t rank;
  Interval at;
  Grade expected;
};

TEST(Grade, Places) {
  const PlaceCase cases[] = {
      {"the evidence", 5, {64 * kMs, 87 * kMs}, Grade::right},
      {"half of it", 5, {64 * kMs, 76 * kMs}, Grade::right},
      {"a third of it", 5, {64 * kMs, 71 * kMs}, Grade::close},
      {"a sliver", 5, {64 * kMs, 65 * kMs}, Grade::wrong},
      {"another steady step", 5, {167 * kMs, 189 * kMs}, Grade::right},
      {"all of forward and backward", 5, {0, 87 * kMs}, Grade::right},
      {"the whole trace", 5, {0, 1000 * kMs}, Grade::wrong},
      {"a waiting rank's all-reduce", 0, {64 * kMs, 87 * kMs}, Grade::close},
      {"a waiting rank elsewhere", 0, {10 * kMs, 30 * kMs}, Grade::wrong},
      {"a rank that is not there", 77, {64 * kMs, 87 * kMs}, Grade::wrong},
  };
  for (const PlaceCase& c : cases) {
    Answer answer = right_answer();
    answer.place = AnswerPlace{c.rank, std::nullopt, c.at};
    EXPECT_EQ(grade_of(straggler_truth(), answer, "place"), c.expected) << c.what;
  }
}

TEST(Grade, AnyRankCountsWhereAllAreAlike) {
  Truth truth = straggler_truth();
  truth.places = {{-1, {64 * kMs, 87 * kMs}}};
  for (int32_t rank : {0, 3, 7}) {
    Answer answer = right_answer();
    answer.place = AnswerPlace{rank, std::nullopt, {64 * kMs, 87 * kMs}};
    EXPECT_EQ(grade_of(truth, answer, "place"), Grade::right) << rank;
  }
}

TEST(Grade, Numbers) {
  const std::pair<int64_t, Grade> cases[] = {
      {23000000, Grade::right}, {25300000, Grade::right},  {20700000, Grade::right}, {25310000, Grade::close},
      {46000000, Grade::close}, {11500000, Grade::close},  {46100000, Grade::wrong}, {11000000, Grade::wrong},
      {0, Grade::wrong},        {-23000000, Grade::wrong}, {23000, Grade::wrong},    {1000000000000000, Grade::wrong},
  };
  for (const auto& [value, expected] : cases) {
    Answer answer = right_answer();
    answer.number_millionths = value;
    EXPECT_EQ(grade_of(straggler_truth(), answer, "number"), expected) << value;
  }
}

// The right value stands beside the reason, which says what went wrong instead of repeating it.
TEST(Grade, AWrongNumbersReasonNamesTheSlip) {
  const std::pair<int64_t, const char*> cases[] = {
      {0, "There is some; read the lateness of the last rank off the evidence."},
      {-23000000, "The lateness of the last rank cannot be negative."},
      {23000000000, "Off by a factor of 1,000: it is asked in ms a step."},
      {22500, "Off by a factor of 1,000: it is asked in ms a step."},
      {92000000, "4.0 times too large: it is the lateness of the last rank, as the evidence shows it."},
      {4600000, "5.0 times too small: it is the lateness of the last rank, as the evidence shows it."},
  };
  for (const auto& [value, expected] : cases) {
    Answer answer = right_answer();
    answer.number_millionths = value;
    const Part part = part_of(grade(straggler_truth(), answer), "number");
    EXPECT_EQ(part.grade, Grade::wrong) << value;
    EXPECT_EQ(part.why, expected) << value;
    EXPECT_EQ(part.why.find(part.truth), std::string::npos) << value;
  }
}

// Two ways to the number, 23 and 30 ms: 10 % around either, and all between.
TEST(Grade, ANumberMayBeHadInTwoWays) {
  Truth truth = straggler_truth();
  truth.number->other = OtherWay{"end of backward", "sooner", 30000000, 100};
  const std::pair<int64_t, Grade> cases[] = {
      {20700000, Grade::right}, {20600000, Grade::close}, {26500000, Grade::right}, {30000000, Grade::right},
      {33000000, Grade::right}, {33100000, Grade::close}, {46100000, Grade::wrong},
  };
  for (const auto& [value, expected] : cases) {
    Answer answer = right_answer();
    answer.number_millionths = value;
    EXPECT_EQ(grade_of(truth, answer, "number"), expected) << value;
  }
  EXPECT_EQ(part_of(grade(truth, right_answer()), "number").truth,
            "23.0 ms a step (end of backward); 30.0 ms a step (sooner)");
  truth.number->other->value_millionths = 25000000;  // 8.7 % apart
  EXPECT_EQ(part_of(grade(truth, right_answer()), "number").truth, "23.0 ms a step");
}

TEST(Grade, PlacesSayHowMuchIsCovered) {
  const std::pair<Interval, const char*> cases[] = {
      {{64 * kMs, 87 * kMs}, "Right, all of the evidence covered."},
      {{64 * kMs, 83 * kMs}, "Right, 83 % of the evidence covered."},
      {{64 * kMs, 92 * kMs}, "Right, 82 % of the mark is evidence."},
      {{64 * kMs, 71 * kMs}, "Only 30 % of the evidence covered: the evidence lasts 23.0 ms."},
  };
  for (const auto& [at, expected] : cases) {
    Answer answer = right_answer();
    answer.place = AnswerPlace{5, std::nullopt, at};
    EXPECT_EQ(part_of(grade(straggler_truth(), answer), "place").why, expected);
  }
}

TEST(Grade, WinsInPercentAndMilliseconds) {
  // 22.6 % or 22.9 ms of 101.5 ms; right within 20 % of it (18.05 .. 27.07) or three points (19.56 .. 25.56).
  const std::pair<AnswerWin, Grade> cases[] = {
      {{22600000, false}, Grade::right}, {{18100000, false}, Grade::right}, {{27000000, false}, Grade::right},
      {{27200000, false}, Grade::close}, {{17900000, false}, Grade::close}, {{45200000, false}, Grade::wrong},
      {{5000000, false}, Grade::wrong},  {{0, false}, Grade::wrong},        {{22900000, true}, Grade::right},
      {{27600000, true}, Grade::close},  {{78600000, true}, Grade::wrong},
  };
  for (const auto& [win, expected] : cases) {
    Answer answer = right_answer();
    answer.win = win;
    EXPECT_EQ(grade_of(straggler_truth(), answer, "win"), expected) << win.value_millionths << " " << win.in_ms;
  }
}

TEST(Grade, WinSlipsAreNamed) {
  Answer answer = right_answer();
  answer.win = AnswerWin{29100000, false};  // 22.9 / 78.6
  EXPECT_EQ(part_of(grade(straggler_truth(), answer), "win").why,
            "You divided by the healthy step; the win is a share of the traced one.");
  answer.win = AnswerWin{77400000, false};  // 78.6 / 101.5
  EXPECT_EQ(part_of(grade(straggler_truth(), answer), "win").why, "That is what is left of the step, not what is won.");
}

TEST(Grade, HealthyHasNoPlaceAndNoWin) {
  Truth truth = straggler_truth();
  truth.cause = "healthy";
  truth.places.clear();
  truth.win.fixed_step_ns = truth.win.step_ns;
  truth.win.win_ns = truth.win.win_millionths = 0;
  truth.number = DecidingNumber{"exposed communication + idle", "% of the step", 1200000, 500000};
  truth.right_fixes = {"change_nothing"};
  Answer answer = right_answer();
  answer.diagnosis = "healthy";
  answer.fix = "change_nothing";
  answer.place.reset();
  answer.number_millionths = 1600000;
  answer.win = AnswerWin{0, false};
  Verdict verdict = grade(truth, answer);
  EXPECT_EQ(verdict.right, 6);
  EXPECT_EQ(verdict.of, 6);
  EXPECT_EQ(part_of(verdict, "place").grade, Grade::not_needed);
  answer.win = AnswerWin{2900000, false};
  EXPECT_EQ(grade_of(truth, answer, "win"), Grade::right);
  answer.win = AnswerWin{5000000, false};
  EXPECT_EQ(grade_of(truth, answer, "win"), Grade::wrong);
}

TEST(Grade, SeveralFixesMayBeRight) {
  Truth truth = straggler_truth();
  truth.right_fixes = {"accumulate_gradients", "faster_fabric"};
  Answer answer = right_answer();
  answer.fix = "faster_fabric";
  EXPECT_EQ(grade_of(truth, answer, "fix"), Grade::right);
  answer.fix = "more_workers";
  EXPECT_EQ(grade_of(truth, answer, "fix"), Grade::wrong);
}

TEST(Grade, TwoMinutesIsTheLimit) {
  Answer answer = right_answer();
  answer.elapsed_ms = 119999;
  EXPECT_TRUE(grade(straggler_truth(), answer).in_time);
  answer.elapsed_ms = 120000;
  EXPECT_FALSE(grade(straggler_truth(), answer).in_time);
}

TEST(Grade, ConfidenceIsAboutCalibration) {
  Answer answer = right_answer();
  answer.confidence_percent = 50;
  EXPECT_EQ(grade_of(straggler_truth(), answer, "confidence"), Grade::close);
  answer.diagnosis = "healthy";
  EXPECT_EQ(grade_of(straggler_truth(), answer, "confidence"), Grade::right);
  answer.confidence_percent = 65;
  EXPECT_EQ(grade_of(straggler_truth(), answer, "confidence"), Grade::close);
  answer.confidence_percent = 95;
  EXPECT_EQ(grade_of(straggler_truth(), answer, "confidence"), Grade::wrong);
}

}  // namespace
}  // namespace td::drill
