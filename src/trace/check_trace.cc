#include "trace/check_trace.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <utility>

namespace td::trace {
namespace {

std::string text_of(int64_t value) { return std::to_string(value); }

class Report {
 public:
  explicit Report(size_t limit) : limit_(limit) {}

  void add(std::string rule, std::string text, int32_t rank, SliceId slice = kNoSlice) {
    if (!full()) found_.push_back({std::move(rule), std::move(text), rank, slice});
  }
  [[nodiscard]] bool full() const { return found_.size() >= limit_; }
  std::vector<Violation> take() { return std::move(found_); }

 private:
  size_t limit_;
  std::vector<Violation> found_;
};

// The rules that one rank alone can break. Each method is one rule and may rely on those called before it.
class RankChecker {
 public:
  RankChecker(const RankTrace& trace, Report& report) : t_(trace), report_(report) {}

  void check(Strictness strictness) {
    if (!columns_have_one_length()) return;
    if (!ids_are_in_range()) return;
    const bool times_sane = times_are_sane();
    track_ranges_cover_all();
    tracks_are_sorted();
    side_table("kernels", t_.kernels);
    side_table("collectives", t_.collectives);
    side_table("copies", t_.copies);
    side_table("ops", t_.ops);
    flows_are_in_range();
    counters_are_in_range();
    if (!times_sane) return;
    for (const Track& track : t_.tracks)
      if (track.kind == TrackKind::host_thread) slices_nest(track);
    if (strictness == Strictness::recorded) return;
    for (const Track& track : t_.tracks)
      if (track.kind == TrackKind::stream) stream_is_in_order(track);
    gpu_work_follows_its_launch();
  }

 private:
  void add(std::string rule, std::string text, SliceId slice = kNoSlice) {
    report_.add(std::move(rule), std::move(text), t_.rank, slice);
  }

  // "slice 12 (ncclKernel) on stream 7" for messages.
  [[nodiscard]] std::string label(SliceId slice) const {
    return "slice " + text_of(slice) + " (" + std::string(t_.name_of(slice)) + ")";
  }

  bool columns_have_one_length() {
    const size_t count = t_.slice_count();
    const std::pair<const char*, size_t> columns[] = {
        {"dur_ns", t_.dur_ns.size()},
        {"track", t_.track.size()},
        {"name", t_.name.size()},
        {"kind", t_.kind.size()},
        {"correlation", t_.correlation.size()},
    };
    bool sound = true;
    for (const auto& [name, size] : columns) {
      if (size == count) continue;
      sound = false;
      add("column_length", std::string("column ") + name + " has " + std::to_string(size) + " rows, start_ns has " +
                               std::to_string(count));
    }
    return sound;
  }

  bool ids_are_in_range() {
    bool sound = true;
    const auto string_ok = [&](StringId id) { return id < t_.strings.size(); };
    for (SliceId slice = 0; slice < t_.slice_count() && !report_.full(); ++slice) {
      if (t_.track[slice] >= t_.tracks.size()) {
        sound = false;
        add("bad_track_id",
            "slice " + text_of(slice) + " is on track " + text_of(t_.track[slice]) + " of " +
                std::to_string(t_.tracks.size()),
            slice);
      }
      if (!string_ok(t_.name[slice])) {
        sound = false;
        add("bad_string_id",
            "slice " + text_of(slice) + " has name " + text_of(t_.name[slice]) + " of " +
                std::to_string(t_.strings.size()) + " strings",
            slice);
      }
      if (t_.kind[slice] > SliceKind::other) {
        sound = false;
        add("bad_slice_kind", "slice " + text_of(slice) + " has a kind outside the enumeration", slice);
      }
    }
    for (const Track& track : t_.tracks) {
      if (string_ok(track.name) && string_ok(track.process_name)) continue;
      sound = false;
      add("bad_string_id",
          "the name of track pid " + text_of(track.pid) + " tid " + text_of(track.tid) + " is not in the string table");
    }
    return sound;
  }

  bool times_are_sane() {
    bool sound = true;
    for (SliceId slice = 0; slice < t_.slice_count(); ++slice) {
      const TimeNs dur_ns = t_.dur_ns[slice];
      if (dur_ns >= 0 && t_.start_ns[slice] <= std::numeric_limits<TimeNs>::max() - dur_ns) continue;
      sound = false;
      if (dur_ns < 0) {
        add("negative_duration", label(slice) + " lasts " + text_of(dur_ns) + " ns", slice);
      } else {
        add("end_overflow", label(slice) + " ends beyond int64 nanoseconds", slice);
      }
    }
    return sound;
  }

