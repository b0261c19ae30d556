// A number with its physical dimension, so that a sum whose units do not cancel is found by a test and not by a
// learner.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace td::arithmetic {

// What may be counted. Registers, ranks, blocks and sequences are plain numbers.
enum class Base : uint8_t { flop, byte, second, token, parameter, sample, dollar };
inline constexpr size_t kBases = 7;

// Exponents of the bases: FLOP/s is {flop: 1, second: -1}.
struct Dimension {
  std::array<int8_t, kBases> power = {};
  bool mixed = false;  // two unlike things were added or compared: never right

  [[nodiscard]] bool is_plain() const { return *this == Dimension{}; }
  [[nodiscard]] int of(Base base) const { return power[static_cast<size_t>(base)]; }
  bool operator==(const Dimension&) const = default;
};

Dimension dimension_of(Base base);
Dimension operator*(const Dimension& a, const Dimension& b);
Dimension operator/(const Dimension& a, const Dimension& b);

// `value` in base units: FLOP, bytes, seconds, tokens, parameters, samples, dollars.
struct Quantity {
  double value = 0;
  Dimension dimension;
};

Quantity operator*(const Quantity& a, const Quantity& b);
Quantity operator/(const Quantity& a, const Quantity& b);  // b.value must not be 0
// Of unlike things they give a dimension that is `mixed`.
Quantity operator+(const Quantity& a, const Quantity& b);
Quantity operator-(const Quantity& a, const Quantity& b);
Quantity larger(const Quantity& a, const Quantity& b);
Quantity smaller(const Quantity& a, const Quantity& b);

}  // namespace td::arithmetic
