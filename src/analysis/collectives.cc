#include "analysis/collectives.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/pipeline.h"
#include "analysis/text.h"

namespace td::analysis {
namespace {

using trace::CollectiveArgs;
using trace::CollectiveKind;
using trace::SliceId;
using trace::SliceKind;

// Below this, exits of one collective differ by themselves (timing.md 5); a clock is not corrected for it.
constexpr TimeNs kExitSpreadNs = 20 * kNsPerUs;

// What makes two ranks' kernels one collective: group, step (or ""), sequence number or order.
using Key = std::tuple<std::string, std::string, int64_t, int64_t>;

struct Bucketed {
  std::map<std::pair<std::string, std::string>, std::vector<std::pair<Key, SliceId>>> by_group_and_step;
};

std::string group_key(const trace::RankTrace& rank, const CollectiveArgs* args) {
  if (args == nullptr) return "";
  const std::string_view ranks = rank.strings.view(args->group_ranks);
  std::string key(rank.strings.view(args->group));
  // Two groups of one name on different ranks ("tp" on 0-3 and on 4-7) are two groups.
  if (!ranks.empty()) key += " " + std::string(ranks);
  return key;
}

std::string step_key(const RankTimeline& timeline, const RankSteps& steps, SliceId slice) {
  if (steps.marks.empty()) return "";
  const SliceId launch = timeline.launches.launch_of(slice);
  if (launch == trace::kNoSlice) return "";
  const TimeNs at_ns = timeline.trace->start_ns[launch];
  const auto mark = std::ranges::upper_bound(steps.marks, at_ns, {}, [](const HostMark& m) { return m.at.begin_ns; });
  return mark == steps.marks.begin() ? "before" : std::prev(mark)->name;
}

bool is_matchable(const trace::RankTrace& rank, SliceId slice) {
  if (rank.kind[slice] != SliceKind::comm) return false;
  const CollectiveArgs* args = rank.collective_args(slice);
  const CollectiveKind kind = args != nullptr && args->kind != CollectiveKind::unknown
                                  ? args->kind
                                  : trace::collective_of_kernel(rank.name_of(slice));
  return kind != CollectiveKind::send_recv;
}

Bucketed bucket(const RankTimeline& timeline, const RankSteps& steps) {
  const trace::RankTrace& rank = *timeline.trace;
  Bucketed out;
  std::map<std::tuple<std::string, std::string, int64_t>, int64_t> repeats;
  for (const SliceId slice : timeline.gpu) {
    if (!is_matchable(rank, slice)) continue;
    const CollectiveArgs* args = rank.collective_args(slice);
    const std::string group = group_key(rank, args);
    const int64_t sequence = args != nullptr ? args->sequence : -1;
    // A sequence number says all; the step is needed only to keep a cut window from shifting the order.
    const std::string step = sequence >= 0 ? "" : step_key(timeline, steps, slice);
    const int64_t repeat = repeats[{group, step, sequence}]++;
    out.by_group_and_step[{group, step}].push_back({{group, step, sequence, repeat}, slice});
  }
  return out;
}

void describe(const std::vector<const RankTimeline*>& ranks, Collective& collective) {
  const CollectiveCall& call = collective.calls.front();
  const trace::RankTrace& rank = *ranks[call.rank]->trace;
  collective.kind = trace::collective_of_kernel(rank.name_of(call.slice));
  const CollectiveArgs* args = rank.collective_args(call.slice);
  size_t expected = ranks.size();
  if (args != nullptr) {
    if (args->kind != CollectiveKind::unknown) collective.kind = args->kind;
    collective.dtype = args->dtype;
    collective.group = std::string(rank.strings.view(args->group));
    collective.group_size = args->group_size;
    collective.size_bytes = trace::size_bytes(*args);
    const std::vector<int32_t> members = ranks_in(rank.strings.view(args->group_ranks));
    if (!members.empty()) {
      expected = members.size();
    } else if (args->group_size > 0) {
      expected = static_cast<size_t>(args->group_size);
    } else if (rank.world_size > 0) {
      expected = static_cast<size_t>(rank.world_size);
    }
  } else if (rank.world_size > 0) {
    expected = static_cast<size_t>(rank.world_size);
  }
  if (collective.group_size < 0 && expected == collective.calls.size())
    collective.group_size = static_cast<int32_t>(expected);
  collective.complete = expected >= 2 && collective.calls.size() == expected;
}

bool has_messages_alone(const std::vector<const RankTimeline*>& ranks) {
  bool any = false;
  for (const RankTimeline* rank : ranks) {
    for (const SliceId slice : rank->gpu) {
      if (rank->trace->kind[slice] != SliceKind::comm) continue;
      if (!is_message(*rank->trace, slice)) return false;
      any = true;
    }
  }
  return any && ranks.size() > 1;
}

bool ends_together(CollectiveKind kind) {
  return kind != CollectiveKind::broadcast && kind != CollectiveKind::reduce && kind != CollectiveKind::send_recv;
}

// Ranks leave a collective together, so the median difference of its ends is the difference of two clocks. The first
// rank of those that share a group sets their time: a pipeline's stages have groups of their own.
void measure_clocks(const std::vector<const RankTimeline*>& ranks, MatchedCollectives& matched) {
  matched.clock_correction_ns.assign(ranks.size(), 0);
  matched.rank_aligned.assign(ranks.size(), false);
  if (!ranks.empty()) matched.rank_aligned[0] = true;
  const auto end_ns = [&](const CollectiveCall& call) {
    return ranks[call.rank]->trace->end_ns(call.slice) + ranks[call.rank]->trace->clock_offset_ns;
  };
  for (size_t first = 0; first < ranks.size(); ++first) {
    if (first > 0 && matched.rank_aligned[first]) continue;
    std::vector<std::vector<TimeNs>> ahead(ranks.size());
    bool leads = false;
    for (const Collective& collective : matched.all) {
      if (!ends_together(collective.kind) || collective.calls.front().rank != first) continue;
      leads = true;
      for (const CollectiveCall& call : collective.calls)
        if (call.rank != first) ahead[call.rank].push_back(end_ns(call) - end_ns(collective.calls.front()));
    }
    matched.rank_aligned[first] = matched.rank_aligned[first] || leads;
    for (size_t r = first + 1; r < ranks.size(); ++r) {
      if (ahead[r].empty() || matched.rank_aligned[r]) continue;
      matched.rank_aligned[r] = true;
      const TimeNs difference_ns = median_ns(ahead[r]);
      if (difference_ns > kExitSpreadNs || difference_ns < -kExitSpreadNs)
        matched.clock_correction_ns[r] = -difference_ns;
    }
  }
}

void measure_arrivals(const std::vector<const RankTimeline*>& ranks, MatchedCollectives& matched) {
  for (Collective& collective : matched.all) {
    collective.last_arrival_ns = INT64_MIN;
    collective.transfer_ns = INT64_MAX;
    for (size_t i = 0; i < collective.calls.size(); ++i) {
      const CollectiveCall& call = collective.calls[i];
      const trace::RankTrace& rank = *ranks[call.rank]->trace;
      const TimeNs start_ns = rank.start_ns[call.slice] + rank.clock_offset_ns + matched.clock_correction_ns[call.rank];
      if (start_ns > collective.last_arrival_ns) {
        collective.last_arrival_ns = start_ns;
        collective.last = i;
      }
      collective.transfer_ns = std::min(collective.transfer_ns, rank.dur_ns[call.slice]);
    }
  }
  std::ranges::stable_sort(matched.all, {}, &Collective::last_arrival_ns);
}

}  // namespace

std::vector<int32_t> ranks_in(std::string_view text) {
  if (text.find("..") != std::string_view::npos) return {};
  std::vector<int32_t> ranks;
  int64_t number = -1;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      number = std::min<int64_t>((number < 0 ? 0 : number) * 10 + (c - '0'), INT32_MAX);
    } else if (number >= 0) {
      ranks.push_back(static_cast<int32_t>(number));
      number = -1;
    }
  }
  return ranks;
}

