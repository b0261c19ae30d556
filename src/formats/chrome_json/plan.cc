#include "formats/chrome_json/plan.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <tuple>

namespace td::formats::chrome {
namespace {

using trace::TrackId;
using trace::TrackKind;

class Planner {
 public:
  Planner(Mapped& mapped, const Header& header, int32_t file_rank)
      : mapped_(mapped), header_(header), file_rank_(file_rank), strings_(mapped.builder.header().strings) {}

  Plan make() {
    if (header_.declaration) {
      plan_by_declaration(*header_.declaration);
    } else {
      plan_by_rows();
    }
    for (auto& [row, tracks] : plan_.rows)
      std::ranges::stable_sort(tracks, {}, [&](TrackId id) { return plan_.tracks[id].track.kind; });
    return std::move(plan_);
  }

 private:
  // Our own export: rows are looked up, so lanes of overlapping slices come together again.
  void plan_by_declaration(const Declaration& declaration) {
    plan_.parts = declaration.ranks;
    std::map<std::pair<int64_t, int64_t>, std::vector<TrackId>> declared;
    for (const DeclaredTrack& from : declaration.tracks) {
      const auto id = static_cast<TrackId>(plan_.tracks.size());
      PlannedTrack to;
      to.part = from.part;
      to.track.kind = from.kind;
      to.track.pid = from.pid;
      to.track.tid = from.tid;
      to.track.device = from.device;
      to.track.sort_index = from.sort_index;
      to.track.name = strings_.intern(from.name);
      to.track.process_name = strings_.intern(from.process_name);
      plan_.tracks.push_back(to);
      for (const auto& row : from.rows) {
        declared[row].push_back(id);
        plan_.rows[{RowId{row.first, false}, RowId{row.second, false}}].push_back(id);
      }
    }
    for (TrackId id = 0; id < mapped_.tracks.size(); ++id) {
      const TrackKey& key = mapped_.tracks[id];
      const auto row = declared.find({key.pid.value, key.tid.value});
      const bool known = !key.pid.is_text && !key.tid.is_text && row != declared.end();
      plan_.final_track.push_back(known ? of_kind(row->second, key.kind) : add_row(id, 0));
    }
  }

  // A stream and its annotations share a row; any other row is one track, whatever its events look like.
  TrackId of_kind(const std::vector<TrackId>& ids, TrackKind kind) const {
    for (TrackId id : ids)
      if (plan_.tracks[id].track.kind == kind) return id;
    return ids.front();
  }

  void plan_by_rows() {
    add_named_empty_rows();
    make_parts();
    for (TrackId id = 0; id < mapped_.tracks.size(); ++id) plan_.final_track.push_back(add_row(id, part_of(id)));
    sort_tracks();
  }

  // A stream or thread that has a name but did nothing is kept: that it was idle is information.
  void add_named_empty_rows() {
    std::set<std::pair<RowId, RowId>> used;
    for (const TrackKey& key : mapped_.tracks) used.insert({key.pid, key.tid});
    for (const auto& [row, names] : mapped_.threads) {
      if (!names.named || used.contains(row) || row.first.is_text || row.second.is_text) continue;
      TrackKey key;
      key.pid = row.first;
      key.tid = row.second;
      key.kind = strings_.view(names.name).starts_with("stream ") ? TrackKind::stream : TrackKind::host_thread;
      if (key.kind == TrackKind::stream) {
        key.device = key.pid.value >= 0 && key.pid.value < 1024 ? static_cast<int32_t>(key.pid.value) : -1;
        key.stream = key.tid.value;
      }
      trace::Track track;
      track.kind = key.kind;
      mapped_.builder.add_track(track);
      mapped_.tracks.push_back(key);
    }
  }

  // One part, or one a rank where events say to which of several ranks they belong (merged files).
  void make_parts() {
    std::set<int32_t> ranks;
    for (const TrackKey& key : mapped_.tracks) {
      if (key.rank < 0) continue;
      ranks.insert(key.rank);
      rank_of_pid_.try_emplace(key.pid, key.rank);
    }
    Identity only = header_.job;
    if (ranks.size() < 2) {
      if (only.rank < 0) only.rank = ranks.empty() ? file_rank_ : *ranks.begin();
      plan_.parts = {only};
      return;
    }
    for (int32_t rank : ranks) {
      part_of_rank_[rank] = plan_.parts.size();
      plan_.parts.push_back(only);
      plan_.parts.back().rank = rank;
    }
  }

