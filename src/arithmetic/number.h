// The number at the start of a typed answer.
#pragma once

#include <string_view>

#include "base/result.h"

namespace td::arithmetic {

struct Number {
  double value = 0;
  std::string_view rest;  // what follows, spaces trimmed: the unit
};

// Reads "1.3", "1,300", "3e9", "2^20", "10^9", "3 x 10^9", "3×10⁹", "3/4", "~40", "about 5". invalid_argument says what
// a number looks like: none there, a comma that is no thousands mark, a sign, beyond 1e±40, division by 0. Exact to a
// few units of the last place and the same on every compiler.
Result<Number> parse_number(std::string_view text);

}  // namespace td::arithmetic
