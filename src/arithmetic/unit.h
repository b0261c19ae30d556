// Units as questions, steps and typed answers spell them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "arithmetic/quantity.h"

namespace td::arithmetic {

struct Unit {
  std::string symbol;  // "GB/s", "sequences"; empty for a bare number
  double scale = 1;    // of one unit in base units
  Dimension dimension;
};

// A unit by its symbol: an optional prefix (k M G T P E Z, Ki Mi Gi Ti, m u n), a base (B, FLOP, s, min, h, days, tok,
// params, B/param ...) and further bases after "/". A word that is none is a plain count of that ("sequences"), as is
// the empty symbol; "%" is a plain number of 1/100. Only for symbols that the program itself writes: typed ones go
// through parse_answer.
Unit unit(std::string_view symbol);

// The prefixed unit in which the number has one to three digits before the point: 4.59e9 bytes -> GB. Time below a
// second is ms, us or ns, above 120 s minutes, hours, days. Bytes a token keep KiB out: prefixes are decimal.
Unit fitting_unit(const Quantity& quantity);

// `value` with up to `significant` digits, no trailing zeros, thousands by a comma, no exponent below 1e15.
std::string digits(double value, int significant);

// The number with its unit: "4.59 GB", "1,024 sequences", "$0.33", "17.9 %".
std::string text_of(const Quantity& quantity, const Unit& unit, int significant = 3);

// What a number of that dimension is called, for messages: "a time such as 10 ms".
std::string described(const Unit& unit);

}  // namespace td::arithmetic
