#include "analysis/host_jitter.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/saturate.h"

namespace td::analysis {
namespace {

using trace::SliceId;

constexpr size_t kMinSamples = 8;
// A kernel that starts within this of its launch found an empty queue.
constexpr TimeNs kRunAheadNs = 100 * kNsPerUs;

// Outermost ops that launched GPU work which found nothing queued, each once, by name.
std::map<trace::StringId, std::vector<SliceId>> ops_of_starved_work(const MeasuredRank& rank) {
  std::map<trace::StringId, std::vector<SliceId>> out;
  const trace::RankTrace& trace = rank.trace();
  for (const SliceId work : rank.steady_work()) {
    const SliceId launch = rank.timeline.launches.launch_of(work);
    if (launch == trace::kNoSlice || trace.start_ns[work] - trace.end_ns(launch) > kRunAheadNs) continue;
    const SliceId op = rank.tree.top_op_of(trace, launch);
    if (op == trace::kNoSlice) continue;
    std::vector<SliceId>& same = out[trace.name[op]];
    if (same.empty() || same.back() != op) same.push_back(op);
  }
  return out;
}

// Of an op, what stands in blocking or otherwise explained calls.
TimeNs explained_ns(const MeasuredRank& rank, SliceId op) {
  TimeNs sum_ns = 0;
  const trace::TrackId track = rank.trace().track[op];
  for (auto it = rank.host.from(track, rank.trace().start_ns[op]);
       it != rank.host.of(track).end() && it->begin_ns < rank.trace().end_ns(op); ++it)
    if (it->what >= HostClass::sync)
      accumulate(sum_ns,
                 std::min(it->end_ns, rank.trace().end_ns(op)) - std::max(it->begin_ns, rank.trace().start_ns[op]));
  return sum_ns;
}

}  // namespace

HostJitter host_jitter(const MeasuredRank& rank) {
  HostJitter out;
  TimeNs worst_ns = 0;
  for (const auto& [name, ops] : ops_of_starved_work(rank)) {
    if (ops.size() < kMinSamples) continue;
    std::vector<TimeNs> lengths;
    for (const SliceId op : ops) lengths.push_back(rank.trace().dur_ns[op] - explained_ns(rank, op));
    const TimeNs usual_ns = std::max<TimeNs>(1, percentile_ns(lengths, 25));
    for (size_t i = 0; i < ops.size(); ++i) {
      const TimeNs excess_ns = std::max<TimeNs>(0, lengths[i] - 2 * usual_ns);
      ++out.ops;
      accumulate(out.op_ns, lengths[i]);
      accumulate(out.excess_ns, excess_ns);
      out.stretched += lengths[i] > 4 * usual_ns ? 1 : 0;
      if (excess_ns <= worst_ns) continue;
      worst_ns = excess_ns;
      out.worst = ops[i];
    }
  }
  return out;
}

}  // namespace td::analysis
