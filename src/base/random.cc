#include "base/random.h"

#include "base/math.h"

namespace td {
namespace {

uint64_t rotate_left(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

uint64_t splitmix64(uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

RandomStream::RandomStream(uint64_t seed, std::string_view purpose, int rank) {
  uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a over the purpose
  for (char c : purpose) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  uint64_t mix = seed;
  mix = splitmix64(mix) ^ hash;
  mix = splitmix64(mix) ^ static_cast<uint64_t>(static_cast<int64_t>(rank));
  for (uint64_t& word : state_) word = splitmix64(mix);
}

uint64_t RandomStream::next_u64() {
  const uint64_t result = rotate_left(state_[1] * 5, 7) * 9;
  const uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = rotate_left(state_[3], 45);
  return result;
}

int64_t RandomStream::uniform_int(int64_t low, int64_t high) {
  const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
  if (span == 0) return static_cast<int64_t>(next_u64());  // the whole range of int64_t
  const uint64_t limit = UINT64_MAX - UINT64_MAX % span;
  uint64_t draw = next_u64();
  while (draw >= limit) draw = next_u64();
  return static_cast<int64_t>(static_cast<uint64_t>(low) + draw % span);
}

double RandomStream::uniform() { return static_cast<double>(next_u64() >> 11) * 0x1.0p-53; }

bool RandomStream::chance_permille(int permille) { return uniform_int(0, 999) < permille; }

double RandomStream::normal() {
  double sum = 0.0;
  for (int i = 0; i < 12; ++i) sum += uniform();
  return sum - 6.0;
}

double RandomStream::lognormal(double sigma) { return exp_exact(sigma * normal()); }

}  // namespace td
