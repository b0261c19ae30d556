#include "analysis/evidence.h"

#include <algorithm>

#include "analysis/confidence.h"
#include "analysis/spans.h"
#include "analysis/text.h"

namespace td::analysis {

size_t pacing_rank(const Measured& measured) {
  const std::vector<Ledger>& ledgers = measured.reading->ledgers;
  size_t best = Measured::kNone;
  for (size_t r = 0; r < ledgers.size(); ++r)
    if (ledgers[r].steps > 0 && (best == Measured::kNone || ledgers[r].exposed_comm_ns < ledgers[best].exposed_comm_ns))
      best = r;
  return best;
}

std::string share_text(const Measured& measured, TimeNs part_ns, TimeNs step_ns) {
  const bool whole = measured.reading->steps.source == StepSource::whole_trace;
  return duration_text(part_ns) + " of " + duration_text(step_ns) + (whole ? " in all (" : " a step (") +
         percent_text(part_ns, step_ns) + ")";
}

namespace {

template <typename Number>
TimeNs median_of_others_ns(const Measured& measured, size_t rank, const Number& number) {
  std::vector<TimeNs> values;
  for (size_t r = 0; r < measured.ranks.size(); ++r) {
    const Ledger& ledger = measured.reading->ledgers[r];
    if (r != rank && ledger.steps > 0) values.push_back(number(ledger));
  }
  return values.empty() ? 0 : median_ns(std::move(values));
}

}  // namespace

TimeNs median_gap_of_others_ns(const Measured& measured, size_t rank, GapOwner owner) {
  return median_of_others_ns(measured, rank, [&](const Ledger& ledger) { return gap_ns(ledger, owner); });
}

std::optional<GapOwner> owner_of_lateness(const Measured& measured, size_t rank) {
  const Ledger& own = measured.reading->ledgers[rank];
  const TimeNs idle_ns =
      own.idle_ns - median_of_others_ns(measured, rank, [](const Ledger& ledger) { return ledger.idle_ns; });
  const TimeNs compute_ns =
      own.compute_ns - median_of_others_ns(measured, rank, [](const Ledger& ledger) { return ledger.compute_ns; });
  for (const GapOwner owner : {GapOwner::data_loading, GapOwner::compile, GapOwner::allocator}) {
    const TimeNs excess_ns = gap_ns(own, owner) - median_gap_of_others_ns(measured, rank, owner);
    if (fraction(excess_ns, own.step_ns) >= kOwnerFrac && excess_ns * 2 >= idle_ns && excess_ns >= compute_ns)
      return owner;
  }
  return std::nullopt;
}

TimeNs loss_by_idle_ns(const Ledger& ledger) { return ledger.idle_ns - gap_ns(ledger, GapOwner::queue_gap); }

double evidence_quality(const Measured& measured, const Ledger& ledger) {
  const double trusted = measured.reading->trust.verdict == Verdict::ok ? 1.0 : 0.8;
  return trusted * step_evidence(ledger.steps);
}

std::optional<TimeNs> median_run_ahead_ns(const MeasuredRank& rank) {
  std::vector<TimeNs> run_ahead;
  for (const trace::SliceId slice : rank.steady_work()) {
    const trace::SliceId launch = rank.timeline.launches.launch_of(slice);
    if (launch == trace::kNoSlice || rank.trace().kind[slice] != trace::SliceKind::compute) continue;
    run_ahead.push_back(rank.trace().start_ns[slice] - rank.trace().start_ns[launch]);
  }
  if (run_ahead.empty()) return std::nullopt;
  return median_ns(std::move(run_ahead));
}

std::vector<Span> longest_slices(const MeasuredRank& rank, trace::SliceKind kind, size_t at_most) {
  std::vector<trace::SliceId> slices;
  for (const trace::SliceId slice : rank.steady_work())
    if (rank.trace().kind[slice] == kind) slices.push_back(slice);
  std::ranges::stable_sort(
      slices, [&](trace::SliceId a, trace::SliceId b) { return rank.trace().dur_ns[a] > rank.trace().dur_ns[b]; });
  if (slices.size() > at_most) slices.resize(at_most);
  std::vector<Span> spans;
  for (const trace::SliceId slice : slices) spans.push_back(span_of_slice(rank.trace(), slice, rank.offset_ns));
  return spans;
}

bool has_python_stacks(const Measured& measured) {
  return std::ranges::any_of(measured.reading->trust.problems,
                             [](const Problem& problem) { return problem.id == "python_stacks"; });
}

}  // namespace td::analysis
