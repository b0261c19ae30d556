#include <algorithm>

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
// Of a step's compute up to the end of its last collective, so much is done when the first one begins. Collectives
// that the next kernel needs (tensor parallelism) stand exposed too, but all over the step.
constexpr double kDoneFrac = 0.9;
// Backward's share of forward and backward, and what bucketed hooks hide of it: 0.85 to 0.95 in practice; the low end,
// since NCCL also slows the compute beside it.
constexpr double kBackwardFrac = 0.6;
constexpr double kHideable = 0.85;
// What one rank's word is worth where the others' are missing.
constexpr double kAloneFactor = 0.6;

// Gradients are reduced: all_reduce or reduce_scatter makes up most of the communication.
bool reduces_gradients(const Measured& measured) {
  TimeNs reduce_ns = 0;
  TimeNs all_ns = 0;
  for (const OverlapKind& row : measured.reading->overlap.by_kind) {
    if (measured.pipeline && row.kind == "send_recv") continue;
    accumulate(all_ns, row.comm_ns);
    if (row.kind == "all_reduce" || row.kind == "reduce_scatter") accumulate(reduce_ns, row.comm_ns);
  }
  return reduce_ns > all_ns / 2;
}

// The least over the steady steps; 0 without a collective in one of them.
double compute_done_frac(const MeasuredRank& rank, const RankMessages& messages) {
  const IntervalSet& reductions = messages.kernels.empty() ? rank.timeline.comm : messages.collectives;
  double least = 1;
  for (const size_t i : rank.steps.steady) {
    const Interval window = rank.steps.items[i].window;
    const std::span<const Interval> comm = touching(reductions, window);
    if (comm.empty()) return 0;
    const TimeNs until_first_ns = length_within_ns(rank.timeline.compute, {window.begin_ns, comm.front().begin_ns});
    const TimeNs until_last_ns =
        length_within_ns(rank.timeline.compute, {window.begin_ns, std::min(comm.back().end_ns, window.end_ns)});
    least = std::min(least, fraction(until_first_ns, until_last_ns));
  }
  return least;
}

// Reductions of one kind that all stand exposed while another kind of collective hides in the same step: overlap works
// in this job, and not for them (reduce-scatters behind CUDA_DEVICE_MAX_CONNECTIONS=1: torchtitan issue 1147).
constexpr double kKindExposedFrac = 0.9;
constexpr double kOtherHiddenFrac = 0.5;

const OverlapKind* exposed_kind(const Measured& measured) {
  const OverlapKind* exposed = nullptr;
  bool other_hides = false;
  for (const OverlapKind& row : measured.reading->overlap.by_kind) {
    const double frac = fraction(row.exposed_ns, row.comm_ns);
    const bool reduces = row.kind == "all_reduce" || row.kind == "reduce_scatter";
    if (reduces && frac >= kKindExposedFrac && (exposed == nullptr || row.exposed_ns > exposed->exposed_ns))
      exposed = &row;
    // A few small calls beside compute prove nothing.
    if (1 - frac >= kOtherHiddenFrac && row.kind != "send_recv" &&
        fraction(row.comm_ns, measured.mean_step_ns()) >= kExposedFrac)
      other_hides = true;
  }
  return other_hides ? exposed : nullptr;
}

std::optional<Finding> detect_one_kind(const Measured& measured, const CommunicationCost& cost) {
  const OverlapKind* kind = exposed_kind(measured);
  if (kind == nullptr || !cost.wait_ns || *cost.wait_ns * 2 > kind->exposed_ns) return std::nullopt;
  const double loss = fraction(kind->exposed_ns, cost.step_ns);
  if (loss < kExposedFrac) return std::nullopt;
  const auto backward_ns = static_cast<TimeNs>(kBackwardFrac * static_cast<double>(cost.compute_ns));
  const TimeNs gain_ns = hide_gain_ns(kind->exposed_ns, backward_ns, kHideable);

  Finding finding = finding_of("unoverlapped_allreduce");
  finding.confidence = confidence_of({{loss, kExposedFrac}},
                                     evidence_quality(measured, measured.reading->ledgers[measured.first_rank()]));
  finding.cost_ns_per_step = gain_ns;
  finding.evidence.push_back(
      {"Every " + kind->kind + " stands exposed, " + share_text(measured, kind->exposed_ns, cost.step_ns) +
           ", while other collectives hide behind compute: overlap works here, and not for this kind.",
       longest_slices(measured.ranks[measured.first_rank()], trace::SliceKind::comm, 1)});
  finding.ruled_out.push_back({"bandwidth_bound_collective", "it would hide as far as it could; " +
                                                                 percent_text(kind->exposed_ns, kind->comm_ns) +
                                                                 " of this kind is exposed"});
  finding.ruled_out.push_back(
      {"straggler", "waiting for the last rank is " + share_text(measured, *cost.wait_ns, cost.step_ns)});
  finding.what_if =
      per_step(cost.step_ns, gain_ns, "85 % of these calls hidden, as far as backward (six tenths of compute) reaches");
  return finding;
}

