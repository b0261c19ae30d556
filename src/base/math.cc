#include "base/math.h"

#include <bit>

namespace td {
namespace {

constexpr double kLn2 = 0.693147180559945309417232121458;

// 2^n for n in [-1022, 1023], by setting the exponent bits.
double power_of_two(int n) { return std::bit_cast<double>(static_cast<uint64_t>(n + 1023) << 52); }

}  // namespace

double log_exact(double x) {
  // x = m * 2^e with m in [sqrt(1/2), sqrt(2)); log m = 2 atanh((m-1)/(m+1)) as a series, |z| < 0.1716.
  auto bits = std::bit_cast<uint64_t>(x);
  int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023;
  double m = std::bit_cast<double>((bits & 0x000f'ffff'ffff'ffffULL) | 0x3ff0'0000'0000'0000ULL);
  if (m > 1.41421356237309504880) {
    m = m * 0.5;
    exponent += 1;
  }
  const double z = (m - 1.0) / (m + 1.0);
  const double z2 = z * z;
  double sum = 0.0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * z2 + 1.0 / k;
  return 2.0 * z * sum + exponent * kLn2;
}

double exp_exact(double x) {
  if (x > 700.0) x = 700.0;
  if (x < -700.0) x = -700.0;
  const int64_t n = round_to_int(x / kLn2);
  const double r = x - static_cast<double>(n) * kLn2;  // |r| <= 0.347
  double sum = 1.0;
  for (int k = 18; k >= 1; --k) sum = 1.0 + r * sum / k;
  return sum * power_of_two(static_cast<int>(n));
}

int64_t round_to_int(double x) { return static_cast<int64_t>(x < 0 ? x - 0.5 : x + 0.5); }

}  // namespace td