MatchedCollectives match_collectives(const std::vector<const RankTimeline*>& ranks,
                                     const std::vector<const RankSteps*>& steps) {
  MatchedCollectives matched;
  std::map<Key, std::vector<CollectiveCall>> calls;
  std::map<std::pair<std::string, std::string>, std::vector<size_t>> counts;  // by order: kernels of each rank
  int64_t total = 0;
  for (size_t r = 0; r < ranks.size(); ++r) {
    for (const auto& [bucket_key, entries] : bucket(*ranks[r], *steps[r]).by_group_and_step) {
      for (const auto& [key, slice] : entries) calls[key].push_back({r, slice});
      if (std::get<2>(entries.front().first) < 0) counts[bucket_key].push_back(entries.size());
      total += static_cast<int64_t>(entries.size());
    }
  }
  int64_t paired = 0;
  bool all_complete = true;
  for (auto& [key, entry] : calls) {
    if (entry.size() < 2) continue;
    // Matching by order needs the same number on every rank: one kernel that a window lost shifts all that follow.
    if (const auto it = counts.find({std::get<0>(key), std::get<1>(key)}); it != counts.end() && std::get<2>(key) < 0)
      if (std::ranges::min(it->second) != std::ranges::max(it->second)) continue;
    Collective collective;
    collective.calls = std::move(entry);
    describe(ranks, collective);
    paired += static_cast<int64_t>(collective.calls.size());
    all_complete = all_complete && collective.complete;
    matched.all.push_back(std::move(collective));
  }
  matched.unmatched = total - paired;
  measure_clocks(ranks, matched);
  measure_arrivals(ranks, matched);
  // A pipeline of single ranks has messages alone, which find their peers by their group.
  const bool messages_alone = total == 0 && has_messages_alone(ranks);
  // A cut window leaves a few kernels at its edges without peers; more than a twentieth is another matter.
  matched.groups_complete = messages_alone || (!matched.all.empty() && all_complete && matched.unmatched * 20 <= total);
  return matched;
}

std::vector<IntervalSet> exposed_waits(const std::vector<const RankTimeline*>& ranks, const MatchedCollectives& matched,
                                       const std::vector<TimeNs>& offset_ns) {
  std::vector<std::vector<Interval>> waits(ranks.size());
  for (const Collective& collective : matched.all) {
    for (const CollectiveCall& call : collective.calls) {
      const trace::RankTrace& rank = *ranks[call.rank]->trace;
      const TimeNs arrival_ns = collective.last_arrival_ns - offset_ns[call.rank];
      waits[call.rank].push_back({rank.start_ns[call.slice], std::min(arrival_ns, rank.end_ns(call.slice))});
    }
  }
  std::vector<IntervalSet> out;
  for (size_t r = 0; r < ranks.size(); ++r)
    out.push_back(intersect(unite(std::move(waits[r])), ranks[r]->exposed_comm));
  return out;
}

}  // namespace td::analysis
