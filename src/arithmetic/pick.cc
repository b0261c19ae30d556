#include "arithmetic/pick.h"

#include <algorithm>
#include <array>

#include "base/random.h"

namespace td::arithmetic {
namespace {

constexpr int kRemembered = 10;

double score_of(const Attempt& attempt) {
  if (!attempt.in_time) return 0;
  if (attempt.grade == Grade::right) return 1;
  return attempt.grade == Grade::close ? 0.5 : 0;
}

}  // namespace

std::vector<const Category*> core_categories() {
  std::vector<const Category*> out;
  for (const Category& category : all_categories()) {
    if (category.is_core) out.push_back(&category);
  }
  return out;
}

const Category& pick_any(std::span<const Category* const> set, uint32_t seed) {
  RandomStream stream(seed, "arithmetic/pick");
  return *set[static_cast<size_t>(stream.uniform_int(0, static_cast<int64_t>(set.size()) - 1))];
}

double expected_score(std::string_view category, std::span<const Attempt> attempts) {
  double sum = 1;
  int count = 2;
  int left = kRemembered;
  for (size_t i = attempts.size(); i-- > 0 && left > 0;) {
    const Attempt& attempt = attempts[i];
    if (attempt.category != category || attempt.open_book) continue;
    sum += score_of(attempt);
    ++count;
    --left;
  }
  return sum / count;
}

const Category& pick_weakest(std::span<const Category* const> set, std::span<const Attempt> attempts, uint32_t seed) {
  struct Ranked {
    const Category* category = nullptr;
    double score = 0;
    uint64_t tie = 0;
  };
  RandomStream stream(seed, "arithmetic/weakest");
  std::vector<Ranked> ranked;
  for (const Category* category : set)
    ranked.push_back({category, expected_score(category->id, attempts), stream.next_u64()});
  std::ranges::sort(
      ranked, [](const Ranked& a, const Ranked& b) { return a.score != b.score ? a.score < b.score : a.tie < b.tie; });
  static constexpr std::array<size_t, 6> kPlaces = {0, 0, 0, 1, 1, 2};
  const size_t place = kPlaces[static_cast<size_t>(stream.uniform_int(0, 5))];
  return *ranked[std::min(place, ranked.size() - 1)].category;
}

Tally tally(std::span<const Attempt> attempts) {
  Tally out;
  std::vector<int64_t> times;
  for (const Attempt& attempt : attempts) {
    ++out.count;
    times.push_back(attempt.elapsed_ms);
    if (attempt.open_book) ++out.open_book;
    if (!attempt.in_time) {
      ++out.miss;
    } else if (attempt.grade == Grade::right) {
      ++out.right;
    } else if (attempt.grade == Grade::close) {
      ++out.close;
    } else {
      ++out.wrong;
    }
  }
  if (!times.empty()) {
    std::ranges::sort(times);
    out.median_ms = times[(times.size() - 1) / 2];
  }
  return out;
}

}  // namespace td::arithmetic
