#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/text.h"
#include "analysis/what_if.h"

namespace td::analysis::detect {
namespace {

constexpr double kLossFrac = 0.05;        // of the step
constexpr double kShareOfIdleFrac = 0.4;  // of the idle that is not queue gaps

std::optional<Finding> detect_sync_stalls(const Measured& measured) {
  const size_t index = pacing_rank(measured);
  if (index == Measured::npos) return std::nullopt;
  const Ledger& ledger = measured.reading->ledgers[index];
  const GapGroup* sync = gaps_of(ledger, GapOwner::sync);
  // Without steps a few syncs are the beginning and the end of a run.
  if (sync == nullptr || !sync->rhythm || *sync->rhythm != Rhythm::each_step) return std::nullopt;
  const double loss = fraction(sync->total_ns, ledger.step_ns);
  const double share = fraction(sync->total_ns, loss_by_idle_ns(ledger));
  if (loss < kLossFrac || share < kShareOfIdleFrac) return std::nullopt;

  Finding finding = finding_of("sync_stalls");
  finding.confidence =
      confidence_of({{loss, kLossFrac}, {share * 2, kShareOfIdleFrac}}, evidence_quality(measured, ledger));
  finding.cost_ns_per_step = sync->total_ns;
  finding.evidence.push_back({"The device runs dry after blocking calls " +
                                  share_text(measured, sync->total_ns, ledger.step_ns) + ", " +
                                  count_text(sync->count / ledger.steps, "time") +
                                  " a step: each drains the queue, and the host needs time to refill it.",
                              longest_gaps(measured.ranks[index], GapOwner::sync, 3)});
  finding.ruled_out.push_back(
      {"launch_bound",
       "gaps of dispatch and launch latency elsewhere take " +
           share_text(measured, gap_ns(ledger, GapOwner::host_dispatch) + gap_ns(ledger, GapOwner::launch_latency),
                      ledger.step_ns)});
  finding.ruled_out.push_back(
      {"allocator_stalls", "allocation calls own " + duration_text(gap_ns(ledger, GapOwner::allocator)) + " a step"});
  finding.what_if = per_step(ledger.step_ns, sync->total_ns,
                             "gaps that blocking calls opened taken off the step: the host runs ahead instead");
  return finding;
}

}  // namespace

Detector sync_stalls() { return {.cause = "sync_stalls", .detect = detect_sync_stalls}; }

}  // namespace td::analysis::detect
