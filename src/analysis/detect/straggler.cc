#include <algorithm>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/expert_skew.h"
#include "analysis/kernel_groups.h"
#include "analysis/measured.h"
#include "analysis/spans.h"
#include "analysis/starved.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/math.h"

namespace td::analysis::detect {
namespace {

size_t index_of_rank(const Measured& measured, int32_t rank) {
  for (size_t r = 0; r < measured.ranks.size(); ++r)
    if (measured.ranks[r].trace().rank == rank) return r;
  return Measured::kNone;
}

// The median over the other ranks of a ledger's number.
TimeNs median_of_others(const Measured& measured, size_t late, TimeNs Ledger::* number) {
  std::vector<TimeNs> values;
  for (size_t r = 0; r < measured.ranks.size(); ++r)
    if (r != late && measured.reading->ledgers[r].steps > 0) values.push_back(measured.reading->ledgers[r].*number);
  return median_ns(std::move(values));
}

// The call that made one other rank wait the longest, on that rank and on the late one.
std::vector<Span> longest_wait(const Measured& measured, size_t late) {
  const Collective* worst = nullptr;
  const CollectiveCall* waiter = nullptr;
  TimeNs worst_ns = 0;
  for (const Collective& collective : measured.collectives.all) {
    if (collective.calls[collective.last].rank != late || !collective.complete) continue;
    for (const CollectiveCall& call : collective.calls) {
      const MeasuredRank& rank = measured.ranks[call.rank];
      if (rank.steps.steady_at(rank.trace().end_ns(call.slice)) == RankSteps::kNone) continue;
      const Interval waiting{rank.trace().start_ns[call.slice], collective.last_arrival_ns - rank.offset_ns};
      const TimeNs wait_ns = length_within_ns(rank.timeline.exposed_comm, waiting);
      if (wait_ns <= worst_ns) continue;
      worst_ns = wait_ns;
      worst = &collective;
      waiter = &call;
    }
  }
  if (worst == nullptr) return {};
  const CollectiveCall& last = worst->calls[worst->last];
  return {span_of_slice(measured.ranks[waiter->rank].trace(), waiter->slice, measured.ranks[waiter->rank].offset_ns),
          span_of_slice(measured.ranks[last.rank].trace(), last.slice, measured.ranks[last.rank].offset_ns)};
}

// Where the late rank loses its time: in kernels, or between them.
bool is_late_in_kernels(const Measured& measured, size_t late) {
  const Ledger& own = measured.reading->ledgers[late];
  return own.compute_ns - median_of_others(measured, late, &Ledger::compute_ns) >=
         own.idle_ns - median_of_others(measured, late, &Ledger::idle_ns);
}

Evidence why_late(const Measured& measured, size_t late) {
  const Ledger& own = measured.reading->ledgers[late];
  const TimeNs compute_ns = median_of_others(measured, late, &Ledger::compute_ns);
  const TimeNs idle_ns = median_of_others(measured, late, &Ledger::idle_ns);
  const std::string who = "Rank " + std::to_string(own.rank);
  Evidence evidence;
  if (is_late_in_kernels(measured, late)) {
    evidence.text = who + " computes " + duration_text(own.compute_ns) + " a step, the median of the others " +
                    duration_text(compute_ns) + " (" +
                    decimal_text(fraction(own.compute_ns, std::max<TimeNs>(compute_ns, 1)), 2) +
                    "x): its kernels are longer, its gaps are not.";
    evidence.spans = longest_slices(measured.ranks[late], trace::SliceKind::compute, 1);
  } else {
    evidence.text = who + " is idle " + duration_text(own.idle_ns) + " a step, the median of the others " +
                    duration_text(idle_ns) + ": it is late between kernels, so its host is.";
    if (!own.gaps.empty()) evidence.spans = {own.gaps.front().longest};
  }
  return evidence;
}

// Kernels that the stages share take this much longer on a slow rank.
constexpr double kSlowPace = 1.03;

// In a pipeline the others wait in messages, and the stage that computes longest sets the pace of every microbatch.
std::optional<Finding> straggler_of_pipeline(const Measured& measured) {
  size_t late = Measured::kNone;
  for (size_t r = 0; r < measured.ranks.size(); ++r) {
    const Ledger& ledger = measured.reading->ledgers[r];
    if (ledger.steps == 0) continue;
    if (late == Measured::kNone || ledger.compute_ns > measured.reading->ledgers[late].compute_ns) late = r;
  }
  if (late == Measured::kNone || measured.ranks.size() < 2) return std::nullopt;
  const Ledger& own = measured.reading->ledgers[late];
  const TimeNs others_ns = median_of_others(measured, late, &Ledger::compute_ns);
  const TimeNs step_ns = measured.mean_step_ns();
  const TimeNs excess_ns = own.compute_ns - others_ns;
  const double late_frac = fraction(excess_ns, step_ns);
  if (late_frac < kLateFrac) return std::nullopt;
  std::vector<TimeNs> paces;  // permille, against each other rank
  for (size_t r = 0; r < measured.ranks.size(); ++r)
    if (r != late && measured.reading->ledgers[r].steps > 0)
      paces.push_back(round_to_int(1000 * pace_of(measured.ranks[late], measured.ranks[r])));
  const double pace = static_cast<double>(median_ns(std::move(paces))) / 1000;
  if (pace < kSlowPace) return std::nullopt;

  Finding finding = finding_of("straggler");
  finding.confidence =
      confidence_of({{late_frac, kLateFrac}, {pace - 1, kSlowPace - 1}}, evidence_quality(measured, own));
  finding.cost_ns_per_step = excess_ns;
  const std::string who = "Rank " + std::to_string(own.rank);
  finding.evidence.push_back({who + " computes " + duration_text(own.compute_ns) +
                                  " a step, the median of the others " + duration_text(others_ns) +
                                  "; the kernels that they share take " + decimal_text(pace, 2) + "x as long there.",
                              longest_slices(measured.ranks[late], trace::SliceKind::compute, 1)});
  finding.evidence.push_back(
      {"Every microbatch goes through its stage, so the pipeline runs at its pace: the others "
       "wait in SendRecv.",
       {}});
  finding.ruled_out.push_back({"pipeline_bubbles", "the schedule's own bubble leaves every stage the same compute"});
  finding.what_if = per_step(step_ns, excess_ns, "that rank computes as long as the median other");
  return finding;
}

// Lateness that the others spend in collectives, not compute time, makes a straggler.
std::optional<Finding> detect_straggler(const Measured& measured) {
  const LastArrival& last = measured.reading->collectives.last_arrival;
  if (measured.pipeline)
    if (std::optional<Finding> finding = straggler_of_pipeline(measured)) return finding;
  if (last.kind != LastArrivalKind::always_rank || !last.rank || !last.lateness_ns || !last.share_frac)
    return std::nullopt;
  const size_t late = index_of_rank(measured, *last.rank);
  if (late == Measured::kNone || measured.reading->ledgers[late].steps == 0) return std::nullopt;
  if (owner_of_lateness(measured, late)) return std::nullopt;
  if (expert_skew(measured)) return std::nullopt;  // late in its experts alone: it has more tokens
  if (!is_late_in_kernels(measured, late) && starved_alike(measured, late)) return std::nullopt;
  const TimeNs step_ns = measured.mean_step_ns();
  const Ledger& own = measured.reading->ledgers[late];
  const TimeNs others_ns = median_of_others(measured, late, &Ledger::exposed_comm_ns);
  const TimeNs lateness_ns = *last.lateness_ns;
  const double share_frac = *last.share_frac;
  const double late_frac = fraction(lateness_ns, step_ns);

  Finding finding = finding_of("straggler");
  finding.confidence =
      confidence_of({{late_frac, kLateFrac}, {share_frac * 4, kAlwaysLastFrac}}, evidence_quality(measured, own));
  finding.cost_ns_per_step = lateness_ns;
  const std::string who = "Rank " + std::to_string(*last.rank);
  finding.evidence.push_back({who + " holds up the collectives in " + percent_text(share_frac) +
                                  " of the steps: at the pace of the others the step would end " +
                                  duration_text(lateness_ns) + " earlier (" + percent_text(late_frac) + ").",
                              longest_wait(measured, late)});
  finding.evidence.push_back({"The ranks are not alike: exposed communication is " +
                                  duration_text(own.exposed_comm_ns) + " a step on rank " + std::to_string(own.rank) +
                                  ", " + duration_text(others_ns) + " on the median other.",
                              {}});
  finding.evidence.push_back(why_late(measured, late));
  if (!is_late_in_kernels(measured, late)) {
    // The catalogue's words are for a slow GPU, which is the commoner case.
    finding.confirm =
        "Compare that rank's host with the others': mpstat -P ALL 1 and perf sched on its node, numactl -H "
        "for its affinity; its kernels are as fast as the others', its launches are not.";
    finding.fix =
        "Give that rank's host what the others have (cores, NUMA binding, no neighbour), or take off it what "
        "only it does: logging, evaluation, checkpoints.";
  }
  finding.ruled_out.push_back({"bandwidth_bound_collective", "there every rank has the same exposed time; here rank " +
                                                                 std::to_string(own.rank) + " has " +
                                                                 duration_text(own.exposed_comm_ns) +
                                                                 " of the others' " + duration_text(others_ns)});
  finding.what_if =
      per_step(step_ns, lateness_ns, "the step's collectives replayed with that rank at the pace of the median other");
  return finding;
}

}  // namespace

Detector straggler() { return {.cause = "straggler", .detect = detect_straggler}; }

}  // namespace td::analysis::detect
