// Numbers as words, the same in every sentence of a reading. Integers throughout, so that every build prints alike.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/units.h"

namespace td::analysis {

// "812 ns", "12.4 us", "3.41 ms", "101.5 ms", "2.31 s": three significant digits or one decimal.
std::string duration_text(TimeNs dur_ns);
// `part` of `whole` as "12.3 %"; "-" if whole <= 0.
std::string percent_text(int64_t part, int64_t whole);
// A fraction as "12.3 %".
std::string percent_text(double frac);
// "25.0 MiB", "512 B".
std::string bytes_text(int64_t size_bytes);
// "12.1 GB/s".
std::string rate_text(double bytes_per_s);
// `value` with one decimal ("1.4").
std::string decimal_text(double value, int decimals = 1);
// "1 step", "3 steps".
std::string count_text(int64_t count, std::string_view singular);
// A kernel name that fits: template arguments and parameters cut, at most `columns` characters.
std::string short_name(std::string_view name, size_t columns);

// part / whole as a fraction, 0 if whole <= 0.
double fraction(int64_t part, int64_t whole);

}  // namespace td::analysis