  void track_ranges_cover_all() {
    SliceId next = 0;
    for (size_t id = 0; id < t_.tracks.size(); ++id) {
      const Track& track = t_.tracks[id];
      const std::string range =
          "track " + std::to_string(id) + " holds slices [" + text_of(track.begin) + ", " + text_of(track.end) + ")";
      if (track.begin != next || track.end < track.begin || track.end > t_.slice_count()) {
        add("track_range", range + ", expected it to begin at " + text_of(next) + " and to end by " +
                               std::to_string(t_.slice_count()));
        return;
      }
      for (SliceId slice = track.begin; slice < track.end; ++slice) {
        if (t_.track[slice] == id) continue;
        add("track_range", range + ", but " + label(slice) + " says track " + text_of(t_.track[slice]), slice);
        return;
      }
      next = track.end;
    }
    if (next != t_.slice_count())
      add("track_range", "the tracks hold " + text_of(next) + " of " + std::to_string(t_.slice_count()) + " slices");
  }

  void tracks_are_sorted() {
    for (SliceId slice = 1; slice < t_.slice_count(); ++slice) {
      const SliceId before = slice - 1;
      if (t_.track[before] > t_.track[slice]) {
        add("slice_order",
            label(slice) + " is on track " + text_of(t_.track[slice]) + " after one on track " +
                text_of(t_.track[before]),
            slice);
      }
      if (t_.track[before] != t_.track[slice]) continue;
      const bool later = t_.start_ns[before] < t_.start_ns[slice];
      const bool same = t_.start_ns[before] == t_.start_ns[slice];
      if (later || (same && t_.dur_ns[before] >= t_.dur_ns[slice])) continue;
      add("slice_order",
          label(slice) + " starts at " + text_of(t_.start_ns[slice]) + " for " + text_of(t_.dur_ns[slice]) +
              " ns, after one that starts at " + text_of(t_.start_ns[before]) + " for " + text_of(t_.dur_ns[before]),
          slice);
    }
  }

  template <typename Row>
  void side_table(const std::string& table, const std::vector<Row>& rows) {
    for (size_t i = 0; i < rows.size() && !report_.full(); ++i) {
      const SliceId slice = rows[i].slice;
      const std::string place = table + " row " + std::to_string(i) + " is about slice " + text_of(slice);
      if (slice >= t_.slice_count())
        add("side_table_range", place + " of " + std::to_string(t_.slice_count()));
      else if (i > 0 && rows[i - 1].slice >= slice)
        add("side_table_order", place + " after slice " + text_of(rows[i - 1].slice), slice);
    }
  }

  void flows_are_in_range() {
    for (const Flow& flow : t_.flows) {
      if (flow.from < t_.slice_count() && flow.to < t_.slice_count()) continue;
      add("flow_range", "a flow goes from slice " + text_of(flow.from) + " to slice " + text_of(flow.to) + " of " +
                            std::to_string(t_.slice_count()));
    }
  }

  void counters_are_in_range() {
    for (const CounterSample& sample : t_.counters) {
      if (sample.track < t_.tracks.size()) continue;
      add("counter_range", "a counter sample at " + text_of(sample.at_ns) + " ns is on track " + text_of(sample.track) +
                               " of " + std::to_string(t_.tracks.size()));
    }
  }

  [[nodiscard]] bool holds(const Track& track) const {
    return track.begin <= track.end && track.end <= t_.slice_count();
  }

  void slices_nest(const Track& track) {
    if (!holds(track)) return;
    std::vector<SliceId> open;
    for (SliceId slice = track.begin; slice < track.end; ++slice) {
      while (!open.empty() && t_.end_ns(open.back()) <= t_.start_ns[slice]) open.pop_back();
      if (!open.empty() && t_.end_ns(slice) > t_.end_ns(open.back())) {
        add("host_nesting",
            label(slice) + " ends at " + text_of(t_.end_ns(slice)) + ", outside " + label(open.back()) +
                " which ends at " + text_of(t_.end_ns(open.back())),
            slice);
        continue;
      }
      open.push_back(slice);
    }
  }

  void stream_is_in_order(const Track& track) {
    if (!holds(track)) return;
    SliceId last = kNoSlice;
    for (SliceId slice = track.begin; slice < track.end; ++slice) {
      if (!is_gpu_work(t_.kind[slice])) continue;
      if (last != kNoSlice && t_.start_ns[slice] < t_.end_ns(last)) {
        add("stream_overlap",
            label(slice) + " on stream " + text_of(track.tid) + " starts at " + text_of(t_.start_ns[slice]) +
                ", before " + label(last) + " ends at " + text_of(t_.end_ns(last)),
            slice);
      }
      if (last == kNoSlice || t_.end_ns(slice) > t_.end_ns(last)) last = slice;
    }
  }

