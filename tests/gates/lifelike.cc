#include "lifelike.h"

#include <algorithm>
#include <vector>

namespace td::gates {
namespace {

using trace::SliceId;
using trace::SliceKind;

double quantile(std::vector<TimeNs>& values, double at) {
  if (values.empty()) return -1;
  const auto place = static_cast<std::ptrdiff_t>(at * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return static_cast<double>(values[static_cast<size_t>(place)]);
}

bool is_kernel(SliceKind kind) { return kind == SliceKind::compute || kind == SliceKind::comm; }

// Slices of the stream with the most compute, in order.
std::vector<TimeNs> gaps_of(const trace::RankTrace& rank) {
  std::vector<TimeNs> busy_ns(rank.tracks.size(), 0);
  for (SliceId i = 0; i < rank.slice_count(); ++i) {
    if (rank.kind[i] == SliceKind::compute) busy_ns[rank.track[i]] += rank.dur_ns[i];
  }
  std::vector<TimeNs> gaps;
  if (busy_ns.empty()) return gaps;
  const auto busiest = static_cast<size_t>(std::max_element(busy_ns.begin(), busy_ns.end()) - busy_ns.begin());
  TimeNs end_ns = -1;
  for (SliceId i = rank.tracks[busiest].begin; i < rank.tracks[busiest].end; ++i) {
    if (!trace::is_gpu_work(rank.kind[i])) continue;
    if (end_ns >= 0 && rank.start_ns[i] > end_ns) gaps.push_back(rank.start_ns[i] - end_ns);
    end_ns = std::max(end_ns, rank.end_ns(i));
  }
  return gaps;
}

}  // namespace

Lifelike measure_lifelike(const trace::RankTrace& rank, int64_t file_bytes) {
  Lifelike out;
  std::vector<TimeNs> gaps = gaps_of(rank);
  out.gap_p50_ns = quantile(gaps, 0.5);
  out.gap_p90_ns = quantile(gaps, 0.9);
  const trace::LaunchIndex launches(rank);
  std::vector<TimeNs> run_ahead;
  std::vector<TimeNs> calls;
  int64_t kernels = 0;
  for (SliceId i = 0; i < rank.slice_count(); ++i) {
    if (!is_kernel(rank.kind[i])) continue;
    ++kernels;
    const SliceId launch = launches.launch_of(i);
    if (launch == trace::kNoSlice) continue;
    run_ahead.push_back(rank.start_ns[i] - rank.start_ns[launch]);
    calls.push_back(rank.dur_ns[launch]);
  }
  out.run_ahead_p10_ns = quantile(run_ahead, 0.1);
  out.run_ahead_p50_ns = quantile(run_ahead, 0.5);
  out.api_p50_ns = quantile(calls, 0.5);
  out.api_p90_ns = quantile(calls, 0.9);
  if (kernels > 0) {
    out.slices_per_kernel = static_cast<double>(rank.slice_count()) / static_cast<double>(kernels);
    if (file_bytes > 0) out.bytes_per_kernel = static_cast<double>(file_bytes) / static_cast<double>(kernels);
  }
  return out;
}

}  // namespace td::gates
