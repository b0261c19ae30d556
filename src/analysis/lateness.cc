#include "analysis/lateness.h"

#include <algorithm>

#include "analysis/ready.h"
#include "analysis/text.h"

namespace td::analysis {
namespace {

// When each rank was ready for a collective, on the common clock; the order is that of Collective::calls.
struct Link {
  const Collective* collective = nullptr;
  std::vector<TimeNs> ready_ns;
};

using Chain = std::vector<Link>;

std::vector<Chain> chains_by_step(const std::vector<const RankTimeline*>& ranks, const MatchedCollectives& matched,
                                  const std::vector<TimeNs>& offset_ns, const RankSteps& first_steps) {
  std::vector<ReadyTimes> ready;
  for (const RankTimeline* rank : ranks) ready.emplace_back(*rank);
  std::vector<Chain> chains(first_steps.steady.size());
  for (const Collective& collective : matched.all) {
    if (!collective.complete || collective.calls.front().rank != 0) continue;
    const size_t step = first_steps.steady_at(ranks[0]->trace->end_ns(collective.calls.front().slice));
    if (step == RankSteps::npos) continue;
    Link link{&collective, {}};
    for (const CollectiveCall& call : collective.calls)
      link.ready_ns.push_back(ready[call.rank].of(call.slice) + offset_ns[call.rank]);
    chains[step].push_back(std::move(link));
  }
  return chains;
}

TimeNs last_end_ns(const Chain& chain) {
  TimeNs end_ns = INT64_MIN;
  for (const Link& link : chain)
    end_ns = std::max(end_ns, std::ranges::max(link.ready_ns)) + link.collective->transfer_ns;
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
    if (*last > next_ns) held_ns[link.collective->calls[call].rank] += *last - next_ns;
    end_ns = std::max(end_ns, *last) + link.collective->transfer_ns;
  }
  return held_ns;
}

// The chain with one rank ready when the median of the others was.
Chain without_lateness(Chain chain, size_t rank) {
  for (Link& link : chain) {
    std::vector<TimeNs> others;
    size_t own = link.ready_ns.size();
    for (size_t i = 0; i < link.ready_ns.size(); ++i) {
      if (link.collective->calls[i].rank == rank) {
        own = i;
      } else {
        others.push_back(link.ready_ns[i]);
      }
    }
    if (own < link.ready_ns.size()) link.ready_ns[own] = std::min(link.ready_ns[own], median_ns(std::move(others)));
  }
  return chain;
}

}  // namespace

Lateness lateness_by_step(const std::vector<const RankTimeline*>& ranks, const MatchedCollectives& matched,
                          const std::vector<TimeNs>& offset_ns, const RankSteps& first_steps) {
  Lateness lateness;
  for (const Chain& chain : chains_by_step(ranks, matched, offset_ns, first_steps)) {
    const std::vector<TimeNs> held_ns = held_up_ns(chain, ranks.size());
    const auto most = std::ranges::max_element(held_ns);
    const auto rank = static_cast<size_t>(most - held_ns.begin());
    TimeNs saved_ns = 0;
    if (!chain.empty() && *most > 0) saved_ns = last_end_ns(chain) - last_end_ns(without_lateness(chain, rank));
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
    caused_ns[rank] += lateness.lateness_ns[s];
    all_ns += lateness.lateness_ns[s];
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
