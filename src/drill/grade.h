// Grading as a pure function: truth and answer in, verdict out; no clock, no storage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drill/truth.h"

namespace td::drill {

// What the learner committed to. Only the diagnosis is required.
struct AnswerPlace {
  int32_t rank = 0;
  std::optional<trace::TrackId> track;  // nothing: all rows of the rank
  Interval at;
};
struct AnswerWin {
  int64_t value_millionths = 0;  // of a percent or of a millisecond
  bool in_ms = false;
};
struct Answer {
  std::string diagnosis;
  std::optional<AnswerPlace> place;
  std::optional<int64_t> number_millionths;
  std::string measurement;  // empty: none
  std::string fix;
  std::optional<AnswerWin> win;
  std::optional<int32_t> confidence_percent;
  std::optional<int64_t> elapsed_ms;
  bool paused = false;
};

// What is right and what is close. Shares in permille.
struct Rubric {
  int32_t place_right_permille = 500;  // overlap / the longer of answer and evidence
  int32_t place_close_permille = 200;
  int32_t number_right_permille = 100;  // off by at most 10 % of either value, or between them
  int32_t number_close_factor = 2;
  int32_t win_right_permille = 200;  // off by at most 20 % of the win, or
  int32_t win_right_points = 3;      // by three points of the step
  int32_t win_close_factor = 2;
  int64_t limit_ms = 120000;
};

enum class Grade : uint8_t { right, close, wrong, missing, not_needed };
std::string_view to_string(Grade grade);

struct Part {
  std::string id;  // "diagnosis", "place", "number", "measurement", "fix", "win", "confidence"
  Grade grade = Grade::missing;
  std::string yours;  // as given, with its unit; empty if missing
  std::string truth;
  std::string why;  // one sentence
};

struct Verdict {
  int32_t right = 0;  // parts graded right
  int32_t of = 0;     // parts that count: all but those not needed
  bool in_time = false;
  std::vector<Part> parts;  // always all seven, in the order of the form
};

Verdict grade(const Truth& truth, const Answer& answer, const Rubric& rubric = {});

}  // namespace td::drill
