#include "analysis/lateness.h"

#include <algorithm>

#include "analysis/ready.h"
#include "analysis/text.h"
#include "base/math.h"
#include "base/saturate.h"

namespace td::analysis {
namespace {

// When each rank was ready for a collective, on the common clock; the order is that of Collective::calls.
struct Link {
  const Collective* collective = nullptr;
  std::vector<TimeNs> ready_ns;
  std::vector<TimeNs> unwaited_ns;  // less what the rank waited for others, exposed, earlier in the step
};

// How much of a set lies before a time. O(log n) a question.
class LengthBefore {
 public:
  explicit LengthBefore(IntervalSet set) : set_(std::move(set)) {
    TimeNs sum_ns = 0;
    for (const Interval& i : set_) {
      before_ns_.push_back(sum_ns);
      sum_ns += i.length_ns();
    }
  }
  [[nodiscard]] TimeNs at(TimeNs at_ns) const {
    const auto after = std::ranges::upper_bound(set_, at_ns, {}, &Interval::begin_ns);
    if (after == set_.begin()) return 0;
    const auto i = static_cast<size_t>(after - set_.begin()) - 1;
    return before_ns_[i] + std::min(set_[i].length_ns(), at_ns - set_[i].begin_ns);
  }

 private:
  IntervalSet set_;
  std::vector<TimeNs> before_ns_;
};

using Chain = std::vector<Link>;

// Where the device step that ends a call begins, in the rank's own time; `otherwise_ns` if there is none.
TimeNs step_begin_ns(const RankSteps& steps, TimeNs end_ns, TimeNs otherwise_ns) {
  const size_t step = steps.steady_at(end_ns);
  return step != RankSteps::kNone ? steps.items[steps.steady[step]].window.begin_ns : otherwise_ns;
}

std::vector<Chain> chains_by_step(const std::vector<const RankTimeline*>& ranks, const MatchedCollectives& matched,
                                  const std::vector<TimeNs>& offset_ns, const std::vector<const RankSteps*>& steps) {
  std::vector<ReadyTimes> ready;
  std::vector<LengthBefore> waited;
  for (const RankTimeline* rank : ranks) ready.emplace_back(*rank);
  for (IntervalSet& waits : exposed_waits(ranks, matched, offset_ns)) waited.emplace_back(std::move(waits));
  std::vector<Chain> chains(steps.front()->steady.size());
  for (const Collective& collective : matched.all) {
    if (!collective.complete || collective.calls.front().rank != 0) continue;
    const size_t step = steps.front()->steady_at(ranks[0]->trace->end_ns(collective.calls.front().slice));
    if (step == RankSteps::kNone) continue;
    Link link{&collective, {}, {}};
    for (const CollectiveCall& call : collective.calls) {
      const TimeNs ready_ns = ready[call.rank].of(call.slice);
      const TimeNs begin_ns = step_begin_ns(*steps[call.rank], ranks[call.rank]->trace->end_ns(call.slice), ready_ns);
      const TimeNs waited_ns = waited[call.rank].at(ready_ns) - waited[call.rank].at(std::min(begin_ns, ready_ns));
      link.ready_ns.push_back(ready_ns + offset_ns[call.rank]);
      link.unwaited_ns.push_back(link.ready_ns.back() - waited_ns);
    }
    chains[step].push_back(std::move(link));
  }
  return chains;
}

TimeNs last_end_ns(const Chain& chain) {
  TimeNs end_ns = INT64_MIN;
  for (const Link& link : chain)
    end_ns = add_saturated(std::max(end_ns, std::ranges::max(link.ready_ns)), link.collective->transfer_ns);
  return end_ns;
}

// For how long the chain waited for each rank alone.
std::vector<TimeNs> held_up_ns(const Chain& chain, size_t rank_count) {
  std::vector<TimeNs> held_ns(rank_count, 0);
  TimeNs end_ns = INT64_MIN;
  for (const Link& link : chain) {
    const auto last = std::ranges::max_element(link.ready_ns);
    TimeNs next_ns = end_ns;
    for (auto it = link.ready_ns.begin(); it != link.ready_ns.end(); ++it)
      if (it != last) next_ns = std::max(next_ns, *it);
    const size_t call = static_cast<size_t>(last - link.ready_ns.begin());
    if (*last > next_ns) accumulate(held_ns[link.collective->calls[call].rank], *last - next_ns);
    end_ns = add_saturated(std::max(end_ns, *last), link.collective->transfer_ns);
  }
  return held_ns;
}

// The chain with one rank ready when the median of the others was, and nobody waiting for it earlier in the step.
Chain on_time(Chain chain, size_t rank) {
  for (Link& link : chain) {
    std::vector<TimeNs> others;
    size_t own = link.ready_ns.size();
    for (size_t i = 0; i < link.ready_ns.size(); ++i) {
      if (link.collective->calls[i].rank == rank) {
        own = i;
      } else {
        others.push_back(link.unwaited_ns[i]);
        link.ready_ns[i] = link.unwaited_ns[i];
      }
    }
    if (own < link.ready_ns.size()) link.ready_ns[own] = std::min(link.ready_ns[own], median_ns(std::move(others)));
  }
  return chain;
}

size_t call_of(const Link& link, size_t rank) {
  size_t i = 0;
  while (i < link.collective->calls.size() && link.collective->calls[i].rank != rank) ++i;
  return i;
}

// The chain with every rank ready as the late one would be at the others' pace; unchanged if its pace is theirs.
//   begin_ns  where each rank's device step begins, on the common clock
Chain at_pace(Chain chain, size_t rank, const std::vector<TimeNs>& begin_ns) {
  const Link& first = chain.front();
  std::vector<TimeNs> others;
  TimeNs own_ns = 0;
  for (size_t i = 0; i < first.ready_ns.size(); ++i) {
    const size_t r = first.collective->calls[i].rank;
    const TimeNs elapsed_ns = first.ready_ns[i] - begin_ns[r];
    if (r == rank) {
      own_ns = elapsed_ns;
    } else {
      others.push_back(elapsed_ns);
    }
  }
  const TimeNs usual_ns = median_ns(std::move(others));
  if (usual_ns <= 0 || own_ns <= usual_ns) return chain;
  const double pace = static_cast<double>(usual_ns) / static_cast<double>(own_ns);
  for (Link& link : chain) {
    const size_t own = call_of(link, rank);
    if (own == link.ready_ns.size()) continue;
    const TimeNs elapsed_ns = link.ready_ns[own] - begin_ns[rank];
    link.ready_ns.assign(link.ready_ns.size(), begin_ns[rank] + round_to_int(static_cast<double>(elapsed_ns) * pace));
  }
  return chain;
}

// Where the device step that holds this collective begins on each rank; empty if one of them has no such step.
std::vector<TimeNs> step_begins_ns(const std::vector<const RankTimeline*>& ranks, const std::vector<TimeNs>& offset_ns,
                                   const std::vector<const RankSteps*>& steps, const Collective& collective) {
  std::vector<TimeNs> begin_ns(ranks.size(), 0);
  for (const CollectiveCall& call : collective.calls) {
    const RankSteps& own = *steps[call.rank];
    const size_t step = own.steady_at(ranks[call.rank]->trace->end_ns(call.slice));
    if (step == RankSteps::kNone) return {};
    begin_ns[call.rank] = own.items[own.steady[step]].window.begin_ns + offset_ns[call.rank];
  }
  return begin_ns;
}

}  // namespace

Lateness lateness_by_step(const std::vector<const RankTimeline*>& ranks, const MatchedCollectives& matched,
                          const std::vector<TimeNs>& offset_ns, const std::vector<const RankSteps*>& steps) {
  Lateness lateness;
  for (const Chain& chain : chains_by_step(ranks, matched, offset_ns, steps)) {
    const std::vector<TimeNs> held_ns = held_up_ns(chain, ranks.size());
    const auto most = std::ranges::max_element(held_ns);
    const auto rank = static_cast<size_t>(most - held_ns.begin());
    TimeNs saved_ns = 0;
    if (!chain.empty() && *most > 0) {
      const TimeNs as_it_was_ns = last_end_ns(chain);
      saved_ns = as_it_was_ns - last_end_ns(on_time(chain, rank));
      const std::vector<TimeNs> begin_ns = step_begins_ns(ranks, offset_ns, steps, *chain.front().collective);
      if (saved_ns > 0 && !begin_ns.empty())
        saved_ns = std::max(saved_ns, as_it_was_ns - last_end_ns(at_pace(chain, rank, begin_ns)));
    }
    lateness.last_rank.push_back(saved_ns > 0 ? static_cast<int64_t>(rank) : -1);
    lateness.lateness_ns.push_back(saved_ns);
  }
  return lateness;
}

LastArrival last_arrival(const Lateness& lateness, const std::vector<const RankTimeline*>& ranks, TimeNs step_ns) {
  LastArrival out;
  const size_t steps = lateness.last_rank.size();
  if (steps == 0 || ranks.size() < 2) return out;
  std::vector<int64_t> times_last(ranks.size(), 0);
  std::vector<TimeNs> caused_ns(ranks.size(), 0);
  TimeNs all_ns = 0;
  for (size_t s = 0; s < steps; ++s) {
    if (lateness.last_rank[s] < 0) continue;
    const auto rank = static_cast<size_t>(lateness.last_rank[s]);
    ++times_last[rank];
    accumulate(caused_ns[rank], lateness.lateness_ns[s]);
    accumulate(all_ns, lateness.lateness_ns[s]);
  }
  const auto n = static_cast<int64_t>(steps);
  const auto top = static_cast<size_t>(std::ranges::max_element(times_last) - times_last.begin());
  const double share = fraction(times_last[top], n);
  if (all_ns / n <= static_cast<TimeNs>(kLateFrac * static_cast<double>(step_ns))) {
    out.kind = LastArrivalKind::none;
    out.lateness_ns = all_ns / n;
    return out;
  }
  if (n < 2) {  // once is neither always nor in turn
    out.lateness_ns = all_ns;
    return out;
  }
  out.share_frac = share;
  if (share >= kAlwaysLastFrac) {
    out.kind = LastArrivalKind::always_rank;
    out.rank = ranks[top]->trace->rank;
    out.lateness_ns = caused_ns[top] / n;
  } else {
    out.kind = LastArrivalKind::rotating;
    out.lateness_ns = all_ns / n;
  }
  return out;
}

}  // namespace td::analysis
