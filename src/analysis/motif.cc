#include "analysis/motif.h"

#include <algorithm>
#include <map>
#include <utility>

namespace td::analysis {
namespace {

constexpr size_t kMinRepetitions = 3;
constexpr size_t kMaxCandidates = 24;
constexpr size_t kMinPeriod = 2;

// Distances between successive occurrences of rare names, the most frequent distances first. A name that occurs once a
// step votes for the step; names inside a layer loop vote for the layer, and lose by being shorter.
std::vector<size_t> candidate_periods(const std::vector<uint32_t>& names) {
  std::map<uint32_t, std::vector<size_t>> places;
  for (size_t at = 0; at < names.size(); ++at) places[names[at]].push_back(at);
  std::map<size_t, size_t> votes;
  for (const auto& [name, at] : places) {
    if (at.size() < kMinRepetitions) continue;
    std::map<size_t, size_t> own;
    for (size_t i = 1; i < at.size(); ++i) ++own[at[i] - at[i - 1]];
    const auto best = std::ranges::max_element(own, {}, [](const auto& entry) { return entry.second; });
    if (best->first >= kMinPeriod && best->second * 2 >= at.size() - 1) ++votes[best->first];
  }
  std::vector<std::pair<size_t, size_t>> ranked;  // (votes, period)
  for (const auto& [period, count] : votes) ranked.emplace_back(count, period);
  std::ranges::sort(ranked, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second > b.second;
  });
  if (ranked.size() > kMaxCandidates) ranked.resize(kMaxCandidates);
  std::vector<size_t> periods;
  for (const auto& [count, period] : ranked) periods.push_back(period);
  std::ranges::sort(periods, std::greater<>());
  return periods;
}

// The longest stretch in which names[i] == names[i + period] holds in nine of ten places, as whole repetitions.
std::optional<Motif> verify(const std::vector<uint32_t>& names, size_t period) {
  const size_t n = names.size();
  if (period * kMinRepetitions > n) return std::nullopt;
  size_t begin = 0;
  while (begin + period < n && names[begin] != names[begin + period]) ++begin;
  size_t end = n - period;
  while (end > begin && names[end - 1] != names[end - 1 + period]) --end;
  size_t equal = 0;
  for (size_t i = begin; i < end; ++i) equal += names[i] == names[i + period] ? 1 : 0;
  if (equal * 10 < (end - begin) * 9) return std::nullopt;
  const size_t length = end - begin + period;
  const size_t count = length / period;
  if (count < kMinRepetitions || length * 5 < n * 4) return std::nullopt;
  return Motif{period, begin, count};
}

}  // namespace

std::optional<Motif> find_motif(const std::vector<uint32_t>& names) {
  for (const size_t period : candidate_periods(names))
    if (const std::optional<Motif> motif = verify(names, period)) return motif;
  return std::nullopt;
}

}  // namespace td::analysis
