#include "arithmetic/quantity.h"

namespace td::arithmetic {
namespace {

Dimension combined(const Dimension& a, const Dimension& b, int sign) {
  Dimension out;
  for (size_t i = 0; i < kBases; ++i) out.power[i] = static_cast<int8_t>(a.power[i] + sign * b.power[i]);
  out.mixed = a.mixed || b.mixed;
  return out;
}

Dimension same(const Dimension& a, const Dimension& b) {
  Dimension out = a;
  out.mixed = a.mixed || b.mixed || a.power != b.power;
  return out;
}

}  // namespace

Dimension dimension_of(Base base) {
  Dimension out;
  out.power[static_cast<size_t>(base)] = 1;
  return out;
}

Dimension operator*(const Dimension& a, const Dimension& b) { return combined(a, b, 1); }
Dimension operator/(const Dimension& a, const Dimension& b) { return combined(a, b, -1); }

Quantity operator*(const Quantity& a, const Quantity& b) { return {a.value * b.value, a.dimension * b.dimension}; }
Quantity operator/(const Quantity& a, const Quantity& b) { return {a.value / b.value, a.dimension / b.dimension}; }
Quantity operator+(const Quantity& a, const Quantity& b) { return {a.value + b.value, same(a.dimension, b.dimension)}; }
Quantity operator-(const Quantity& a, const Quantity& b) { return {a.value - b.value, same(a.dimension, b.dimension)}; }
Quantity larger(const Quantity& a, const Quantity& b) {
  return {a.value > b.value ? a.value : b.value, same(a.dimension, b.dimension)};
}
Quantity smaller(const Quantity& a, const Quantity& b) {
  return {a.value < b.value ? a.value : b.value, same(a.dimension, b.dimension)};
}

}  // namespace td::arithmetic
