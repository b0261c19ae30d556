#include "analysis/motif.h"

#include <algorithm>
#include <map>
#include <utility>

namespace td::analysis {
namespace {

constexpr size_t kMinRepetitions = 3;
constexpr size_t kMaxCandidates = 24;
constexpr size_t kMinPeriod = 2;
constexpr size_t kAskedRarest = 16;
constexpr size_t kAskedNext = 8;
constexpr size_t kAsGoodPermille = 5;

// The commonest distance from each occurrence to the m-th after it; 0 unless half of them have it.
size_t usual_distance(const std::vector<size_t>& at, size_t m) {
  std::map<size_t, size_t> seen;
  for (size_t i = m; i < at.size(); ++i) ++seen[at[i] - at[i - m]];
  if (seen.empty()) return 0;
  const auto best = std::ranges::max_element(seen, {}, [](const auto& entry) { return entry.second; });
  return best->second * 2 >= at.size() - m ? best->first : 0;
}

// Distances at which rare names come again, the most frequent distances first. A name that occurs once a step votes for
// the step; names inside a layer loop vote for the layer, and lose by being shorter. Where every name occurs several
// times a step, the rarest ones are asked for their m-th next occurrence as well.
std::vector<size_t> candidate_periods(const std::vector<uint32_t>& names) {
  std::map<uint32_t, std::vector<size_t>> places;
  for (size_t at = 0; at < names.size(); ++at) places[names[at]].push_back(at);
  std::vector<const std::vector<size_t>*> rarest_first;
  for (const auto& [name, at] : places)
    if (at.size() >= kMinRepetitions) rarest_first.push_back(&at);
  std::ranges::stable_sort(rarest_first, {}, [](const auto* at) { return at->size(); });
  std::map<size_t, size_t> votes;
  for (size_t i = 0; i < rarest_first.size(); ++i)
    for (size_t m = 1; m <= (i < kAskedRarest ? kAskedNext : 1); ++m)
      if (const size_t period = usual_distance(*rarest_first[i], m); period >= kMinPeriod) ++votes[period];
  std::vector<std::pair<size_t, size_t>> ranked;  // (votes, period)
  for (const auto& [period, count] : votes) ranked.emplace_back(count, period);
  std::ranges::sort(ranked, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second > b.second;
  });
  if (ranked.size() > kMaxCandidates) ranked.resize(kMaxCandidates);
  std::vector<size_t> periods;
  for (const auto& [count, period] : ranked) periods.push_back(period);
  std::ranges::sort(periods);
  return periods;
}

struct Verified {
  Motif motif;
  size_t mismatch_permille = 0;
};

// The longest stretch in which names[i] == names[i + period] holds in nine of ten places, as whole repetitions.
std::optional<Verified> verify(const std::vector<uint32_t>& names, size_t period) {
  const size_t n = names.size();
  if (period * kMinRepetitions > n) return std::nullopt;
  size_t begin = 0;
  while (begin + period < n && names[begin] != names[begin + period]) ++begin;
  size_t end = n - period;
  while (end > begin && names[end - 1] != names[end - 1 + period]) --end;
  if (begin >= end) return std::nullopt;
  size_t differing = 0;
  for (size_t i = begin; i < end; ++i) differing += names[i] != names[i + period] ? 1 : 0;
  if (differing * 10 > end - begin) return std::nullopt;
  const size_t length = end - begin + period;
  const size_t count = length / period;
  if (count < kMinRepetitions || length * 5 < n * 4) return std::nullopt;
  return Verified{{period, begin, count}, differing * 1000 / (end - begin)};
}

}  // namespace

std::optional<Motif> find_motif(const std::vector<uint32_t>& names) {
  // A loop over layers repeats as well, but a step's own kernels break it once a step; two steps repeat as well as one.
  // So: the best match, and of those as good as it the shortest.
  std::vector<Verified> found;
  for (const size_t period : candidate_periods(names))
    if (const std::optional<Verified> verified = verify(names, period)) found.push_back(*verified);
  if (found.empty()) return std::nullopt;
  const size_t best = std::ranges::min(found, {}, &Verified::mismatch_permille).mismatch_permille;
  const auto chosen =
      std::ranges::find_if(found, [&](const Verified& v) { return v.mismatch_permille <= best + kAsGoodPermille; });
  return chosen->motif;
}

}  // namespace td::analysis
