// The mental-math trainer in a terminal: asks, reads a line, grades, shows the working, and asks the next.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/json.h"
#include "base/result.h"

namespace td::app {

struct MathSession {
  std::string mode = "one";          // "one", "storm", "weakest", "cards"
  Json set;                          // what math_next takes: "core", "all" or a list
  std::optional<std::string> first;  // a problem by name, asked first
  uint32_t seed = 0;                 // what is drawn
  bool has_clock = true;             // false: no answer is a miss
  // The world: a line of the learner's, nothing at its end; text for the screen; milliseconds of a steady clock; the
  // API.
  std::function<std::optional<std::string>()> read_line;
  std::function<Status(std::string_view)> print;
  std::function<int64_t()> now_ms;
  std::function<Result<Json>(std::string_view method, const Json& request)> call;
};

// Runs until the learner types q, the input ends or the storm is over; then prints how it went. Fails if the API does
// or the screen cannot be written.
Status run_math_session(const MathSession& session);

// The lines of a question and of a working, shared with the command's single answers.
std::string question_text(const Json& opened);
std::string working_text(const Json& graded);

}  // namespace td::app
