#include "analysis/what_if.h"

#include <algorithm>
#include <map>

#include "analysis/ready.h"
#include "analysis/text.h"
#include "base/math.h"
#include "base/saturate.h"

namespace td::analysis {
namespace {

using trace::SliceId;
using trace::SliceKind;

struct Replayed {
  TimeNs ready_ns = 0;
  TimeNs transfer_ns = 0;
  SliceId slice = trace::kNoSlice;
};

TimeNs last_end_ns(const std::vector<Replayed>& queue, const std::function<double(SliceId)>& scale) {
  TimeNs free_ns = INT64_MIN;
  for (const Replayed& one : queue) {
    const TimeNs length_ns = round_to_int(static_cast<double>(one.transfer_ns) * scale(one.slice));
    free_ns = add_saturated(std::max(free_ns, one.ready_ns), length_ns);
  }
  return free_ns;
}

}  // namespace

TimeNs replay_comm_gain_ns(const Measured& measured, size_t index, const std::function<double(SliceId)>& scale) {
  const MeasuredRank& rank = measured.ranks[index];
  const size_t steps = rank.steps.steady.size();
  if (steps == 0) return 0;
  std::map<SliceId, TimeNs> transfer_ns;
  for (const Collective& collective : measured.collectives.all)
    for (const CollectiveCall& call : collective.calls)
      if (call.rank == index) transfer_ns[call.slice] = collective.transfer_ns;
  const ReadyTimes ready(rank.timeline);
  std::vector<std::vector<Replayed>> queues(steps);
  for (const SliceId slice : rank.timeline.gpu) {
    if (rank.trace().kind[slice] != SliceKind::comm) continue;
    const size_t step = rank.steps.steady_at(rank.trace().end_ns(slice));
    if (step == RankSteps::kNone) continue;
    const auto it = transfer_ns.find(slice);
    queues[step].push_back({ready.of(slice), it != transfer_ns.end() ? it->second : rank.trace().dur_ns[slice], slice});
  }
  TimeNs sum_ns = 0;
  for (size_t s = 0; s < steps; ++s) {
    if (queues[s].empty()) continue;
    const TimeNs as_it_was_ns = last_end_ns(queues[s], [](SliceId) { return 1.0; });
    const TimeNs gain_ns = as_it_was_ns - last_end_ns(queues[s], scale);
    const Interval window = rank.steps.items[rank.steps.steady[s]].window;
    sum_ns += std::clamp<TimeNs>(gain_ns, 0, length_within_ns(rank.timeline.exposed_comm, window));
  }
  return sum_ns / static_cast<TimeNs>(steps);
}

TimeNs hide_gain_ns(TimeNs exposed_ns, TimeNs hideable_ns, double hidden_frac) {
  return round_to_int(static_cast<double>(std::min(exposed_ns, hideable_ns)) * hidden_frac);
}

WhatIf per_step(TimeNs step_ns, TimeNs gain_ns, std::string method) {
  WhatIf what_if;
  what_if.step_ns = step_ns - gain_ns;
  what_if.win_frac = fraction(gain_ns, step_ns);
  what_if.method = std::move(method);
  return what_if;
}

}  // namespace td::analysis