std::optional<Finding> detect_unoverlapped(const Measured& measured) {
  const size_t first = measured.first_rank();
  if (first == Measured::kNone) return std::nullopt;
  const CommunicationCost cost = communication_cost(measured);
  if (std::optional<Finding> finding = detect_one_kind(measured, cost)) return finding;
  if (!reduces_gradients(measured)) return std::nullopt;
  // Without the other ranks exposed time may be waiting, too; that nothing is hidden and all of it comes after backward
  // is seen on one rank as well.
  const TimeNs transfer_ns = cost.transfer_ns.value_or(cost.exposed_ns);
  if (cost.wait_ns.value_or(0) * 4 > transfer_ns) return std::nullopt;
  if (fraction(transfer_ns, cost.step_ns) < kExposedFrac) return std::nullopt;
  if (fraction(cost.hidden_ns, cost.compute_ns) >= kHiddenFrac || cost.hidden_ns * 10 >= cost.comm_ns)
    return std::nullopt;
  const double done_frac = compute_done_frac(measured.ranks[first], measured.messages[first]);
  if (done_frac < kDoneFrac) return std::nullopt;
  const auto backward_ns = static_cast<TimeNs>(kBackwardFrac * static_cast<double>(cost.compute_ns));
  const TimeNs gain_ns = hide_gain_ns(transfer_ns, backward_ns, kHideable);

  Finding finding = finding_of("unoverlapped_allreduce");
  finding.confidence =
      confidence_of({{fraction(transfer_ns, cost.step_ns), kExposedFrac},
                     {kHiddenFrac, fraction(cost.hidden_ns, cost.compute_ns) + 1e-9}},
                    evidence_quality(measured, measured.reading->ledgers[first]) * (cost.wait_ns ? 1.0 : kAloneFactor));
  finding.cost_ns_per_step = gain_ns;
  finding.evidence.push_back({"Reduction stands exposed " + share_text(measured, cost.exposed_ns, cost.step_ns) +
                                  "; only " + percent_text(cost.hidden_ns, cost.comm_ns) +
                                  " of it has compute under it.",
                              longest_slices(measured.ranks[first], trace::SliceKind::comm, 1)});
  finding.evidence.push_back({"When a step's first collective begins, " + percent_text(done_frac) +
                                  " of the compute before the end of its last one is done: forward and backward are "
                                  "over.",
                              {}});
  finding.ruled_out.push_back({"bandwidth_bound_collective", "it would start during backward and outlast it; here " +
                                                                 duration_text(cost.hidden_ns) + " of " +
                                                                 duration_text(cost.comm_ns) + " runs beside compute"});
  finding.ruled_out.push_back(
      {"straggler", cost.wait_ns ? "waiting for the last rank is " + share_text(measured, *cost.wait_ns, cost.step_ns)
                                 : std::string("a late rank would leave early buckets hidden; how much of the exposed "
                                               "time is waiting, the other ranks' files would tell")});
  finding.what_if = per_step(cost.step_ns, gain_ns,
                             "85 % of the reduction hidden, as far as backward (six tenths of compute) reaches");
  return finding;
}

}  // namespace

Detector unoverlapped_allreduce() { return {.cause = "unoverlapped_allreduce", .detect = detect_unoverlapped}; }

}  // namespace td::analysis::detect
