#include "drill/history.h"

#include <gtest/gtest.h>

namespace td::drill {
namespace {

Attempt attempt_at(std::string cause, std::string diagnosis, int64_t elapsed_ms = 60'000) {
  Attempt attempt{.cause = std::move(cause), .diagnosis = std::move(diagnosis)};
  attempt.grades.fill(Grade::missing);
  attempt.grades[0] = attempt.cause == attempt.diagnosis ? Grade::right : Grade::wrong;
  attempt.elapsed_ms = elapsed_ms;
  attempt.timed = true;
  attempt.in_time = elapsed_ms <= 120'000;
  return attempt;
}

const CauseView& view_of(const History& history, std::string_view cause) {
  for (const CauseView& view : history.causes) {
    if (view.cause == cause) return view;
  }
  ADD_FAILURE() << "no row for " << cause;
  return history.causes.front();
}

TEST(HistoryTest, NoAttemptsGiveEveryRowWithoutATime) {
  const History history = view_history({});
  EXPECT_EQ(history.attempts, 0);
  EXPECT_FALSE(history.median_ms.has_value());
  EXPECT_EQ(history.causes.size(), history.matrix.size());
  EXPECT_EQ(history.diagnoses.back(), "inconclusive");
}

TEST(HistoryTest, CountsAccuracyAndTimePerCause) {
  const std::vector<Attempt> attempts = {
      attempt_at("straggler", "straggler", 50'000), attempt_at("straggler", "bandwidth_bound_collective", 130'000),
      attempt_at("straggler", "straggler", 70'000), attempt_at("healthy", "healthy", 10'000)};
  const History history = view_history(attempts);
  EXPECT_EQ(history.attempts, 4);
  EXPECT_EQ(history.right, 3);
  EXPECT_EQ(history.in_time, 3);
  const CauseView& straggler = view_of(history, "straggler");
  EXPECT_EQ(straggler.attempts, 3);
  EXPECT_EQ(straggler.right, 2);
  EXPECT_EQ(straggler.in_time, 2);
  EXPECT_EQ(straggler.median_ms, 70'000);
  EXPECT_FALSE(view_of(history, "launch_bound").median_ms.has_value());
}

TEST(HistoryTest, MatrixSaysWhatWasCalledWhat) {
  const std::vector<Attempt> attempts = {attempt_at("straggler", "bandwidth_bound_collective"),
                                         attempt_at("straggler", "bandwidth_bound_collective"),
                                         attempt_at("healthy", "inconclusive")};
  const History history = view_history(attempts);
  int32_t total = 0;
  for (size_t row = 0; row < history.matrix.size(); ++row) {
    for (size_t column = 0; column < history.diagnoses.size(); ++column) {
      const int32_t count = history.matrix[row][column];
      total += count;
      if (history.causes[row].cause == "straggler" && history.diagnoses[column] == "bandwidth_bound_collective") {
        EXPECT_EQ(count, 2);
      }
    }
  }
  EXPECT_EQ(total, 3);
}

TEST(HistoryTest, RetriesAreToldButDoNotCount) {
  Attempt retry = attempt_at("straggler", "straggler");
  retry.counts = false;
  const History history = view_history(std::vector<Attempt>{retry});
  EXPECT_EQ(history.attempts, 0);
  EXPECT_EQ(history.retries, 1);
  EXPECT_EQ(view_of(history, "straggler").attempts, 0);
  EXPECT_FALSE(history.median_ms.has_value());
}

TEST(HistoryTest, PausedAndClocklessAttemptsHaveNoTime) {
  Attempt paused = attempt_at("straggler", "straggler", 20'000);
  paused.timed = false;
  const std::vector<Attempt> attempts = {paused, attempt_at("straggler", "straggler", 90'000)};
  EXPECT_EQ(view_history(attempts).median_ms, 90'000);
}

TEST(HistoryTest, PartsThatWereNotAskedDoNotCount) {
  Attempt attempt = attempt_at("healthy", "healthy");
  attempt.grades = {Grade::right, Grade::not_needed, Grade::close,  Grade::right,
                    Grade::wrong, Grade::right,      Grade::missing};
  const History history = view_history(std::vector<Attempt>{attempt});
  EXPECT_EQ(history.parts[1].asked, 0);
  EXPECT_EQ(history.parts[2].close, 1);
  EXPECT_EQ(history.parts[4].asked, 1);
  EXPECT_EQ(history.parts[4].right, 0);
}

TEST(HistoryTest, ConfidenceIsHeldAgainstWhatWasRight) {
  std::vector<Attempt> attempts = {attempt_at("healthy", "healthy"), attempt_at("healthy", "straggler"),
                                   attempt_at("healthy", "healthy")};
  attempts[0].confidence_percent = 95;
  attempts[1].confidence_percent = 95;
  attempts[2].confidence_percent = 50;
  const History history = view_history(attempts);
  ASSERT_EQ(history.confidences.size(), 2U);
  EXPECT_EQ(history.confidences[0].confidence_percent, 50);
  EXPECT_EQ(history.confidences[1].attempts, 2);
  EXPECT_EQ(history.confidences[1].right, 1);
}

TEST(HistoryTest, KnowsWhichAttemptsItCanPlace) {
  EXPECT_TRUE(is_known(attempt_at("straggler", "inconclusive")));
  EXPECT_FALSE(is_known(attempt_at("gone", "straggler")));
  EXPECT_FALSE(is_known(attempt_at("straggler", "")));
}

TEST(HistoryTest, GradesAreReadBack) {
  EXPECT_EQ(parse_grade("not_needed"), Grade::not_needed);
  EXPECT_FALSE(parse_grade("great").has_value());
}

}  // namespace
}  // namespace td::drill
