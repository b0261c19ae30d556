#include <algorithm>
#include <map>
#include <vector>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/kernel_groups.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/saturate.h"

namespace td::analysis::detect {
namespace {

constexpr double kWinFrac = 0.05;
constexpr double kSpread = 0.08;  // longest stage over the mean, less one
// Kernels that the stages have in common may differ by this much; beyond it a rank is slow, not full.
constexpr double kSameSpeed = 1.04;
// Of the waits, so much is point to point: it is a pipeline's.
constexpr double kPointToPointFrac = 0.3;

bool is_point_to_point(const MeasuredRank& rank, trace::SliceId slice) {
  const trace::CollectiveArgs* args = rank.trace().collective_args(slice);
  if (args != nullptr && args->kind != trace::CollectiveKind::unknown)
    return args->kind == trace::CollectiveKind::send_recv;
  return trace::collective_of_kernel(rank.trace().name_of(slice)) == trace::CollectiveKind::send_recv;
}

// Share of the communication time that is sent from rank to rank.
double point_to_point_frac(const MeasuredRank& rank) {
  TimeNs all_ns = 0;
  TimeNs sent_ns = 0;
  for (const trace::SliceId slice : rank.steady_work()) {
    if (rank.trace().kind[slice] != trace::SliceKind::comm) continue;
    accumulate(all_ns, rank.trace().dur_ns[slice]);
    if (is_point_to_point(rank, slice)) accumulate(sent_ns, rank.trace().dur_ns[slice]);
  }
  return fraction(sent_ns, all_ns);
}

struct Stages {
  size_t longest = Measured::kNone;
  size_t other = Measured::kNone;  // the one of median compute
  TimeNs most_ns = 0;
  TimeNs mean_ns = 0;
  int64_t count = 0;
};

Stages stages_of(const Measured& measured) {
  Stages out;
  std::vector<std::pair<TimeNs, size_t>> by_compute;
  TimeNs sum_ns = 0;
  for (size_t r = 0; r < measured.ranks.size(); ++r) {
    const Ledger& ledger = measured.reading->ledgers[r];
    if (ledger.steps == 0 || point_to_point_frac(measured.ranks[r]) < kPointToPointFrac) continue;
    by_compute.emplace_back(ledger.compute_ns, r);
    accumulate(sum_ns, ledger.compute_ns);
  }
  if (by_compute.size() < 2) return out;
  std::ranges::sort(by_compute);
  out.count = static_cast<int64_t>(by_compute.size());
  out.longest = by_compute.back().second;
  out.other = by_compute[(by_compute.size() - 1) / 2].second;
  out.most_ns = by_compute.back().first;
  out.mean_ns = sum_ns / out.count;
  return out;
}

std::optional<Finding> detect_stage_imbalance(const Measured& measured) {
  const Stages stages = stages_of(measured);
  if (stages.longest == Measured::kNone) return std::nullopt;
  const TimeNs step_ns = measured.mean_step_ns();
  const TimeNs gain_ns = stages.most_ns - stages.mean_ns;
  const double spread = fraction(gain_ns, stages.mean_ns);
  const double win = fraction(gain_ns, step_ns);
  if (spread < kSpread || win < kWinFrac) return std::nullopt;
  const double pace = pace_of(measured.ranks[stages.longest], measured.ranks[stages.other]);
  if (pace > kSameSpeed) return std::nullopt;
  const Ledger& own = measured.reading->ledgers[stages.longest];
  const Ledger& other = measured.reading->ledgers[stages.other];

  Finding finding = finding_of("stage_imbalance");
  finding.confidence = confidence_of({{win, kWinFrac}, {spread, kSpread}}, evidence_quality(measured, own));
  finding.cost_ns_per_step = gain_ns;
  finding.evidence.push_back({"Rank " + std::to_string(own.rank) + "'s stage computes " +
                                  duration_text(stages.most_ns) + " a step, the mean of " +
                                  std::to_string(stages.count) + " stages " + duration_text(stages.mean_ns) +
                                  ": balance " + percent_text(stages.mean_ns, stages.most_ns) + ".",
                              longest_slices(measured.ranks[stages.longest], trace::SliceKind::compute, 2)});
  finding.evidence.push_back({"The other stages wait for it: without compute rank " + std::to_string(other.rank) +
                                  " stands " + duration_text(other.step_ns - other.compute_ns) + " a step, rank " +
                                  std::to_string(own.rank) + " " + duration_text(own.step_ns - own.compute_ns) + ".",
                              longest_slices(measured.ranks[stages.other], trace::SliceKind::comm, 1)});
  finding.ruled_out.push_back({"pipeline_bubbles", "a bubble leaves every stage the same compute; here one has more"});
  finding.ruled_out.push_back({"straggler", "the kernels that the stages share take " + decimal_text(pace, 2) +
                                                "x as long on that rank: it has more to do, it is not slower"});
  finding.what_if = per_step(step_ns, gain_ns, "every stage computes as long as the mean one");
  return finding;
}

}  // namespace

Detector stage_imbalance() { return {.cause = "stage_imbalance", .detect = detect_stage_imbalance}; }

}  // namespace td::analysis::detect
