// Numbers as a reveal prints them. All from integers, so that every target prints the same.
#pragma once

#include <cstdint>
#include <string>

#include "base/units.h"

namespace td::drill {

// value / unit rounded half away from zero to `decimals` (0..6): decimal_text(22849, 1000, 1) is "22.8".
std::string decimal_text(int64_t value, int64_t unit, int decimals);

// "101 530" reads badly in a sentence; thousands are set apart by a comma: "101,530".
std::string grouped_text(int64_t value);

// Share of 0..1 in millionths as "22.6 %".
std::string percent_text(int64_t millionths);

// part / whole in millionths, 0 if whole is 0.
int64_t share_millionths(int64_t part, int64_t whole);

// "104.9 MB", "2.4 GB" (decimal units).
std::string bytes_text(int64_t size_bytes);
// "366 GB/s", "11.8 GB/s".
std::string rate_text(int64_t bytes_per_s);

// Milliseconds with the number of decimals that suits a step of this length. Sums are made of rounded values, so that
// the arithmetic on screen closes: round() first, then add, then text().
class MsScale {
 public:
  explicit MsScale(TimeNs step_ns);
  [[nodiscard]] TimeNs round(TimeNs value_ns) const;
  [[nodiscard]] std::string text(TimeNs value_ns) const;    // "22.9 ms"
  [[nodiscard]] std::string number(TimeNs value_ns) const;  // "22.9"

 private:
  int decimals_;
};

// A duration of any length, with at least two significant digits: "0.13 ms", "23.0 ms", "353 ms".
std::string dur_text(TimeNs dur_ns);

// "three" for 3, digits above twelve.
std::string count_word(int64_t count);

}  // namespace td::drill
