#include <algorithm>
#include <vector>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/saturate.h"

namespace td::analysis::detect {
namespace {

// Of the lateness, so much stands in steps whose last rank computes longer on larger grids.
constexpr double kExplainedFrac = 0.6;
// A step's excess of compute explains its lateness from this share of it on.
constexpr double kComputeFrac = 0.5;

// Blocks launched by a rank in each of its steady steps; empty if no grids were recorded.
std::vector<int64_t> blocks_by_step(const MeasuredRank& rank) {
  std::vector<int64_t> out(rank.steps.steady.size(), 0);
  bool known = false;
  for (const trace::SliceId slice : rank.steady_work()) {
    const trace::KernelArgs* args = rank.trace().kernel_args(slice);
    if (args == nullptr || rank.trace().kind[slice] != trace::SliceKind::compute) continue;
    known = true;
    const size_t step = rank.steps.steady_at(std::max(rank.trace().end_ns(slice), rank.trace().start_ns[slice] + 1));
    if (step == RankSteps::kNone) continue;
    accumulate(out[step],
               int64_t{args->grid[0]} * std::max<uint32_t>(1, args->grid[1]) * std::max<uint32_t>(1, args->grid[2]));
  }
  return known ? out : std::vector<int64_t>{};
}

// What one rank has more than the median other in a step.
template <typename Values>
int64_t excess(const std::vector<Values>& by_rank, size_t rank, size_t step) {
  std::vector<TimeNs> others;
  for (size_t r = 0; r < by_rank.size(); ++r)
    if (r != rank) others.push_back(by_rank[r][step]);
  return by_rank[rank][step] - median_ns(std::move(others));
}

struct Explained {
  TimeNs lateness_ns = 0;  // summed over the steps
  TimeNs by_data_ns = 0;
  std::vector<size_t> ranks;  // that were last with more work
  bool grids_known = false;
};

Explained explain(const Measured& measured) {
  Explained out;
  const std::vector<int64_t>& last = measured.lateness.last_rank;
  std::vector<std::vector<TimeNs>> compute;
  std::vector<std::vector<int64_t>> blocks;
  for (size_t r = 0; r < measured.ranks.size(); ++r) {
    std::vector<TimeNs> own;
    for (const StepLedger& step : measured.reading->ledgers[r].per_step) own.push_back(step.compute_ns);
    if (own.size() != last.size()) return out;
    compute.push_back(std::move(own));
    if (std::vector<int64_t> counted = blocks_by_step(measured.ranks[r]); !counted.empty())
      blocks.push_back(std::move(counted));
  }
  out.grids_known = blocks.size() == compute.size();
  for (size_t step = 0; step < last.size(); ++step) {
    accumulate(out.lateness_ns, measured.lateness.lateness_ns[step]);
    if (last[step] < 0) continue;
    const auto rank = static_cast<size_t>(last[step]);
    const double late = static_cast<double>(measured.lateness.lateness_ns[step]);
    if (static_cast<double>(excess(compute, rank, step)) < kComputeFrac * late) continue;
    if (out.grids_known && excess(blocks, rank, step) <= 0) continue;
    accumulate(out.by_data_ns, measured.lateness.lateness_ns[step]);
    if (std::ranges::find(out.ranks, rank) == out.ranks.end()) out.ranks.push_back(rank);
  }
  return out;
}

std::optional<Finding> detect_data_skew(const Measured& measured) {
  const LastArrival& last = measured.reading->collectives.last_arrival;
  if (last.kind != LastArrivalKind::rotating || !last.lateness_ns) return std::nullopt;
  const Explained explained = explain(measured);
  if (explained.ranks.size() < 2) return std::nullopt;
  const double share = fraction(explained.by_data_ns, explained.lateness_ns);
  if (share < kExplainedFrac) return std::nullopt;
  const TimeNs step_ns = measured.mean_step_ns();
  const Ledger& ledger = measured.reading->ledgers[measured.first_rank()];

  Finding finding = finding_of("data_skew");
  finding.confidence = confidence_of({{fraction(*last.lateness_ns, step_ns), kLateFrac}, {share * 2, kExplainedFrac}},
                                     evidence_quality(measured, ledger) * (explained.grids_known ? 1.0 : 0.7));
  finding.cost_ns_per_step = last.lateness_ns;
  finding.evidence.push_back({"A rank is last in turn (" + std::to_string(explained.ranks.size()) + " of " +
                                  count_text(static_cast<int64_t>(measured.ranks.size()), "rank") +
                                  "): waiting for it costs " + share_text(measured, *last.lateness_ns, step_ns) + ".",
                              longest_slices(measured.ranks[measured.first_rank()], trace::SliceKind::comm, 1)});
  finding.evidence.push_back({"In the steps that hold " + percent_text(share) +
                                  " of that, the last rank computes longer than the others" +
                                  (explained.grids_known ? " on larger grids: it has more data." : "."),
                              {}});
  finding.ruled_out.push_back({"straggler", "no rank is last in " + percent_text(kAlwaysLastFrac) + " of the steps"});
  finding.ruled_out.push_back(
      {"bandwidth_bound_collective", "the exposed time differs between ranks and steps with who is last"});
  finding.what_if = per_step(step_ns, *last.lateness_ns,
                             "each step's collectives replayed with its last rank at the pace of the median other");
  return finding;
}

}  // namespace

Detector data_skew() { return {.cause = "data_skew", .detect = detect_data_skew}; }

}  // namespace td::analysis::detect
