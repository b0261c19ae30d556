// Seeded random streams with our own distributions: the same draws on every compiler and target.
#pragma once

#include <cstdint>
#include <string_view>

namespace td {

// One named stream of draws (xoshiro256**), derived from (seed, purpose, rank), so that a draw added in one place
// moves nothing elsewhere. Take one draw per statement: argument evaluation order differs between compilers.
class RandomStream {
 public:
  RandomStream(uint64_t seed, std::string_view purpose, int rank = 0);

  uint64_t next_u64();

  // Uniform in [low, high], both included; no modulo bias. low <= high.
  int64_t uniform_int(int64_t low, int64_t high);

  // Uniform in [0, 1), a multiple of 2^-53.
  double uniform();

  // True with probability permille / 1000.
  bool chance_permille(int permille);

  // Standard normal, by the sum of twelve uniforms (Irwin-Hall): bounded to +-6 and free of libm.
  double normal();

  // exp(sigma * normal()): median 1.
  double lognormal(double sigma);

 private:
  uint64_t state_[4];
};

}  // namespace td
