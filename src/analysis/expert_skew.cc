#include "analysis/expert_skew.h"

#include <algorithm>

#include "analysis/kernel_groups.h"
#include "analysis/text.h"
#include "base/saturate.h"

namespace td::analysis {
namespace {

using trace::CollectiveKind;
using trace::SliceId;

constexpr double kRestSpread = 0.08;
// Of all communication calls, so many are all-to-alls at least.
constexpr double kAllToAllFrac = 0.25;

CollectiveKind kind_of(const trace::RankTrace& rank, SliceId slice) {
  const trace::CollectiveArgs* args = rank.collective_args(slice);
  if (args != nullptr && args->kind != CollectiveKind::unknown) return args->kind;
  return trace::collective_of_kernel(rank.name_of(slice));
}

bool exchanges_tokens(const MeasuredRank& rank) {
  int64_t all = 0;
  int64_t exchanges = 0;
  for (const SliceId slice : rank.steady_work()) {
    if (rank.trace().kind[slice] != trace::SliceKind::comm) continue;
    ++all;
    exchanges += kind_of(rank.trace(), slice) == CollectiveKind::all_to_all ? 1 : 0;
  }
  return exchanges >= 2 && static_cast<double>(exchanges) >= kAllToAllFrac * static_cast<double>(all);
}

struct Split {
  TimeNs experts_ns = 0;  // mean per step
  TimeNs rest_ns = 0;
};

// By name; else products from a first all-to-all of a pair (dispatch) to the second (combine).
Split split_kernels(const MeasuredRank& rank, bool by_name) {
  Split out;
  bool inside = false;
  for (const SliceId slice : rank.steady_work()) {
    const trace::RankTrace& trace = rank.trace();
    if (trace.kind[slice] == trace::SliceKind::comm && kind_of(trace, slice) == CollectiveKind::all_to_all)
      inside = !inside;
    if (trace.kind[slice] != trace::SliceKind::compute) continue;
    const bool expert = by_name ? is_expert_kernel(trace.name_of(slice)) : inside;
    accumulate(expert ? out.experts_ns : out.rest_ns, trace.dur_ns[slice]);
  }
  const auto steps = static_cast<TimeNs>(std::max<size_t>(1, rank.steps.steady.size()));
  return {out.experts_ns / steps, out.rest_ns / steps};
}

}  // namespace

std::optional<ExpertSkew> expert_skew(const Measured& measured) {
  const size_t first = measured.first_rank();
  if (first == Measured::kNone || measured.ranks.size() < 2 || !exchanges_tokens(measured.ranks[first]))
    return std::nullopt;
  ExpertSkew skew;
  skew.by_name = kernel_time_ns(measured.ranks[first], is_expert_kernel) > 0;
  TimeNs experts_ns = 0;
  TimeNs rest_ns = 0;
  TimeNs rest_most_ns = 0;
  TimeNs least_ns = INT64_MAX;
  int64_t ranks = 0;
  for (size_t r = 0; r < measured.ranks.size(); ++r) {
    if (measured.reading->ledgers[r].steps == 0) continue;
    const Split split = split_kernels(measured.ranks[r], skew.by_name);
    ++ranks;
    accumulate(experts_ns, split.experts_ns);
    accumulate(rest_ns, split.rest_ns);
    rest_most_ns = std::max(rest_most_ns, split.rest_ns);
    if (split.experts_ns > skew.most_ns) {
      skew.most_ns = split.experts_ns;
      skew.fullest = r;
    }
    if (split.experts_ns < least_ns) {
      least_ns = split.experts_ns;
      skew.emptiest = r;
    }
  }
  if (ranks < 2 || experts_ns <= 0) return std::nullopt;
  skew.mean_ns = experts_ns / ranks;
  skew.factor = fraction(skew.most_ns, skew.mean_ns);
  skew.rest_factor = rest_ns > 0 ? fraction(rest_most_ns, rest_ns / ranks) : 1;
  skew.wait_ns = measured.reading->collectives.wait_ns.value_or(0);
  if (skew.factor - 1 < kExpertSpread || skew.rest_factor - 1 > kRestSpread) return std::nullopt;
  skew.gain_ns = skew.most_ns - skew.mean_ns;
  return skew;
}

}  // namespace td::analysis
