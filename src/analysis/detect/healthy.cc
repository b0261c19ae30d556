#include <algorithm>
#include <array>
#include <vector>

#include "analysis/communication.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/text.h"
#include "base/math.h"
#include "base/saturate.h"

namespace td::analysis::detect {
namespace {

// No single fix of the catalogue may win more than this, and all losses together not twice as much.
constexpr double kRecoverableFrac = 0.02;
// Exposed collectives beyond this are no last bucket's tail, whatever a replay with fewer bytes would win
// (signatures.md 11: under 4 %). What a pipeline's stages wait for each other is judged apart.
constexpr double kExposedFrac = 0.08;

// A handful of kernels shows no job.
constexpr int64_t kMinKernels = 50;
// What one rank's word is worth where the others' are missing.
constexpr double kAloneFactor = 0.6;
// Kernels that read weights or a KV cache for few tokens: bound by memory, which is a cause of its own.
constexpr double kDecodeFrac = 0.1;

bool looks_like_decode(const Measured& measured) {
  constexpr std::array<std::string_view, 5> kNames = {"paged_attention", "unified_attention", "decode", "gemv",
                                                      "splitkv"};
  double share = 0;
  for (const KernelRow& row : measured.reading->kernels)
    for (const std::string_view name : kNames)
      if (row.name.find(name) != std::string::npos) {
        share += row.share_of_compute_frac;
        break;
      }
  return share > kDecodeFrac;
}

// Steps that somebody marked, with enough in them.
bool shows_a_job(const Measured& measured) {
  const StepSource source = measured.reading->steps.source;
  const bool marked = source == StepSource::profiler_step || source == StepSource::annotation;
  const size_t index = measured.first_rank();
  return marked && index != Measured::kNone &&
         static_cast<int64_t>(measured.ranks[index].steady_work().size()) >= kMinKernels;
}

struct Loss {
  std::string_view what;
  TimeNs ns = 0;
};

// What could be won, cause by cause.
std::vector<Loss> losses_of(const Measured& measured, const Ledger& ledger) {
  std::vector<Loss> losses;
  const Collectives& collectives = measured.reading->collectives;
  losses.push_back({"idle beyond queue gaps", loss_by_idle_ns(ledger)});
  losses.push_back({"exposed copies", ledger.exposed_copy_ns});
  if (collectives.wait_ns) {
    losses.push_back(
        {"waiting for the last rank", collectives.last_arrival.lateness_ns.value_or(*collectives.wait_ns)});
    losses.push_back({"transfer that half the bytes would save", with_half_the_bytes(measured).gain_ns});
  } else if (!measured.pipeline) {
    losses.push_back({"exposed communication", ledger.exposed_comm_ns});
  }
  if (const std::optional<Pipeline>& pipeline = measured.pipeline) {
    // The ideal bubble is the schedule's; what more microbatches would fill of it could be won.
    const double beyond = std::max(0.0, pipeline->waiting_frac - pipeline->bubble_frac);
    const auto of_step = [&](double frac) { return round_to_int(frac * static_cast<double>(ledger.step_ns)); };
    losses.push_back({"waiting for other stages beyond the ideal bubble", of_step(beyond)});
    losses.push_back({"the bubble that more microbatches would fill", of_step(well_fed(*pipeline).win_frac)});
  }
  return losses;
}

// Steps of one length: the mean stands not above the median.
TimeNs spikes_ns(const Measured& measured, const Ledger& ledger) {
  return std::max<TimeNs>(0, ledger.step_ns - measured.reading->steps.median_ns.value_or(ledger.step_ns));
}

// Exposed collectives of the rank that is measured, point to point apart, less what it waits for others.
TimeNs exposed_collectives_ns(const Measured& measured) {
  TimeNs sum_ns = 0;
  for (const OverlapKind& row : measured.reading->overlap.by_kind)
    if (row.kind != "send_recv") accumulate(sum_ns, row.exposed_ns);
  const Ledger& ledger = measured.reading->ledgers[measured.first_rank()];
  return sum_ns - std::min(sum_ns, ledger.comm_wait_ns.value_or(0));
}

std::optional<Finding> detect_healthy(const Measured& measured) {
  const Ledger* ledger = measured.slowest_ledger();
  if (ledger == nullptr || measured.reading->trust.verdict != Verdict::ok) return std::nullopt;
  if (!shows_a_job(measured) || looks_like_decode(measured)) return std::nullopt;
  std::vector<Loss> losses = losses_of(measured, *ledger);
  losses.push_back({"steps longer than the median", spikes_ns(measured, *ledger)});
  const Loss largest = *std::ranges::max_element(losses, {}, &Loss::ns);
  TimeNs all_ns = 0;
  for (const Loss& loss : losses) accumulate(all_ns, loss.ns);
  const double largest_frac = fraction(largest.ns, ledger->step_ns);
  const double all_frac = fraction(all_ns, ledger->step_ns);
  if (largest_frac > kRecoverableFrac || all_frac > 2 * kRecoverableFrac) return std::nullopt;
  if (fraction(exposed_collectives_ns(measured), ledger->step_ns) > kExposedFrac) return std::nullopt;

  Finding finding = finding_of("healthy");
  // 1 when nothing is lost, 0.5 at the threshold: how far below it the largest loss stands.
  const double part = largest_frac / kRecoverableFrac;
  // A slow rank's own trace is the healthiest of all: it never waits.
  const bool ranks_missing = world_size_of(*measured.trace) > static_cast<int32_t>(measured.ranks.size());
  finding.confidence =
      (1.0 - part * part / 2.0) * evidence_quality(measured, *ledger) * (ranks_missing ? kAloneFactor : 1.0);
  finding.cost_ns_per_step = 0;
  finding.evidence.push_back({"The device is busy " + percent_text(ledger->step_ns - ledger->idle_ns, ledger->step_ns) +
                                  " of the step, computing " + percent_text(ledger->compute_ns, ledger->step_ns) +
                                  "; exposed communication is " +
                                  percent_text(ledger->exposed_comm_ns, ledger->step_ns) + ".",
                              {}});
  finding.evidence.push_back({"The largest loss that a fix could win back: " + std::string(largest.what) + ", " +
                                  share_text(measured, largest.ns, ledger->step_ns) + ".",
                              {}});
  finding.evidence.push_back(
      {"Whether each kernel is as fast as it can be is not judged here; that needs its bytes "
       "and FLOPs.",
       {}});
  if (ranks_missing)
    finding.evidence.push_back(
        {"Other ranks of the job are not here: if this rank is the one that they wait for, its own "
         "trace looks just like this.",
         {}});
  for (const Loss& loss : losses)
    if (loss.what == "waiting for the last rank")
      finding.ruled_out.push_back({"straggler", "lateness is " + share_text(measured, loss.ns, ledger->step_ns)});
  finding.ruled_out.push_back(
      {"bandwidth_bound_collective",
       "communication stands exposed " + share_text(measured, ledger->exposed_comm_ns, ledger->step_ns)});
  WhatIf what_if;
  what_if.step_ns = ledger->step_ns;
  what_if.method = "nothing to remove";
  finding.what_if = what_if;
  return finding;
}

}  // namespace

Detector healthy() { return {.cause = "healthy", .detect = detect_healthy, .turn = Turn::otherwise}; }

}  // namespace td::analysis::detect
