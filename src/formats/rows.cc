#include "formats/rows.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace td::formats {
namespace {

using trace::RankTrace;
using trace::SliceId;
using trace::Track;
using trace::TrackId;
using trace::TrackKind;

constexpr int64_t kGpuPidBase = 1'000'000;
constexpr int64_t kPidsPerRank = 10'000;
constexpr int64_t kGpuPidInBlock = 5'000;
constexpr int64_t kFreshPidBase = 2'000'000'000;
constexpr int64_t kFreshTidBase = 900'000'001;
constexpr int64_t kSyncTidShift = 1'000'000;  // Kineto's own row for stream syncs
constexpr int64_t kMaxNumber = (int64_t{1} << 32) - 1;
// Lanes a row may need; beyond it the last one takes what overlaps.
constexpr size_t kMaxLanes = 64;

bool on_gpu(TrackKind kind) {
  return kind == TrackKind::stream || kind == TrackKind::gpu_annotation || kind == TrackKind::sync;
}

// Numbers 1 .. 2^32-1, each given out once.
class Numbers {
 public:
  explicit Numbers(int64_t fresh_from = kFreshTidBase) : next_(fresh_from) {}
  int64_t take(int64_t preferred) {
    if (preferred > 0 && preferred <= kMaxNumber && used_.insert(preferred).second) return preferred;
    while (!used_.insert(next_).second) ++next_;
    return next_;
  }

 private:
  std::set<int64_t> used_;
  int64_t next_;
};

class Layout {
 public:
  Layout(const RankTrace& trace, size_t part, size_t parts, Numbers& pids)
      : t_(trace), part_(part), merged_(parts > 1), pids_(pids) {
    out_.tracks.resize(trace.tracks.size());
  }

  RankRows make() {
    for (TrackId id = 0; id < t_.tracks.size(); ++id)
      if (!on_gpu(t_.tracks[id].kind)) place_host(id);
    for (TrackId id = 0; id < t_.tracks.size(); ++id)
      if (on_gpu(t_.tracks[id].kind) && t_.tracks[id].kind != TrackKind::gpu_annotation) place_gpu(id);
    for (TrackId id = 0; id < t_.tracks.size(); ++id)
      if (t_.tracks[id].kind == TrackKind::gpu_annotation) place_annotations(id);
    for (const std::vector<TrackId>& row : groups_) make_lanes(row);
    return std::move(out_);
  }

 private:
  std::string process_name(std::string name) const {
    if (!merged_) return name;
    return "rank " + std::to_string(t_.rank) + (name.empty() ? "" : ": " + name);
  }

  int64_t process(const std::pair<int64_t, std::string>& key, int64_t preferred, const std::string& name) {
    const auto known = processes_.find(key);
    if (known != processes_.end()) return known->second;
    const int64_t pid = pids_.take(preferred);
    processes_[key] = pid;
    out_.processes.push_back({pid, process_name(name)});
    return pid;
  }

  void place(TrackId id, int64_t pid, int64_t preferred_tid) {
    out_.tracks[id] = {pid, {tids_[pid].take(preferred_tid)}};
    groups_.push_back({id});
  }

  void place_host(TrackId id) {
    const Track& track = t_.tracks[id];
    const std::string name(t_.strings.view(track.process_name));
    const auto block = static_cast<int64_t>(part_ + 1) * kPidsPerRank;
    const int64_t preferred = merged_ ? block + 1 + static_cast<int64_t>(processes_.size()) : track.pid;
    place(id, process({track.pid, "host " + name}, preferred, name), track.tid);
  }

  int64_t gpu_process(const Track& track) {
    std::string name(t_.strings.view(track.process_name));
    // In Kineto's files it is called "python3" like the host process; viewers show the name, so say what it is.
    if (!name.starts_with("GPU")) {
      name = "GPU " + std::to_string(std::max(track.device, 0));
      if (!t_.device_name.empty()) name += " (" + t_.device_name + ")";
    }
    const int64_t device = std::clamp(track.device, 0, 999);
    const int64_t block = static_cast<int64_t>(part_ + 1) * kPidsPerRank + kGpuPidInBlock;
    return process({track.device, "gpu"}, (merged_ ? block : kGpuPidBase) + device, name);
  }

  void place_gpu(TrackId id) {
    const Track& track = t_.tracks[id];
    place(id, gpu_process(track),
          track.kind == TrackKind::sync && track.tid < kSyncTidShift ? track.tid + kSyncTidShift : track.tid);
  }

  void place_annotations(TrackId id) {
    const Track& track = t_.tracks[id];
    for (std::vector<TrackId>& row : groups_) {
      const Track& stream = t_.tracks[row.front()];
      const bool same = row.size() == 1 && stream.kind == TrackKind::stream && stream.device == track.device &&
                        stream.tid == track.tid;
      if (!same) continue;
      out_.tracks[id] = out_.tracks[row.front()];
      row.push_back(id);
      return;
    }
    place(id, gpu_process(track), track.tid);
  }

  // Slices of one row, parents before children.
  std::vector<SliceId> slices_of(const std::vector<TrackId>& row) const {
    std::vector<SliceId> out;
    for (TrackId id : row)
      for (SliceId slice = t_.tracks[id].begin; slice < t_.tracks[id].end; ++slice)
        if (t_.kind[slice] != trace::SliceKind::instant) out.push_back(slice);
    if (row.size() > 1) {
      std::ranges::stable_sort(out, [&](SliceId a, SliceId b) {
        return t_.start_ns[a] != t_.start_ns[b] ? t_.start_ns[a] < t_.start_ns[b] : t_.dur_ns[a] > t_.dur_ns[b];
      });
    }
    return out;
  }

  // A slice goes to the first lane where it nests or stands alone: 1 ns of overlap costs Perfetto the slice.
  void make_lanes(const std::vector<TrackId>& row) {
    std::vector<std::vector<TimeNs>> lanes(1);
    for (SliceId slice : slices_of(row)) {
      size_t lane = 0;
      for (;; ++lane) {
        if (lane == lanes.size()) lanes.emplace_back();
        std::vector<TimeNs>& open = lanes[lane];
        while (!open.empty() && open.back() <= t_.start_ns[slice]) open.pop_back();
        if (open.empty() || t_.end_ns(slice) <= open.back() || lane + 1 == kMaxLanes) break;
      }
      lanes[lane].push_back(t_.end_ns(slice));
      if (lane == 0) continue;
      if (out_.lane.empty()) out_.lane.assign(t_.slice_count(), 0);
      out_.lane[slice] = static_cast<uint8_t>(lane);
    }
    const int64_t pid = out_.tracks[row.front()].pid;
    for (size_t lane = 1; lane < lanes.size(); ++lane) {
      const int64_t tid = tids_[pid].take(0);
      for (TrackId id : row) out_.tracks[id].tids.push_back(tid);
    }
  }

  const RankTrace& t_;
  size_t part_;
  bool merged_;
  Numbers& pids_;
  RankRows out_;
  std::map<std::pair<int64_t, std::string>, int64_t> processes_;
  std::map<int64_t, Numbers> tids_;
  std::vector<std::vector<TrackId>> groups_;  // tracks that share a row
};

}  // namespace

std::vector<RankRows> lay_out(std::span<const RankTrace* const> ranks) {
  Numbers pids(kFreshPidBase);
  std::vector<RankRows> out;
  for (size_t part = 0; part < ranks.size(); ++part)
    out.push_back(Layout(*ranks[part], part, ranks.size(), pids).make());
  return out;
}

}  // namespace td::formats