  size_t part_of(TrackId id) const {
    const TrackKey& key = mapped_.tracks[id];
    int32_t rank = key.rank;
    const auto by_pid = rank_of_pid_.find(key.pid);
    if (rank < 0 && by_pid != rank_of_pid_.end()) rank = by_pid->second;
    const auto part = part_of_rank_.find(rank);
    return part == part_of_rank_.end() ? 0 : part->second;
  }

  TrackId add_row(TrackId id, size_t part) {
    const TrackKey& key = mapped_.tracks[id];
    const bool gpu =
        key.kind == TrackKind::stream || key.kind == TrackKind::gpu_annotation || key.kind == TrackKind::sync;
    PlannedTrack to;
    to.part = part;
    to.track = mapped_.builder.header().tracks[id];
    to.track.kind = key.kind;
    to.track.device = key.device;
    to.track.pid = key.pid.is_text ? 0 : key.pid.value;
    to.track.tid = gpu ? key.stream : key.tid.is_text ? 0 : key.tid.value;
    name_row(to.track, key, gpu);
    plan_.tracks.push_back(to);
    const auto final_id = static_cast<TrackId>(plan_.tracks.size() - 1);
    plan_.rows[{key.pid, key.tid}].push_back(final_id);
    return final_id;
  }

  void name_row(trace::Track& track, const TrackKey& key, bool gpu) {
    if (key.pid.is_text)
      track.process_name = strings_.intern(mapped_.row_names.view(static_cast<uint32_t>(key.pid.value)));
    const auto process = mapped_.processes.find(key.pid);
    if (process != mapped_.processes.end()) {
      const ProcessNames& names = process->second;
      // All processes of a Kineto file are called "python"; the label tells the GPUs apart ("GPU 0").
      const trace::StringId name = gpu && names.label != 0 ? names.label : names.name;
      if (name != 0) track.process_name = name;
    }
    if (key.kind == TrackKind::counter) return;  // named by its series
    if (key.tid.is_text) track.name = strings_.intern(mapped_.row_names.view(static_cast<uint32_t>(key.tid.value)));
    const auto thread = mapped_.threads.find({key.pid, key.tid});
    if (thread == mapped_.threads.end()) return;
    if (thread->second.named) track.name = thread->second.name;
    track.sort_index = thread->second.sort_index;
  }

  // Order of first appearance depends on how a file happens to be sorted; this one does not.
  void sort_tracks() {
    std::vector<TrackId> order(plan_.tracks.size());
    std::iota(order.begin(), order.end(), TrackId{0});
    const auto key = [&](TrackId id) {
      const PlannedTrack& planned = plan_.tracks[id];
      const trace::Track& track = planned.track;
      return std::tuple(planned.part, track.kind, track.device, track.pid, track.tid, strings_.view(track.process_name),
                        strings_.view(track.name), track.sort_index);
    };
    std::ranges::stable_sort(order, [&](TrackId a, TrackId b) { return key(a) < key(b); });
    std::vector<TrackId> new_id(order.size());
    std::vector<PlannedTrack> sorted;
    for (TrackId at = 0; at < order.size(); ++at) {
      new_id[order[at]] = at;
      sorted.push_back(plan_.tracks[order[at]]);
    }
    plan_.tracks = std::move(sorted);
    for (TrackId& id : plan_.final_track) id = new_id[id];
    for (auto& [row, tracks] : plan_.rows)
      for (TrackId& id : tracks) id = new_id[id];
  }

  Mapped& mapped_;
  const Header& header_;
  int32_t file_rank_;
  trace::StringTable& strings_;
  Plan plan_;
  std::map<RowId, int32_t> rank_of_pid_;
  std::map<int32_t, size_t> part_of_rank_;
};

}  // namespace

Plan make_plan(Mapped& mapped, const Header& header, int32_t file_rank) {
  return Planner(mapped, header, file_rank).make();
}

}  // namespace td::formats::chrome
