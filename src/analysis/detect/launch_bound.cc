#include <algorithm>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/starved.h"
#include "analysis/text.h"
#include "analysis/what_if.h"

namespace td::analysis::detect {
namespace {

constexpr double kLossFrac = 0.10;        // of the step, in gaps that dispatch and launch latency own
constexpr double kShareOfIdleFrac = 0.6;  // of the idle that is not queue gaps
constexpr double kSpreadFrac = 0.25;      // gaps per kernel: the idle is everywhere, not in a few holes
constexpr double kLargestFrac = 0.25;     // one hole may hold this much of it
constexpr int64_t kMinKernels = 20;
// A host that is ahead has work queued: the median kernel then starts long after its launch (signatures.md 3: < 15 us
// on H100, < 25 us on MI300X).
constexpr TimeNs kRunAheadNs = 30 * kNsPerUs;

constexpr TimeNs kGraphGapNs = kNsPerUs;  // between nodes of a graph (timing.md 1)

std::optional<Finding> detect_launch_bound(const Measured& measured) {
  const size_t index = pacing_rank(measured);
  if (index == Measured::kNone) return std::nullopt;
  const Ledger& ledger = measured.reading->ledgers[index];
  const MeasuredRank& rank = measured.ranks[index];
  const Starved starved = starved_by_launches(rank);
  const auto kernels = static_cast<int64_t>(rank.steady_work().size());
  const std::optional<TimeNs> run_ahead_ns = median_run_ahead_ns(rank);
  if (kernels < kMinKernels || !run_ahead_ns || *run_ahead_ns > kRunAheadNs) return std::nullopt;
  const double loss = fraction(starved.total_ns, ledger.step_ns);
  const double share = fraction(starved.total_ns, loss_by_idle_ns(ledger) + ledger.exposed_comm_ns);
  const double spread = fraction(starved.count, kernels);
  const double largest = fraction(starved.longest_ns, starved.total_ns * ledger.steps);
  if (loss < kLossFrac || share < kShareOfIdleFrac || spread < kSpreadFrac || largest > kLargestFrac)
    return std::nullopt;

  const TimeNs kernels_a_step = kernels / ledger.steps;
  const TimeNs queued_ns = gap_ns(ledger, GapOwner::queue_gap);
  const TimeNs fixed_ns =
      std::min(ledger.step_ns, ledger.step_ns - starved.total_ns - queued_ns + kernels_a_step * kGraphGapNs);
  Finding finding = finding_of("launch_bound");
  const double unslowed = has_python_stacks(measured) ? 0.7 : 1.0;
  // Communication of one rank alone: a host that were faster might only wait longer for the others.
  const bool alone = !ledger.comm_wait_ns && fraction(ledger.exposed_comm_ns, ledger.step_ns) > kLossFrac;
  finding.confidence = confidence_of({{loss, kLossFrac}, {share * 2, kShareOfIdleFrac}, {spread * 2, kSpreadFrac}},
                                     evidence_quality(measured, ledger) * unslowed * (alone ? 0.8 : 1.0));
  finding.cost_ns_per_step = starved.total_ns;
  finding.evidence.push_back({"Compute waits for the next launch " +
                                  share_text(measured, starved.total_ns, ledger.step_ns) + ", in " +
                                  std::to_string(starved.count) + " gaps around " + std::to_string(kernels) +
                                  " pieces of work; the longest holds " + percent_text(largest) + " of it.",
                              longest_gaps(rank, GapOwner::host_dispatch, 3)});
  finding.evidence.push_back({"The median kernel starts " + duration_text(*run_ahead_ns) +
                                  " after its launch began: nothing is queued. It has on average " +
                                  duration_text(ledger.compute_ns / std::max<TimeNs>(kernels_a_step, 1)) + " to run.",
                              {}});
  if (unslowed < 1)
    finding.evidence.push_back(
        {"Python stacks were recorded, which slows the host; without them the gaps are "
         "smaller.",
         {}});
  finding.ruled_out.push_back(
      {"sync_stalls",
       "gaps after blocking calls take " + share_text(measured, gap_ns(ledger, GapOwner::sync), ledger.step_ns)});
  finding.ruled_out.push_back(
      {"input_starvation",
       "the loader owns " + share_text(measured, gap_ns(ledger, GapOwner::data_loading), ledger.step_ns)});
  finding.what_if = per_step(ledger.step_ns, ledger.step_ns - fixed_ns,
                             "the same work as a graph: gaps of dispatch and launch become 1 us a kernel");
  return finding;
}

}  // namespace

Detector launch_bound() { return {.cause = "launch_bound", .detect = detect_launch_bound}; }

}  // namespace td::analysis::detect
