#include <algorithm>

#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/text.h"

namespace td::analysis::detect {
namespace {

// The owner with the most idle time, ordinary queue gaps apart; nullptr without one.
const GapGroup* largest_gap(const Ledger& ledger) {
  const auto it =
      std::ranges::find_if(ledger.gaps, [](const GapGroup& group) { return group.owner != GapOwner::queue_gap; });
  return it != ledger.gaps.end() ? &*it : nullptr;
}

std::string largest_loss_text(const Measured& measured, const Ledger& ledger) {
  std::string text = "The device is busy " + percent_text(ledger.step_ns - ledger.idle_ns, ledger.step_ns) +
                     " of the time and computes " + percent_text(ledger.compute_ns, ledger.step_ns) + ".";
  const GapGroup* gap = largest_gap(ledger);
  const TimeNs idle_ns = gap != nullptr ? gap->total_ns : 0;
  if (ledger.exposed_comm_ns >= idle_ns && ledger.exposed_comm_ns > 0) {
    text += " The largest loss is exposed communication, " +
            share_text(measured, ledger.exposed_comm_ns, ledger.step_ns) + ".";
  } else if (gap != nullptr) {
    text += " The largest loss is idle time owned by " + std::string(to_string(gap->owner)) + ", " +
            share_text(measured, idle_ns, ledger.step_ns) + ".";
  }
  if (fraction(ledger.idle_ns + ledger.exposed_comm_ns, ledger.step_ns) < 0.05)
    text +=
        " What is left to gain lies inside kernels: whether they are bound by memory or by compute needs their "
        "bytes and FLOPs.";
  return text;
}

// What would let the next reading say more.
std::string what_to_give(const Measured& measured) {
  const Reading& reading = *measured.reading;
  for (const Problem& problem : reading.trust.problems)
    if (problem.id == "no_gpu_activity" || problem.id == "missing_gpu_events" ||
        problem.id == "graph_without_kernels" || problem.id == "idle_with_work_queued" ||
        problem.id == "step_lost_events" || problem.id == "no_complete_step")
      return problem.text;
  for (const Problem& problem : reading.trust.problems)
    if (problem.id == "ranks_missing") return problem.text;
  if (reading.steps.source == StepSource::whole_trace)
    return "Capture at least three steps with torch.profiler's schedule, so that steps are marked.";
  if (!reading.ledgers.empty())
    return "Look at the places above: which part of the step they stand in, and what the host and the other streams do "
           "there.";
  return {};
}

std::optional<Finding> detect_inconclusive(const Measured& measured) {
  Finding finding = finding_of("inconclusive");
  finding.confidence = 0.5;
  const size_t index = pacing_rank(measured);
  if (index == Measured::kNone) {
    finding.confidence = 1;
    finding.evidence.push_back({"There is no GPU activity to read.", {}});
  } else {
    const Ledger& ledger = measured.reading->ledgers[index];
    Evidence evidence{largest_loss_text(measured, ledger), {}};
    if (const GapGroup* gap = largest_gap(ledger); gap != nullptr && gap->total_ns > ledger.exposed_comm_ns)
      evidence.spans = longest_gaps(measured.ranks[index], gap->owner, 2);
    else
      evidence.spans = longest_slices(measured.ranks[index], trace::SliceKind::comm, 2);
    finding.evidence.push_back(std::move(evidence));
    finding.evidence.push_back({"No cause that is looked for passes its tests on this trace.", {}});
    const LastArrival& last = measured.reading->collectives.last_arrival;
    if (last.kind == LastArrivalKind::rotating)
      finding.evidence.push_back({"Ranks arrive late in turn: waiting costs " +
                                      share_text(measured, last.lateness_ns.value_or(0), measured.mean_step_ns()) +
                                      ", and no rank is last in " + percent_text(kAlwaysLastFrac) + " of the steps.",
                                  {}});
  }
  if (std::string give = what_to_give(measured); !give.empty()) finding.confirm = std::move(give);
  return finding;
}

}  // namespace

Detector inconclusive() { return {.cause = "inconclusive", .detect = detect_inconclusive, .turn = Turn::at_last}; }

}  // namespace td::analysis::detect
