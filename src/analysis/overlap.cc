#include "analysis/overlap.h"

#include <algorithm>
#include <map>

#include "analysis/ledger.h"
#include "analysis/text.h"
#include "base/saturate.h"

namespace td::analysis {
namespace {

using trace::CollectiveKind;
using trace::SliceId;

struct KindSum {
  std::vector<Interval> spans;
  int64_t calls = 0;
  int64_t bytes = 0;
  bool bytes_known = true;
  double moved_bytes = 0;  // busbw factor x S
  TimeNs transfer_ns = 0;
  bool transfer_known = true;
};

using KindKey = std::pair<std::string, std::string>;

KindKey key_of(const trace::RankTrace& rank, SliceId slice) {
  const trace::CollectiveArgs* args = rank.collective_args(slice);
  CollectiveKind kind = trace::collective_of_kernel(rank.name_of(slice));
  if (args != nullptr && args->kind != CollectiveKind::unknown) kind = args->kind;
  return {std::string(trace::to_string(kind)), args != nullptr ? std::string(rank.strings.view(args->group)) : ""};
}

std::string scope_of(const MeasuredRank& rank) {
  const std::string who = "rank " + std::to_string(rank.trace().rank);
  if (rank.steps.source == StepSource::whole_trace) return who + ", whole trace";
  return who + ", " + count_text(static_cast<int64_t>(rank.steps.steady.size()), "complete step");
}

void add_busbw(const Measured& measured, size_t index, std::map<KindKey, KindSum>& kinds) {
  const MeasuredRank& rank = measured.ranks[index];
  std::map<SliceId, const Collective*> matched;
  for (const Collective& collective : measured.collectives.all)
    for (const CollectiveCall& call : collective.calls)
      if (call.rank == index && collective.complete) matched[call.slice] = &collective;
  for (const SliceId slice : rank.steady_work()) {
    if (rank.trace().kind[slice] != trace::SliceKind::comm) continue;
    KindSum& sum = kinds[key_of(rank.trace(), slice)];
    const auto it = matched.find(slice);
    const Collective* collective = it != matched.end() ? it->second : nullptr;
    const auto kind = collective != nullptr ? hardware_kind(collective->kind) : std::nullopt;
    if (!kind || collective->size_bytes <= 0 || collective->transfer_ns <= 0) {
      sum.transfer_known = false;
      continue;
    }
    sum.moved_bytes += hardware::busbw_factor(*kind, static_cast<int32_t>(collective->calls.size())) *
                       static_cast<double>(collective->size_bytes);
    accumulate(sum.transfer_ns, collective->transfer_ns);
  }
}

}  // namespace

std::optional<hardware::Collective> hardware_kind(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_reduce:
      return hardware::Collective::all_reduce;
    case CollectiveKind::all_gather:
      return hardware::Collective::all_gather;
    case CollectiveKind::reduce_scatter:
      return hardware::Collective::reduce_scatter;
    case CollectiveKind::all_to_all:
      return hardware::Collective::all_to_all;
    case CollectiveKind::broadcast:
      return hardware::Collective::broadcast;
    case CollectiveKind::reduce:
      return hardware::Collective::reduce;
    case CollectiveKind::send_recv:
    case CollectiveKind::unknown:
      break;
  }
  return std::nullopt;
}

Overlap measure_overlap(const Measured& measured, size_t index) {
  const MeasuredRank& rank = measured.ranks[index];
  const RankTimeline& timeline = rank.timeline;
  Overlap overlap;
  overlap.scope = scope_of(rank);
  const auto steps = static_cast<int64_t>(rank.steps.steady.size());
  if (steps == 0) return overlap;
  std::vector<Interval> windows;
  for (const size_t i : rank.steps.steady) windows.push_back(rank.steps.items[i].window);
  const IntervalSet scope = unite(windows);
  TimeNs comm_ns = 0;
  TimeNs exposed_ns = 0;
  for (const Interval& window : scope) {
    comm_ns += length_within_ns(timeline.comm, window);
    exposed_ns += length_within_ns(timeline.exposed_comm, window);
  }
  const std::vector<TimeNs> means = additive_means(std::vector<TimeNs>{exposed_ns, comm_ns - exposed_ns}, steps);
  overlap.exposed_ns = means[0];
  overlap.hidden_ns = means[1];
  overlap.comm_ns = means[0] + means[1];
  if (comm_ns > 0) overlap.overlap_frac = fraction(comm_ns - exposed_ns, comm_ns);

  std::map<KindKey, KindSum> kinds;
  for (const SliceId slice : rank.steady_work()) {
    if (rank.trace().kind[slice] != trace::SliceKind::comm) continue;
    KindSum& sum = kinds[key_of(rank.trace(), slice)];
    sum.spans.push_back({rank.trace().start_ns[slice], rank.trace().end_ns(slice)});
    ++sum.calls;
    const trace::CollectiveArgs* args = rank.trace().collective_args(slice);
    const int64_t bytes = args != nullptr ? trace::size_bytes(*args) : -1;
    sum.bytes_known = sum.bytes_known && bytes >= 0;
    accumulate(sum.bytes, std::max<int64_t>(bytes, 0));
  }
  add_busbw(measured, index, kinds);
  for (auto& [key, sum] : kinds) {
    const IntervalSet all = intersect(unite(std::move(sum.spans)), scope);
    OverlapKind row;
    row.kind = key.first;
    row.group = key.second;
    row.calls = sum.calls;
    if (sum.bytes_known && sum.calls > 0) row.bytes_per_call = sum.bytes / sum.calls;
    row.comm_ns = total_ns(all) / steps;
    row.exposed_ns = total_ns(subtract(all, timeline.compute)) / steps;
    if (sum.transfer_known && sum.transfer_ns > 0)
      row.busbw_bytes_per_s = sum.moved_bytes * 1e9 / static_cast<double>(sum.transfer_ns);
    overlap.by_kind.push_back(std::move(row));
  }
  std::ranges::stable_sort(overlap.by_kind,
                           [](const OverlapKind& a, const OverlapKind& b) { return a.comm_ns > b.comm_ns; });
  return overlap;
}

}  // namespace td::analysis
