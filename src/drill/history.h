// Views over past attempts: how often, how fast, and what one calls what. Pure: attempts in, numbers out; who keeps the
// attempts is no matter of this file.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drill/grade.h"

namespace td::drill {

// The parts of a verdict, in the order of the form.
inline constexpr std::array<std::string_view, 7> kPartIds = {"diagnosis", "place", "number",    "measurement",
                                                             "fix",       "win",   "confidence"};

// One attempt that was revealed.
struct Attempt {
  std::string cause;      // what it was: id of the catalogue
  std::string diagnosis;  // what it was called
  std::array<Grade, kPartIds.size()> grades = {};
  int64_t elapsed_ms = 0;
  bool timed = false;    // a clock ran and was never paused
  bool in_time = false;  // within the limit
  bool counts = true;    // false: a retry of a drill whose truth was known
  std::optional<int32_t> confidence_percent = {};
};

// Attempts at one cause. Shares have their counts beside them: two of three is no 67 %.
struct CauseView {
  std::string cause;
  int32_t attempts = 0;
  int32_t right = 0;  // diagnoses
  int32_t in_time = 0;
  std::optional<int64_t> median_ms = {};  // of the timed ones
};

struct PartView {
  std::string_view part;
  int32_t asked = 0;  // all but those that were not needed
  int32_t right = 0;
  int32_t close = 0;
};

// How often one was right when one was so sure.
struct ConfidenceView {
  int32_t confidence_percent = 0;
  int32_t attempts = 0;
  int32_t right = 0;
};

struct History {
  int32_t attempts = 0;  // those that count
  int32_t retries = 0;   // those that do not
  int32_t right = 0;
  int32_t in_time = 0;
  std::optional<int64_t> median_ms = {};
  std::vector<CauseView> causes;             // every core cause, in the catalogue's order
  std::vector<std::string> diagnoses;        // columns of the matrix: the core causes and "cannot tell"
  std::vector<std::vector<int32_t>> matrix;  // [row of `causes`][column]: how often that cause was called so
  std::vector<PartView> parts;
  std::vector<ConfidenceView> confidences;  // by rising confidence, those that occur
};

// Attempts at causes that the catalogue does not have must be left out by the caller (`is_known`).
History view_history(std::span<const Attempt> attempts);
bool is_known(const Attempt& attempt);

// Nothing for a text that names no grade.
std::optional<Grade> parse_grade(std::string_view text);

}  // namespace td::drill
