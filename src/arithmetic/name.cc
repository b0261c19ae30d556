#include "arithmetic/name.h"

namespace td::arithmetic {
namespace {

constexpr std::string_view kVersion = "math.1/";
constexpr uint64_t kMask = (uint64_t{1} << 48) - 1;
constexpr uint64_t kFactor = 0x9e37'79b9'7f4bULL;  // odd, so it has an inverse modulo 2^48
constexpr size_t kDigits = 12;

// The inverse of an odd number modulo 2^48, by Newton's iteration.
constexpr uint64_t inverse(uint64_t odd) {
  uint64_t x = odd;
  for (int i = 0; i < 6; ++i) x = (x * (2 - odd * x)) & kMask;
  return x;
}
static_assert(((kFactor * inverse(kFactor)) & kMask) == 1);

// Its own inverse, since 48 - 24 bits are moved onto 24.
uint64_t fold(uint64_t x) { return x ^ (x >> 24); }
uint64_t stir(uint64_t x) { return fold((fold((x * kFactor) & kMask) * kFactor) & kMask); }
uint64_t unstir(uint64_t x) {
  x = (fold(x) * inverse(kFactor)) & kMask;
  return (fold(x) * inverse(kFactor)) & kMask;
}

// 16 bits of FNV-1a. A test holds that no two categories share one.
uint64_t tag_of(std::string_view id) {
  uint64_t hash = 0xcbf2'9ce4'8422'2325ULL;
  for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01b3ULL;
  return (hash ^ (hash >> 16) ^ (hash >> 32) ^ (hash >> 48)) & 0xffff;
}

std::unexpected<Error> bad(ErrorCode code, std::string_view name) {
  return fail(code, "no problem " + quote_short(name) + ", expected math.1/ and twelve digits 0-9 a-f", "problem");
}

}  // namespace

std::string problem_name(std::string_view category_id, uint32_t seed) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  const uint64_t stirred = stir((tag_of(category_id) << 32) | seed);
  std::string out(kVersion);
  for (size_t i = kDigits; i-- > 0;) out += kHex[(stirred >> (4 * i)) & 15];
  return out;
}

Result<NamedProblem> parse_problem_name(std::string_view name) {
  if (!name.starts_with(kVersion) || name.size() != kVersion.size() + kDigits) return bad(ErrorCode::malformed, name);
  uint64_t stirred = 0;
  for (const char c : name.substr(kVersion.size())) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit && (c < 'a' || c > 'f')) return bad(ErrorCode::malformed, name);
    stirred = stirred * 16 + static_cast<uint64_t>(digit ? c - '0' : c - 'a' + 10);
  }
  const uint64_t plain = unstir(stirred);
  for (const Category& category : all_categories()) {
    if (tag_of(category.id) == plain >> 32) return NamedProblem{&category, static_cast<uint32_t>(plain)};
  }
  return bad(ErrorCode::not_found, name);
}

}  // namespace td::arithmetic
