#include "trace/trace.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace td::trace {
namespace {

template <typename Row>
const Row* find_row(const std::vector<Row>& rows, SliceId slice) {
  const auto it = std::ranges::lower_bound(rows, slice, {}, &Row::slice);
  return it != rows.end() && it->slice == slice ? &*it : nullptr;
}

template <typename T>
void reorder(std::vector<T>& column, const std::vector<SliceId>& order) {
  std::vector<T> sorted;
  sorted.reserve(column.size());
  for (SliceId old_id : order) sorted.push_back(column[old_id]);
  column = std::move(sorted);
}

template <typename Row>
void renumber(std::vector<Row>& rows, const std::vector<SliceId>& new_id) {
  for (Row& row : rows) row.slice = new_id[row.slice];
  std::ranges::stable_sort(rows, {}, &Row::slice);
}

}  // namespace

std::string_view to_string(SliceKind kind) {
  switch (kind) {
    case SliceKind::host_op:
      return "host_op";
    case SliceKind::annotation:
      return "annotation";
    case SliceKind::python:
      return "python";
    case SliceKind::loader:
      return "loader";
    case SliceKind::runtime:
      return "runtime";
    case SliceKind::compute:
      return "compute";
    case SliceKind::comm:
      return "comm";
    case SliceKind::copy:
      return "copy";
    case SliceKind::memset:
      return "memset";
    case SliceKind::gpu_annotation:
      return "gpu_annotation";
    case SliceKind::sync:
      return "sync";
    case SliceKind::overhead:
      return "overhead";
    case SliceKind::instant:
      return "instant";
    case SliceKind::other:
      return "other";
  }
  return "other";
}

std::string_view to_string(TrackKind kind) {
  switch (kind) {
    case TrackKind::host_thread:
      return "host_thread";
    case TrackKind::loader_worker:
      return "loader_worker";
    case TrackKind::stream:
      return "stream";
    case TrackKind::gpu_annotation:
      return "gpu_annotation";
    case TrackKind::sync:
      return "sync";
    case TrackKind::counter:
      return "counter";
    case TrackKind::other:
      return "other";
  }
  return "other";
}

int64_t size_bytes(const CollectiveArgs& args) {
  const int64_t count = std::max(args.in_count, args.out_count);
  const int64_t element_bytes = size_bytes(args.dtype);
  if (count < 0 || element_bytes == 0) return -1;
  if (count > std::numeric_limits<int64_t>::max() / element_bytes) return -1;
  return count * element_bytes;
}

const KernelArgs* RankTrace::kernel_args(SliceId slice) const { return find_row(kernels, slice); }
const CollectiveArgs* RankTrace::collective_args(SliceId slice) const { return find_row(collectives, slice); }
const CopyArgs* RankTrace::copy_args(SliceId slice) const { return find_row(copies, slice); }
const OpArgs* RankTrace::op_args(SliceId slice) const { return find_row(ops, slice); }

TrackId RankTraceBuilder::add_track(const Track& track) {
  trace_.tracks.push_back(track);
  return static_cast<TrackId>(trace_.tracks.size() - 1);
}

SliceId RankTraceBuilder::add_slice(TrackId track, SliceKind kind, StringId name, TimeNs start_ns, TimeNs dur_ns,
                                    int64_t correlation) {
  trace_.start_ns.push_back(start_ns);
  trace_.dur_ns.push_back(dur_ns);
  trace_.track.push_back(track);
  trace_.name.push_back(name);
  trace_.kind.push_back(kind);
  trace_.correlation.push_back(correlation);
  return static_cast<SliceId>(trace_.start_ns.size() - 1);
}

RankTrace RankTraceBuilder::finish() {
  const auto first = std::ranges::min_element(trace_.start_ns);
  return finish_at(first == trace_.start_ns.end() ? 0 : *first);
}

