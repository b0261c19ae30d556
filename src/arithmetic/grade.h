// How near an answer is, and which slip explains it. Pure: time comes in as a number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arithmetic/answer.h"
#include "arithmetic/problem.h"

namespace td::arithmetic {

enum class Grade : uint8_t { right, close, wrong };
std::string_view to_string(Grade grade);

struct Judgement {
  Grade grade = Grade::wrong;
  std::string why;   // one or two sentences
  std::string slip;  // its name ("both directions"), or empty; of several that give the same number, joined by " or "
};

inline constexpr double kRightFrac = 0.10;    // relative
inline constexpr double kCloseFactor = 2.0;   // either way: the reflex is there, the arithmetic slipped
inline constexpr int64_t kLimitMs = 120'000;  // over it is a miss
inline constexpr int64_t kStormMs = 180'000;  // a storm's length

Judgement grade(const Problem& problem, const Answer& answer);

// The right answer as it is printed: "10.2 ms", "compute-bound".
std::string answer_text(const Problem& problem);

}  // namespace td::arithmetic
