#include "formats/plausible.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace td::formats {
namespace {

using trace::RankTrace;
using trace::SliceId;

// From the first start to the last end; {0, 0} if there is nothing.
std::pair<TimeNs, TimeNs> extent_ns(const RankTrace& t) {
  TimeNs first_ns = std::numeric_limits<TimeNs>::max();
  TimeNs last_ns = std::numeric_limits<TimeNs>::min();
  for (SliceId slice = 0; slice < t.slice_count(); ++slice) {
    first_ns = std::min(first_ns, t.start_ns[slice]);
    last_ns = std::max(last_ns, t.end_ns(slice));
  }
  for (const trace::CounterSample& sample : t.counters) {
    first_ns = std::min(first_ns, sample.at_ns);
    last_ns = std::max(last_ns, sample.at_ns);
  }
  return first_ns <= last_ns ? std::pair(first_ns, last_ns) : std::pair<TimeNs, TimeNs>(0, 0);
}

// Counter samples are asked only where there is no slice.
TimeNs median_start_ns(const RankTrace& t) {
  std::vector<TimeNs> starts = t.start_ns;
  if (starts.empty())
    for (const trace::CounterSample& sample : t.counters) starts.push_back(sample.at_ns);
  const auto middle = starts.begin() + static_cast<std::ptrdiff_t>((starts.size() - 1) / 2);
  std::ranges::nth_element(starts, middle);
  return *middle;
}

template <typename T>
void keep_only(std::vector<T>& column, const std::vector<SliceId>& new_id) {
  size_t kept = 0;
  for (size_t slice = 0; slice < column.size(); ++slice)
    if (new_id[slice] != trace::kNoSlice) column[kept++] = column[slice];
  column.resize(kept);
}

template <typename Row>
void follow(std::vector<Row>& rows, const std::vector<SliceId>& new_id) {
  std::erase_if(rows, [&](const Row& row) { return new_id[row.slice] == trace::kNoSlice; });
  for (Row& row : rows) row.slice = new_id[row.slice];
}

}  // namespace

int64_t drop_implausible_times(trace::RankTraceBuilder& builder) {
  RankTrace& t = builder.header();
  const auto [first_ns, last_ns] = extent_ns(t);
  if (last_ns - first_ns <= kMaxSpanNs) return 0;
  const TimeNs middle_ns = median_start_ns(t);
  const TimeNs from_ns = middle_ns - kMaxSpanNs / 2;
  const TimeNs to_ns = middle_ns + kMaxSpanNs / 2;

  std::vector<SliceId> new_id(t.slice_count(), trace::kNoSlice);
  SliceId kept = 0;
  for (SliceId slice = 0; slice < t.slice_count(); ++slice)
    if (t.start_ns[slice] >= from_ns && t.end_ns(slice) <= to_ns) new_id[slice] = kept++;
  int64_t dropped = static_cast<int64_t>(t.slice_count() - kept);
  keep_only(t.dur_ns, new_id);
  keep_only(t.track, new_id);
  keep_only(t.name, new_id);
  keep_only(t.kind, new_id);
  keep_only(t.correlation, new_id);
  keep_only(t.start_ns, new_id);
  follow(t.kernels, new_id);
  follow(t.collectives, new_id);
  follow(t.copies, new_id);
  follow(t.ops, new_id);
  dropped += static_cast<int64_t>(std::erase_if(
      t.counters, [&](const trace::CounterSample& sample) { return sample.at_ns < from_ns || sample.at_ns > to_ns; }));
  return dropped;
}

}  // namespace td::formats
