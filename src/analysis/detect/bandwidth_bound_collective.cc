#include <algorithm>

#include "analysis/communication.h"
#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/math.h"

namespace td::analysis::detect {
namespace {

// Exposed transfer below this share of the step is the tail of the last bucket.
constexpr double kExposedFrac = 0.03;
// Communication that hides under less than this share of the compute was not started early (unoverlapped_allreduce).
constexpr double kStartedEarlyFrac = 0.15;
// Transfer times may differ from bytes x factor / busbw by this much; beyond it something else is the matter.
constexpr double kRatioLow = 0.8;
constexpr double kRatioHigh = 1.25;
constexpr double kCoveredFrac = 0.8;

Finding cannot_tell(const CommunicationCost& cost, std::string text, std::string confirm, std::vector<Span> spans) {
  Finding finding = finding_of("inconclusive");
  finding.confidence = 0.5;
  finding.cost_ns_per_step = cost.exposed_ns;
  finding.evidence.push_back({std::move(text), std::move(spans)});
  finding.confirm = std::move(confirm);
  return finding;
}

// 1 when measured equals expected, 0 at the edges of what is accepted.
double closeness(double ratio) {
  const double off = ratio >= 1 ? ratio : 1 / ratio;
  return std::clamp(1.0 - log_exact(off) / log_exact(kRatioHigh), 0.0, 1.0);
}

WhatIf what_if_fewer_bytes(const Measured& measured, const CommunicationCost& cost, TimeNs& gain_ns) {
  if (main_dtype(measured) == trace::DType::float32) {
    const FewerBytes half = with_half_the_bytes(measured);
    gain_ns = half.gain_ns;
    return per_step(half.step_ns + half.gain_ns, half.gain_ns,
                    "gradients in bf16: each step's collectives replayed at half their bytes");
  }
  const FewerBytes fewer = with_accumulation(measured, cost);
  gain_ns = fewer.gain_ns;
  WhatIf what_if = per_step(cost.step_ns, fewer.gain_ns,
                            "gradient accumulation over " + std::to_string(fewer.accumulation) +
                                " microbatches: one all-reduce and one optimizer update for all of them");
  what_if.per = "token";
  return what_if;
}

Finding bandwidth_bound(const Measured& measured, const CommunicationCost& cost, const FabricCheck& check, double ratio,
                        std::vector<Span> spans) {
  const Ledger& ledger = measured.reading->ledgers[measured.first_rank()];
  Finding finding = finding_of("bandwidth_bound_collective");
  TimeNs gain_ns = 0;
  finding.what_if = what_if_fewer_bytes(measured, cost, gain_ns);
  finding.cost_ns_per_step = cost.transfer_ns.value_or(cost.exposed_ns);
  const double seen = cost.transfer_ns ? 1.0 : 0.75;  // one rank: its lengths fit, others may still differ
  finding.confidence = confidence_of({{fraction(*finding.cost_ns_per_step, cost.step_ns), kExposedFrac}},
                                     evidence_quality(measured, ledger) * seen * (0.7 + 0.3 * closeness(ratio)));
  const auto steps = static_cast<double>(ledger.steps);
  finding.evidence.push_back({"Communication stands exposed " + share_text(measured, cost.exposed_ns, cost.step_ns) +
                                  "; it starts early enough to hide " + duration_text(cost.hidden_ns) + ".",
                              std::move(spans)});
  finding.evidence.push_back(
      {"Bytes explain the length: " + bytes_text(static_cast<int64_t>(static_cast<double>(check.size_bytes) / steps)) +
           " a step over " + hardware::describe(measured.facts.fabric.value_or(hardware::Fabric{})) + " should take " +
           duration_text(check.expected_ns / ledger.steps) + " and takes " +
           duration_text(check.measured_ns / ledger.steps) + " (" + decimal_text(ratio, 2) + "x), busbw " +
           rate_text(check.moved_bytes * 1e9 / static_cast<double>(check.measured_ns)) + ".",
       {}});
  finding.ruled_out.push_back(
      {"straggler", cost.wait_ns ? "waiting for the last rank is " + share_text(measured, *cost.wait_ns, cost.step_ns) +
                                       ", transfer " + duration_text(cost.transfer_ns.value_or(0))
                                 : std::string("the lengths leave no room for waiting; the other ranks' files would "
                                               "settle it")});
  finding.ruled_out.push_back({"unoverlapped_allreduce", percent_text(cost.hidden_ns, cost.compute_ns) +
                                                             " of the compute time has communication beside it"});
  return finding;
}

std::optional<Finding> detect_bandwidth_bound(const Measured& measured) {
  const size_t first = measured.first_rank();
  if (first == Measured::kNone) return std::nullopt;
  const CommunicationCost cost = communication_cost(measured);
  // What a late rank adds to the others' exposed time is not the wire's.
  const TimeNs late_ns = measured.reading->collectives.last_arrival.lateness_ns.value_or(0);
  const TimeNs transfer_ns =
      std::min(cost.transfer_ns.value_or(cost.exposed_ns), std::max<TimeNs>(0, cost.exposed_ns - late_ns));
  if (fraction(transfer_ns, cost.step_ns) < kExposedFrac) return std::nullopt;
  // Mostly waiting: the ranks are the matter, not the wire.
  if (cost.wait_ns && *cost.wait_ns > transfer_ns) return std::nullopt;
  if (fraction(cost.hidden_ns, cost.compute_ns) < kStartedEarlyFrac) return std::nullopt;
  std::vector<Span> spans = longest_slices(measured.ranks[first], trace::SliceKind::comm, 1);
  const std::string exposed = "Communication stands exposed " + share_text(measured, cost.exposed_ns, cost.step_ns);

  const std::optional<FabricCheck> check = check_fabric(measured);
  if (!check && !measured.facts.fabric)
    return cannot_tell(cost,
                       exposed +
                           (cost.wait_ns ? ", most of it after the last rank's arrival"
                                         : "; one rank cannot tell waiting from transfer") +
                           ". Whether the wire is at its limit depends on the fabric, which no trace holds.",
                       "Read again with --fabric (nvlink, pcie4, ib400, eth100, 2x8:ib400x8, ...)" +
                           std::string(cost.wait_ns ? "." : " and the files of all ranks."),
                       std::move(spans));
  if (!check || check->covered_frac < kCoveredFrac)
    return cannot_tell(cost,
                       exposed + ", but the trace does not say how many bytes over which ranks most of it moved" +
                           (measured.facts.gpu == nullptr ? ", nor a GPU of the catalogue." : "."),
                       "Capture with a PyTorch that records collective metadata (2.2 or later, record_shapes=True).",
                       std::move(spans));
  const double ratio = static_cast<double>(check->measured_ns) / static_cast<double>(check->expected_ns);
  if (ratio < kRatioLow || ratio > kRatioHigh)
    return cannot_tell(cost,
                       exposed + "; its transfers take " + decimal_text(ratio, 2) + "x what their bytes need on " +
                           hardware::describe(measured.facts.fabric.value_or(hardware::Fabric{})) +
                           (ratio > 1 ? ": waiting that this trace cannot show, or a path slower than the fabric."
                                      : ": the fabric is faster than stated."),
                       ratio > 1
                           ? "Compare with all_reduce_perf -b 8M -e 4G -f 2 on the same ranks, and NCCL_DEBUG=INFO."
                           : "Check --fabric against the machine.",
                       std::move(spans));
  return bandwidth_bound(measured, cost, *check, ratio, std::move(spans));
}

}  // namespace

Detector bandwidth_bound_collective() {
  return {.cause = "bandwidth_bound_collective", .detect = detect_bandwidth_bound};
}

}  // namespace td::analysis::detect
