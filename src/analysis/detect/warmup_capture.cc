#include <algorithm>
#include <vector>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/text.h"
#include "base/saturate.h"

namespace td::analysis::detect {
namespace {

// Signs of a process that has just begun (loading of kernels, allocation, compilation) fill this share of the steps.
constexpr double kSignsFrac = 0.3;
// More complete steps than this show what comes after the warm-up, and leading ones are left out (steps.h).
constexpr size_t kFewSteps = 2;

std::optional<Finding> detect_warmup_capture(const Measured& measured) {
  const size_t index = pacing_rank(measured);
  if (index == Measured::kNone) return std::nullopt;
  const MeasuredRank& rank = measured.ranks[index];
  const Ledger& ledger = measured.reading->ledgers[index];
  if (rank.steps.steady.size() > kFewSteps || rank.steps.source == StepSource::motif) return std::nullopt;
  const Interval window{rank.steps.items[rank.steps.steady.front()].window.begin_ns,
                        rank.steps.items[rank.steps.steady.back()].window.end_ns};
  const WarmupSigns signs = warmup_signs(rank.timeline, rank.host, window);
  const double share = fraction(signs.total_ns(), window.length_ns());
  // Compilation alone may be a new shape; that a process has just begun is seen in the loading of its kernels.
  if (share < kSignsFrac || (signs.loads == 0 && signs.allocations < 8)) return std::nullopt;

  Finding finding = finding_of("warmup_capture");
  finding.confidence = confidence_of({{share, kSignsFrac}}, evidence_quality(measured, ledger));
  finding.cost_ns_per_step = signs.total_ns() / ledger.steps;
  finding.evidence.push_back(
      {"The capture holds " + count_text(ledger.steps, "complete step") + ", and " + percent_text(share) +
           " of it is what a process does only at its beginning: loading of kernels " + duration_text(signs.load_ns) +
           " (" + count_text(signs.loads, "call") + "), allocation " + duration_text(signs.allocate_ns) + " (" +
           count_text(signs.allocations, "call") + "), compilation " + duration_text(signs.compile_ns) + ".",
       longest_gaps(rank, GapOwner::allocator, 1)});
  finding.ruled_out.push_back({"allocator_stalls", "no step after the warm-up is here to show whether they go on"});
  finding.ruled_out.push_back({"recompilation", "each function compiles once when it first runs"});
  return finding;
}

}  // namespace

Detector warmup_capture() { return {.cause = "warmup_capture", .detect = detect_warmup_capture}; }

}  // namespace td::analysis::detect
