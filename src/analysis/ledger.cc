#include "analysis/ledger.h"

#include <algorithm>
#include <array>

#include "analysis/spans.h"

namespace td::analysis {
namespace {

struct OwnerSum {
  GapOwner owner = GapOwner::host_other;
  TimeNs total_ns = 0;
  int64_t count = 0;
  const GapPart* longest = nullptr;
  size_t last_gap = SIZE_MAX;
  std::vector<TimeNs> per_step_ns;
};

std::vector<OwnerSum> sum_by_owner(const std::vector<GapPart>& parts, size_t steps) {
  std::vector<OwnerSum> sums(kGapOwnerCount);
  for (size_t i = 0; i < kGapOwnerCount; ++i) {
    sums[i].owner = static_cast<GapOwner>(i);
    sums[i].per_step_ns.assign(steps, 0);
  }
  for (const GapPart& part : parts) {
    OwnerSum& sum = sums[static_cast<size_t>(part.owner)];
    sum.total_ns += part.at.length_ns();
    sum.per_step_ns[part.step] += part.at.length_ns();
    if (sum.last_gap != part.gap) ++sum.count;
    sum.last_gap = part.gap;
    if (sum.longest == nullptr || part.at.length_ns() > sum.longest->at.length_ns()) sum.longest = &part;
  }
  std::erase_if(sums, [](const OwnerSum& sum) { return sum.count == 0; });
  std::ranges::stable_sort(sums, [](const OwnerSum& a, const OwnerSum& b) { return a.total_ns > b.total_ns; });
  return sums;
}

StepLedger step_ledger(const RankTimeline& timeline, const RankSteps& steps, size_t index) {
  const Interval window = steps.items[index].window;
  StepLedger row;
  row.step = static_cast<int64_t>(index);
  row.step_ns = window.length_ns();
  row.compute_ns = length_within_ns(timeline.compute, window);
  row.exposed_comm_ns = length_within_ns(timeline.exposed_comm, window);
  row.exposed_copy_ns = length_within_ns(timeline.exposed_copy, window);
  row.idle_ns = row.step_ns - length_within_ns(timeline.busy, window);
  return row;
}

Span longest_span(const RankTimeline& timeline, const GapPart& part, TimeNs offset_ns) {
  const trace::RankTrace& rank = *timeline.trace;
  Span span = span_of_interval(rank, timeline.gaps[part.gap].after, part.at, offset_ns);
  if (part.culprit != trace::kNoSlice) span.during = std::string(rank.name_of(part.culprit));
  return span;
}

}  // namespace

std::vector<TimeNs> additive_means(std::span<const TimeNs> sums_ns, int64_t count) {
  std::vector<TimeNs> means;
  TimeNs running_ns = 0;
  for (const TimeNs sum_ns : sums_ns) {
    means.push_back((running_ns + sum_ns) / count - running_ns / count);
    running_ns += sum_ns;
  }
  return means;
}

Ledger make_ledger(const RankTimeline& timeline, const RankSteps& steps, const std::vector<GapPart>& parts,
                   TimeNs offset_ns) {
  Ledger ledger;
  ledger.rank = timeline.trace->rank;
  ledger.steps = static_cast<int64_t>(steps.steady.size());
  if (steps.steady.empty()) return ledger;
  std::vector<TimeNs> sums_ns(3, 0);
  for (const size_t index : steps.steady) {
    ledger.per_step.push_back(step_ledger(timeline, steps, index));
    sums_ns[0] += ledger.per_step.back().compute_ns;
    sums_ns[1] += ledger.per_step.back().exposed_comm_ns;
    sums_ns[2] += ledger.per_step.back().exposed_copy_ns;
  }
  const std::vector<OwnerSum> owners = sum_by_owner(parts, steps.steady.size());
  for (const OwnerSum& owner : owners) sums_ns.push_back(owner.total_ns);
  const std::vector<TimeNs> means = additive_means(sums_ns, ledger.steps);
  ledger.compute_ns = means[0];
  ledger.exposed_comm_ns = means[1];
  ledger.exposed_copy_ns = means[2];
  const std::vector<uint64_t> shapes = step_shapes(timeline, steps);
  for (size_t i = 0; i < owners.size(); ++i) {
    GapGroup group;
    group.owner = owners[i].owner;
    group.count = owners[i].count;
    group.total_ns = means[3 + i];
    group.rhythm = rhythm_of(owners[i].per_step_ns, shapes);
    group.longest = longest_span(timeline, *owners[i].longest, offset_ns);
    ledger.idle_ns += group.total_ns;
    ledger.gaps.push_back(std::move(group));
  }
  ledger.step_ns = ledger.compute_ns + ledger.exposed_comm_ns + ledger.exposed_copy_ns + ledger.idle_ns;
  return ledger;
}

}  // namespace td::analysis
