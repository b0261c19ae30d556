#include "analysis/pipeline.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "analysis/collectives.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/text.h"
#include "base/saturate.h"
#include "hardware/formula/pipeline.h"

namespace td::analysis {
namespace {

using trace::CollectiveArgs;
using trace::SliceId;

// A communicator and the bytes of a message.
using MessageKey = std::tuple<std::string, std::string, int64_t>;

MessageKey key_of(const trace::RankTrace& rank, const CollectiveArgs& args) {
  return {std::string(rank.strings.view(args.group)), std::string(rank.strings.view(args.group_ranks)),
          trace::size_bytes(args)};
}

// Calls visit(slice, args) for each message of a rank.
template <typename Visit>
void for_each_message(const RankTimeline& timeline, const Visit& visit) {
  for (const SliceId slice : timeline.gpu) {
    if (timeline.trace->kind[slice] != trace::SliceKind::comm || !is_message(*timeline.trace, slice)) continue;
    if (const CollectiveArgs* args = timeline.trace->collective_args(slice)) visit(slice, *args);
  }
}

// Ranks that messages join, whatever way: each points to the lowest one.
class Joined {
 public:
  int32_t find(int32_t rank) {
    auto it = parent_.try_emplace(rank, rank).first;
    while (it->second != it->first) it = parent_.find(it->second);
    return it->first;
  }
  void join(int32_t a, int32_t b) {
    const int32_t low = std::min(find(a), find(b));
    const int32_t high = std::max(find(a), find(b));
    parent_[high] = low;
  }
  std::vector<int32_t> with(int32_t rank) {
    std::vector<int32_t> out;
    std::vector<int32_t> known;
    for (const auto& [other, parent] : parent_) known.push_back(other);
    for (const int32_t other : known)
      if (find(other) == find(rank)) out.push_back(other);
    return out;
  }

