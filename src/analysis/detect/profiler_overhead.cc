#include <algorithm>
#include <array>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/starved.h"
#include "analysis/text.h"
#include "analysis/trust.h"
#include "analysis/what_if.h"
#include "base/saturate.h"

namespace td::analysis::detect {
namespace {

constexpr double kLossFrac = 0.05;
// Host-bound from here on: Python stacks then explain part of it.
constexpr double kStarvedFrac = 0.10;

// Idle time under a debugger's or tracer's frames, mean per step.
TimeNs watched_ns(const MeasuredRank& rank, int64_t steps) {
  constexpr std::array<std::string_view, 4> kWatchers = {"pydevd", "debugpy", "/bdb.py", "settrace"};
  TimeNs sum_ns = 0;
  for (const GapPart& part : rank.gap_parts) {
    if (part.owner != GapOwner::python_hook || part.culprit == trace::kNoSlice) continue;
    const std::string_view name = rank.trace().name_of(part.culprit);
    if (std::ranges::any_of(kWatchers,
                            [&](std::string_view part_of) { return name.find(part_of) != std::string_view::npos; }))
      accumulate(sum_ns, part.at.length_ns());
  }
  return sum_ns / steps;
}

std::optional<Finding> detect_profiler_overhead(const Measured& measured) {
  const size_t index = pacing_rank(measured);
  if (index == Measured::kNone) return std::nullopt;
  const MeasuredRank& rank = measured.ranks[index];
  const Ledger& ledger = measured.reading->ledgers[index];
  const TimeNs rows_ns = std::min(profiler_overhead_ns(rank) / ledger.steps, loss_by_idle_ns(ledger));
  const TimeNs hooks_ns = watched_ns(rank, ledger.steps);
  const TimeNs seen_ns = std::max(rows_ns, hooks_ns);
  const double loss = fraction(seen_ns, ledger.step_ns);
  const bool stacks = has_python_stacks(measured);
  const double starved = fraction(starved_by_launches(rank).total_ns, ledger.step_ns);
  if (loss < kLossFrac && !(stacks && starved >= kStarvedFrac)) return std::nullopt;

  Finding finding = finding_of("profiler_overhead");
  if (loss >= kLossFrac) {
    finding.confidence = confidence_of({{loss, kLossFrac}}, evidence_quality(measured, ledger));
    finding.cost_ns_per_step = seen_ns;
    finding.evidence.push_back(
        {std::string(rows_ns >= hooks_ns ? "The profiler's own work stands in the idle time: "
                                         : "A debugger or tracer runs in the idle time: ") +
             share_text(measured, seen_ns, ledger.step_ns) + ".",
         longest_gaps(rank, rows_ns >= hooks_ns ? GapOwner::host_other : GapOwner::python_hook, 2)});
    finding.what_if = per_step(ledger.step_ns, seen_ns, "idle time under the observer's own work taken off the step");
  } else {
    // How much of the host's time the stacks cost, this trace cannot tell.
    finding.confidence = 0.5;
    finding.evidence.push_back(
        {"Launches keep the device waiting " + percent_text(starved) +
             " of the step, and Python stacks were recorded, which slow the host two- to fivefold.",
         longest_gaps(rank, GapOwner::host_dispatch, 2)});
  }
  finding.ruled_out.push_back(
      {"launch_bound", "only a capture without the observer can tell how much of it is the program's own"});
  return finding;
}

}  // namespace

Detector profiler_overhead() { return {.cause = "profiler_overhead", .detect = detect_profiler_overhead}; }

}  // namespace td::analysis::detect
