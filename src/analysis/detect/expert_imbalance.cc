#include "analysis/expert_skew.h"

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/text.h"
#include "analysis/what_if.h"

namespace td::analysis::detect {
namespace {

constexpr double kLossFrac = 0.05;

std::optional<Finding> detect_expert_imbalance(const Measured& measured) {
  const std::optional<ExpertSkew> skew = expert_skew(measured);
  if (!skew) return std::nullopt;
  const TimeNs step_ns = measured.mean_step_ns();
  const double loss = fraction(skew->gain_ns, step_ns);
  if (loss < kLossFrac) return std::nullopt;
  const Ledger& ledger = measured.reading->ledgers[measured.first_rank()];

  Finding finding = finding_of("expert_imbalance");
  finding.confidence = confidence_of({{loss, kLossFrac}, {skew->factor - 1, kExpertSpread}},
                                     evidence_quality(measured, ledger) * (skew->by_name ? 1.0 : 0.8));
  finding.cost_ns_per_step = skew->gain_ns;
  finding.evidence.push_back({"The experts' kernels take " + decimal_text(skew->factor, 2) +
                                  "x the mean on the fullest rank (" + duration_text(skew->most_ns) + " of " +
                                  duration_text(skew->mean_ns) + " a step); all other kernels differ by " +
                                  decimal_text(skew->rest_factor, 2) + "x.",
                              longest_slices(measured.ranks[skew->fullest], trace::SliceKind::compute, 1)});
  finding.evidence.push_back({"The ranks meet in all-to-alls: who computes least waits longest (" +
                                  share_text(measured, skew->wait_ns, step_ns) + " of waiting).",
                              longest_slices(measured.ranks[skew->emptiest], trace::SliceKind::comm, 1)});
  finding.ruled_out.push_back({"straggler", "a slow rank is slow in every kernel; here the rest is even"});
  finding.ruled_out.push_back(
      {"bandwidth_bound_collective", "the all-to-alls differ between ranks by what these compute"});
  finding.what_if = per_step(step_ns, skew->gain_ns, "every rank's experts take the mean of the ranks");
  return finding;
}

}  // namespace

Detector expert_imbalance() { return {.cause = "expert_imbalance", .detect = detect_expert_imbalance}; }

}  // namespace td::analysis::detect
