// What a learner typed, as a number or a verdict.
#pragma once

#include <string>
#include <string_view>

#include "arithmetic/problem.h"
#include "base/result.h"

namespace td::arithmetic {

struct Answer {
  Quantity quantity;    // where the problem asks for a number
  std::string verdict;  // where it asks for one: a Choice's id
  std::string read_as;  // how the text was understood: "5.1 ms", "compute-bound"
};

// Parsed kindly: `1.3 TB/s`, `295`, `4.2ms`, `~40 tok/s`, `2^20`, `3e9`, `1,300`, `yes`, `compute`. A bare number is in
// the unit that the question asks for; where that is %, one up to 1 is a fraction. invalid_argument says what was
// expected: another kind of unit, no number, a verdict that is none of the choices, more than 200 bytes.
Result<Answer> parse_answer(std::string_view text, const Problem& problem);

}  // namespace td::arithmetic
