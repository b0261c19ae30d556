#include "analysis/measured.h"

#include <algorithm>

#include "analysis/spans.h"
#include "base/saturate.h"

namespace td::analysis {

std::vector<trace::SliceId> MeasuredRank::steady_work() const {
  std::vector<trace::SliceId> out;
  for (const trace::SliceId slice : timeline.gpu)
    if (steps.steady_at(std::max(trace().end_ns(slice), trace().start_ns[slice] + 1)) != RankSteps::kNone)
      out.push_back(slice);
  return out;
}

const Ledger* Measured::slowest_ledger() const {
  const Ledger* slowest = nullptr;
  for (const Ledger& ledger : reading->ledgers)
    if (ledger.steps > 0 && (slowest == nullptr || ledger.step_ns > slowest->step_ns)) slowest = &ledger;
  return slowest;
}

size_t Measured::first_rank() const {
  for (size_t r = 0; r < reading->ledgers.size(); ++r)
    if (reading->ledgers[r].steps > 0) return r;
  return kNone;
}

TimeNs Measured::mean_step_ns() const {
  TimeNs sum_ns = 0;
  int64_t count = 0;
  for (const Ledger& ledger : reading->ledgers) {
    if (ledger.steps == 0) continue;
    accumulate(sum_ns, ledger.step_ns);
    ++count;
  }
  return count > 0 ? sum_ns / count : 0;
}

const GapGroup* gaps_of(const Ledger& ledger, GapOwner owner) {
  const auto it = std::ranges::find(ledger.gaps, owner, &GapGroup::owner);
  return it != ledger.gaps.end() ? &*it : nullptr;
}

TimeNs gap_ns(const Ledger& ledger, GapOwner owner) {
  const GapGroup* group = gaps_of(ledger, owner);
  return group != nullptr ? group->total_ns : 0;
}

std::vector<Span> longest_gaps(const MeasuredRank& rank, GapOwner owner, size_t at_most) {
  std::vector<const GapPart*> parts;
  for (const GapPart& part : rank.gap_parts)
    if (part.owner == owner) parts.push_back(&part);
  std::ranges::stable_sort(parts,
                           [](const GapPart* a, const GapPart* b) { return a->at.length_ns() > b->at.length_ns(); });
  if (parts.size() > at_most) parts.resize(at_most);
  std::vector<Span> spans;
  for (const GapPart* part : parts) {
    Span span = span_of_interval(rank.trace(), rank.timeline.gaps[part->gap].after, part->at, rank.offset_ns);
    span.during = part->culprit != trace::kNoSlice ? std::string(rank.trace().name_of(part->culprit))
                                                   : std::string(kBetweenCalls);
    spans.push_back(std::move(span));
  }
  return spans;
}

}  // namespace td::analysis