RankTrace RankTraceBuilder::finish_at(TimeNs zero_ns) {
  RankTrace& t = trace_;
  for (TimeNs& start_ns : t.start_ns) start_ns -= zero_ns;
  for (CounterSample& sample : t.counters) sample.at_ns -= zero_ns;
  t.file_origin_ns += zero_ns;

  std::vector<SliceId> order(t.slice_count());
  std::iota(order.begin(), order.end(), SliceId{0});
  std::ranges::stable_sort(order, [&](SliceId a, SliceId b) {
    if (t.track[a] != t.track[b]) return t.track[a] < t.track[b];
    if (t.start_ns[a] != t.start_ns[b]) return t.start_ns[a] < t.start_ns[b];
    return t.dur_ns[a] > t.dur_ns[b];
  });
  std::vector<SliceId> new_id(order.size());
  for (SliceId at = 0; at < order.size(); ++at) new_id[order[at]] = at;

  reorder(t.start_ns, order);
  reorder(t.dur_ns, order);
  reorder(t.track, order);
  reorder(t.name, order);
  reorder(t.kind, order);
  reorder(t.correlation, order);
  renumber(t.kernels, new_id);
  renumber(t.collectives, new_id);
  renumber(t.copies, new_id);
  renumber(t.ops, new_id);
  for (Flow& flow : t.flows) flow = {new_id[flow.from], new_id[flow.to]};

  SliceId at = 0;
  for (TrackId id = 0; id < t.tracks.size(); ++id) {
    t.tracks[id].begin = at;
    while (at < t.slice_count() && t.track[at] == id) ++at;
    t.tracks[id].end = at;
  }
  RankTrace done = std::move(t);
  trace_ = RankTrace();
  return done;
}

Trace assemble(std::vector<RankTrace> ranks) {
  std::vector<int32_t> taken;
  for (const RankTrace& rank : ranks) taken.push_back(rank.rank);
  std::ranges::sort(taken);
  int32_t next = 0;
  for (RankTrace& rank : ranks) {
    if (rank.rank >= 0) continue;
    while (std::ranges::binary_search(taken, next)) ++next;
    rank.rank = next++;
  }
  std::ranges::stable_sort(ranks, {}, &RankTrace::rank);
  const auto absolute_ns = [](const RankTrace& rank) { return rank.base_time_ns + rank.file_origin_ns; };
  if (!ranks.empty()) {
    TimeNs zero_ns = absolute_ns(ranks.front());
    for (const RankTrace& rank : ranks) zero_ns = std::min(zero_ns, absolute_ns(rank));
    for (RankTrace& rank : ranks) rank.clock_offset_ns = absolute_ns(rank) - zero_ns;
  }
  return {std::move(ranks)};
}

LaunchIndex::LaunchIndex(const RankTrace& trace) : launch_(trace.slice_count(), kNoSlice) {
  std::vector<std::pair<int64_t, SliceId>> launches;
  for (SliceId slice = 0; slice < trace.slice_count(); ++slice) {
    const int64_t correlation = trace.correlation[slice];
    if (correlation == kNoCorrelation) continue;
    if (trace.kind[slice] == SliceKind::runtime) launches.emplace_back(correlation, slice);
    if (is_gpu_work(trace.kind[slice])) by_correlation_.emplace_back(correlation, slice);
  }
  std::ranges::stable_sort(launches, {}, &std::pair<int64_t, SliceId>::first);
  std::ranges::sort(by_correlation_, [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    const TimeNs a_ns = trace.start_ns[a.second];
    const TimeNs b_ns = trace.start_ns[b.second];
    return a_ns != b_ns ? a_ns < b_ns : a.second < b.second;
  });
  for (const auto& [correlation, slice] : by_correlation_) {
    const auto it = std::ranges::lower_bound(launches, correlation, {}, &std::pair<int64_t, SliceId>::first);
    if (it != launches.end() && it->first == correlation) launch_[slice] = it->second;
  }
}

std::vector<SliceId> LaunchIndex::gpu_slices_of(int64_t correlation) const {
  std::vector<SliceId> out;
  auto it = std::ranges::lower_bound(by_correlation_, correlation, {}, &std::pair<int64_t, SliceId>::first);
  for (; it != by_correlation_.end() && it->first == correlation; ++it) out.push_back(it->second);
  return out;
}

}  // namespace td::trace
