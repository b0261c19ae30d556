#include "tracedrills/suggest.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace td::app {
namespace {

// Letters to insert, drop, change or swap with the neighbour to make one of the other.
size_t typing_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before;
  std::vector<size_t> above(b.size() + 1);
  std::iota(above.begin(), above.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    std::vector<size_t> row(b.size() + 1, i);
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::move(above);
    above = std::move(row);
  }
  return above[b.size()];
}

}  // namespace

std::string no_such(std::string_view kind, std::string_view word, std::span<const std::string_view> names) {
  std::string out = "no " + std::string(kind) + " \"" + std::string(word.substr(0, 100)) + "\"; ";
  constexpr size_t kLongestWord = 40;  // the distance costs the product of both lengths
  constexpr size_t kCloseEnough = 2;
  if (word.size() <= kLongestWord) {
    const auto nearest =
        std::ranges::min_element(names, {}, [&](std::string_view name) { return typing_distance(word, name); });
    if (nearest != names.end() && typing_distance(word, *nearest) <= kCloseEnough) {
      return out + "did you mean \"" + std::string(*nearest) + "\"?";
    }
  }
  out += "expected one of ";
  for (size_t i = 0; i < names.size(); ++i) out.append(i == 0 ? "" : ", ").append(names[i]);
  return out;
}

}  // namespace td::app