  void gpu_work_follows_its_launch() {
    const LaunchIndex launches(t_);
    for (SliceId slice = 0; slice < t_.slice_count() && !report_.full(); ++slice) {
      if (!is_gpu_work(t_.kind[slice])) continue;
      if (t_.track_of(slice).kind != TrackKind::stream)
        add("gpu_work_off_stream", label(slice) + " is not on a stream's track", slice);
      const SliceId launch = launches.launch_of(slice);
      if (launch == kNoSlice) {
        add("no_launch", label(slice) + " has no runtime call of correlation " + text_of(t_.correlation[slice]), slice);
      } else if (t_.start_ns[slice] < t_.start_ns[launch]) {
        add("start_before_launch",
            label(slice) + " starts at " + text_of(t_.start_ns[slice]) + ", before its launch at " +
                text_of(t_.start_ns[launch]),
            slice);
      }
    }
  }

  const RankTrace& t_;
  Report& report_;
};

// "[0, 1, 2]" -> {0, 1, 2}. Kineto shortens long lists with "..."; those yield what stands before it.
std::vector<int32_t> ranks_in(std::string_view text) {
  std::vector<int32_t> ranks;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at != end) {
    int32_t rank = 0;
    const auto [next, error] = std::from_chars(at, end, rank);
    if (error == std::errc()) ranks.push_back(rank);
    at = next == at ? at + 1 : next;
  }
  return ranks;
}

struct GroupCount {
  std::map<int32_t, int64_t> by_rank;  // communication kernels on each rank of the trace that belongs to the group
};

// Groups by (name, ranks): two data-parallel groups may share a name. Point-to-point work is left out, because the
// ends of a pipeline send or receive more than the other.
std::map<std::pair<std::string, std::string>, GroupCount> count_collectives(const Trace& trace) {
  std::map<std::pair<std::string, std::string>, GroupCount> groups;
  for (const RankTrace& rank : trace.ranks) {
    for (const CollectiveArgs& args : rank.collectives) {
      if (args.slice >= rank.kind.size() || rank.kind[args.slice] != SliceKind::comm) continue;
      if (args.kind == CollectiveKind::send_recv) continue;
      const std::string_view ranks = rank.strings.view(args.group_ranks);
      ++groups[{std::string(rank.strings.view(args.group)), std::string(ranks)}].by_rank[rank.rank];
    }
  }
  for (auto& [key, group] : groups) {
    const std::vector<int32_t> members = ranks_in(key.second);
    for (const RankTrace& rank : trace.ranks)
      if (std::ranges::find(members, rank.rank) != members.end()) group.by_rank.try_emplace(rank.rank, 0);
  }
  return groups;
}

void groups_are_complete(const Trace& trace, Report& report) {
  for (const auto& [key, group] : count_collectives(trace)) {
    int64_t most = 0;
    for (const auto& [rank, count] : group.by_rank) most = std::max(most, count);
    for (const auto& [rank, count] : group.by_rank) {
      if (count == most) continue;
      report.add("collective_count",
                 "group " + key.first + " " + key.second + " has " + text_of(count) + " collectives on rank " +
                     text_of(rank) + ", but " + text_of(most) + " on another rank",
                 rank);
    }
  }
}

void ranks_are_sorted(const Trace& trace, Strictness strictness, Report& report) {
  for (size_t i = 1; i < trace.ranks.size(); ++i) {
    const int32_t before = trace.ranks[i - 1].rank;
    const int32_t rank = trace.ranks[i].rank;
    // Two recorded files may both claim rank 0; a simulated job has each rank once.
    const bool sound = strictness == Strictness::simulated ? before < rank : before <= rank;
    if (!sound) report.add("rank_order", "rank " + text_of(rank) + " stands after rank " + text_of(before), rank);
  }
}

}  // namespace

std::vector<Violation> check_trace(const Trace& trace, Strictness strictness, size_t limit) {
  Report report(limit);
  ranks_are_sorted(trace, strictness, report);
  for (const RankTrace& rank : trace.ranks) {
    if (report.full()) break;
    RankChecker(rank, report).check(strictness);
  }
  if (strictness == Strictness::simulated && !report.full()) groups_are_complete(trace, report);
  return report.take();
}

}  // namespace td::trace