 private:
  std::map<int32_t, int32_t> parent_;
};

// The messages of one communicator that end in a steady step, per step; the most over the communicators of all ranks,
// since interleaved chunks send fewer from the last stage back to the first.
int64_t passes_of(const Measured& measured) {
  int64_t most = 0;
  for (const MeasuredRank& rank : measured.ranks) {
    const auto steps = static_cast<int64_t>(rank.steps.steady.size());
    if (steps == 0) continue;
    std::map<std::pair<std::string, std::string>, int64_t> counts;
    for_each_message(rank.timeline, [&](SliceId slice, const CollectiveArgs& args) {
      if (rank.steps.steady_at(rank.trace().end_ns(slice)) == RankSteps::kNone) return;
      ++counts[{std::string(rank.trace().strings.view(args.group)),
                std::string(rank.trace().strings.view(args.group_ranks))}];
    });
    for (const auto& [key, count] : counts) most = std::max(most, (count + steps / 2) / steps);
  }
  return most;
}

// Ranks that reduce together: the largest group of collectives, less than all; 1 without one.
int32_t replicas_of(const Measured& measured, int32_t world_size) {
  int32_t most = 1;
  for (const MeasuredRank& rank : measured.ranks) {
    for (const CollectiveArgs& args : rank.trace().collectives)
      if (args.kind != trace::CollectiveKind::send_recv && args.group_size < world_size)
        most = std::max(most, args.group_size);
  }
  return most;
}

void count_stages(const Measured& measured, Pipeline& out) {
  Joined joined;
  int32_t first = -1;
  for (const MeasuredRank& rank : measured.ranks) {
    for_each_message(rank.timeline, [&](SliceId, const CollectiveArgs& args) {
      const std::vector<int32_t> pair = ranks_in(rank.trace().strings.view(args.group_ranks));
      if (pair.size() != 2) return;
      joined.join(pair[0], pair[1]);
      if (first < 0) first = rank.trace().rank;
    });
  }
  if (first < 0) return;
  const std::vector<int32_t> chain = joined.with(first);
  out.stages = static_cast<int32_t>(chain.size());
  out.all_stages = std::ranges::all_of(chain, [&](int32_t number) {
    return std::ranges::any_of(measured.ranks, [&](const MeasuredRank& rank) { return rank.trace().rank == number; });
  });
  // One stage sees its neighbours only.
  const int32_t world_size = world_size_of(*measured.trace);
  if (!out.all_stages) out.stages = std::max(out.stages, world_size / replicas_of(measured, world_size));
}

}  // namespace

bool is_message(const trace::RankTrace& rank, SliceId slice) {
  const CollectiveArgs* args = rank.collective_args(slice);
  return args != nullptr && args->kind == trace::CollectiveKind::send_recv && args->group_size == 2;
}

std::vector<RankMessages> measure_messages(const std::vector<const RankTimeline*>& ranks) {
  std::map<MessageKey, TimeNs> transfer_ns;
  for (const RankTimeline* rank : ranks) {
    for_each_message(*rank, [&](SliceId slice, const CollectiveArgs& args) {
      const TimeNs dur_ns = rank->trace->dur_ns[slice];
      const auto [it, added] = transfer_ns.try_emplace(key_of(*rank->trace, args), dur_ns);
      if (!added) it->second = std::min(it->second, dur_ns);
    });
  }
  std::vector<RankMessages> out(ranks.size());
  if (transfer_ns.empty()) return out;
  for (size_t r = 0; r < ranks.size(); ++r) {
    const trace::RankTrace& rank = *ranks[r]->trace;
    std::vector<Interval> kernels;
    std::vector<Interval> waits;
    std::vector<Interval> collectives;
    for_each_message(*ranks[r], [&](SliceId slice, const CollectiveArgs& args) {
      kernels.push_back({rank.start_ns[slice], rank.end_ns(slice)});
      waits.push_back({rank.start_ns[slice], rank.end_ns(slice) - transfer_ns[key_of(rank, args)]});
    });
    for (const SliceId slice : ranks[r]->gpu)
      if (rank.kind[slice] == trace::SliceKind::comm && !is_message(rank, slice))
        collectives.push_back({rank.start_ns[slice], rank.end_ns(slice)});
    out[r] = {unite(std::move(kernels)), unite(std::move(collectives)), unite(std::move(waits))};
  }
  return out;
}

TimeNs message_wait_ns(const Measured& measured, size_t rank) {
  const MeasuredRank& at = measured.ranks[rank];
  if (rank >= measured.messages.size() || at.steps.steady.empty()) return 0;
  const IntervalSet exposed = intersect(measured.messages[rank].waits, at.timeline.exposed_comm);
  TimeNs sum_ns = 0;
  for (const size_t i : at.steps.steady) accumulate(sum_ns, length_within_ns(exposed, at.steps.items[i].window));
  return sum_ns / static_cast<TimeNs>(at.steps.steady.size());
}

std::optional<Pipeline> find_pipeline(const Measured& measured) {
  Pipeline out;
  count_stages(measured, out);
  if (out.stages < 2) return std::nullopt;
  out.passes = passes_of(measured);
  if (out.passes < 1) return std::nullopt;
  out.bubble_frac = hardware::bubble_frac(out.stages, out.passes, 1);
  TimeNs step_ns = 0;
  TimeNs waiting_ns = 0;
  TimeNs most_compute_ns = 0;
  TimeNs most_wait_ns = -1;
  int64_t count = 0;
  for (size_t r = 0; r < measured.ranks.size(); ++r) {
    const Ledger& ledger = measured.reading->ledgers[r];
    if (ledger.steps == 0) continue;
    ++count;
    const TimeNs wait_ns = message_wait_ns(measured, r) + loss_by_idle_ns(ledger);
    accumulate(step_ns, ledger.step_ns);
    accumulate(waiting_ns, wait_ns);
    accumulate(out.compute_ns, ledger.compute_ns);
    most_compute_ns = std::max(most_compute_ns, ledger.compute_ns);
    if (wait_ns > most_wait_ns) out.waits_longest = r;
    most_wait_ns = std::max(most_wait_ns, wait_ns);
  }
  if (count == 0 || step_ns <= 0 || out.compute_ns <= 0) return std::nullopt;
  out.waiting_frac = fraction(waiting_ns, step_ns);
  out.compute_ns /= count;
  out.spread_frac = fraction(most_compute_ns, std::max<TimeNs>(out.compute_ns, 1)) - 1;
  return out;
}

WellFed well_fed(const Pipeline& pipeline) {
  constexpr int64_t kMostFactor = 64;
  WellFed out{.factor = 1, .bubble_frac = pipeline.bubble_frac, .win_frac = 0};
  while (out.bubble_frac > kWellFedFrac && out.factor < kMostFactor) {
    out.factor *= 2;
    out.bubble_frac = hardware::bubble_frac(pipeline.stages, pipeline.passes * out.factor, 1);
  }
  out.win_frac = 1 - (1 - pipeline.bubble_frac) / (1 - out.bubble_frac);
  return out;
}

}  // namespace td::analysis
