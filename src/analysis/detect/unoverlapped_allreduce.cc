#include "analysis/communication.h"
#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/saturate.h"

namespace td::analysis::detect {
namespace {

constexpr double kExposedFrac = 0.05;
// Communication under less than this share of the compute did not start until compute was over.
constexpr double kHiddenFrac = 0.05;
// Backward's share of forward and backward, and what bucketed hooks hide of it (timing.md 6, signatures.md 1).
constexpr double kBackwardFrac = 0.6;
constexpr double kHideable = 0.9;

// Gradients are reduced: all_reduce or reduce_scatter makes up most of the communication.
bool reduces_gradients(const Measured& measured) {
  TimeNs reduce_ns = 0;
  TimeNs all_ns = 0;
  for (const OverlapKind& row : measured.reading->overlap.by_kind) {
    accumulate(all_ns, row.comm_ns);
    if (row.kind == "all_reduce" || row.kind == "reduce_scatter") accumulate(reduce_ns, row.comm_ns);
  }
  return reduce_ns > all_ns / 2;
}

std::optional<Finding> detect_unoverlapped(const Measured& measured) {
  const size_t first = measured.first_rank();
  if (first == Measured::npos || !reduces_gradients(measured)) return std::nullopt;
  const CommunicationCost cost = communication_cost(measured);
  // Without the other ranks, exposed time may be waiting; that reading is left to `inconclusive`.
  if (!cost.transfer_ns || !cost.wait_ns || *cost.wait_ns * 4 > *cost.transfer_ns) return std::nullopt;
  if (fraction(*cost.transfer_ns, cost.step_ns) < kExposedFrac) return std::nullopt;
  if (fraction(cost.hidden_ns, cost.compute_ns) >= kHiddenFrac || cost.hidden_ns * 10 >= cost.comm_ns)
    return std::nullopt;
  const auto backward_ns = static_cast<TimeNs>(kBackwardFrac * static_cast<double>(cost.compute_ns));
  const TimeNs gain_ns = hide_gain_ns(*cost.transfer_ns, backward_ns, kHideable);

  Finding finding = finding_of("unoverlapped_allreduce");
  finding.confidence = confidence_of({{fraction(*cost.transfer_ns, cost.step_ns), kExposedFrac},
                                      {kHiddenFrac, fraction(cost.hidden_ns, cost.compute_ns) + 1e-9}},
                                     evidence_quality(measured, measured.reading->ledgers[first]));
  finding.cost_ns_per_step = gain_ns;
  finding.evidence.push_back({"Reduction stands exposed " + share_text(measured, cost.exposed_ns, cost.step_ns) +
                                  "; only " + percent_text(cost.hidden_ns, cost.comm_ns) +
                                  " of it has compute under it.",
                              longest_slices(measured.ranks[first], trace::SliceKind::comm, 1)});
  finding.ruled_out.push_back({"bandwidth_bound_collective", "it would start during backward and outlast it; here " +
                                                                 duration_text(cost.hidden_ns) + " of " +
                                                                 duration_text(cost.comm_ns) + " runs beside compute"});
  finding.ruled_out.push_back(
      {"straggler", "waiting for the last rank is " + share_text(measured, *cost.wait_ns, cost.step_ns)});
  finding.what_if = per_step(cost.step_ns, gain_ns,
                             "nine tenths of the reduction hidden, as far as backward (six tenths of compute) reaches");
  return finding;
}

}  // namespace

Detector unoverlapped_allreduce() { return {.cause = "unoverlapped_allreduce", .detect = detect_unoverlapped}; }

}  // namespace td::analysis::detect
