#include "analysis/gaps.h"

#include <algorithm>
#include <array>

namespace td::analysis {
namespace {

using trace::SliceId;
using trace::TrackId;

// From launch to start on an idle device: 5-12 us on NVIDIA, 17-23 us on MI300X (timing.md 1). The bound is twice what
// this trace's fastest launches took, within these limits.
constexpr TimeNs kLaunchLatencyMinNs = 10 * kNsPerUs;
constexpr TimeNs kLaunchLatencyMaxNs = 50 * kNsPerUs;
// Python between two ops. Longer silences of a thread are other work that the trace does not show.
constexpr TimeNs kDispatchSilenceNs = 300 * kNsPerUs;
// A single CPU op that runs longer than this computes; it does not dispatch.
constexpr TimeNs kDispatchOpNs = kNsPerMs;
// A sync drains the queue, so what the host does right after it stands on the device's time as well; but only so much
// can be laid at its door: a host that then works for long would have been late anyway.
constexpr TimeNs kSyncShadowNs = kNsPerMs;
constexpr TimeNs kSyncToleranceNs = 10 * kNsPerUs;

TimeNs launch_latency_bound_ns(const RankTimeline& timeline) {
  return std::clamp(2 * timeline.launch_latency_ns, kLaunchLatencyMinNs, kLaunchLatencyMaxNs);
}

// True for calls that copy to the device from pageable memory: the host stages the bytes itself.
bool copies_from_pageable(const RankTimeline& timeline, SliceId call) {
  if (call == trace::kNoSlice) return false;
  const trace::RankTrace& rank = *timeline.trace;
  if (rank.correlation[call] == trace::kNoCorrelation || !is_copy_call(rank.name_of(call))) return false;
  return std::ranges::any_of(timeline.launches.gpu_slices_of(rank.correlation[call]), [&](SliceId work) {
    const std::string_view name = rank.name_of(work);
    return trace::is_pageable_copy(name) && trace::copy_of_name(name) == trace::CopyKind::h2d;
  });
}

GapOwner owner_of(const HostSegment& segment) {
  switch (segment.what) {
    case HostClass::sync:
      return GapOwner::sync;
    case HostClass::allocator:
      return GapOwner::allocator;
    case HostClass::loader:
      return GapOwner::data_loading;
    case HostClass::compile:
      return GapOwner::compile;
    case HostClass::gc:
      return GapOwner::gc;
    case HostClass::hook:
      return GapOwner::python_hook;
    case HostClass::dispatch:
    case HostClass::none:
      break;
  }
  return segment.end_ns - segment.begin_ns > kDispatchOpNs ? GapOwner::host_other : GapOwner::host_dispatch;
}

// Cuts the host's share of one gap into parts.
class HostShare {
 public:
  HostShare(const RankTimeline& timeline, const HostActivity& host, std::vector<GapPart>& out)
      : timeline_(timeline), host_(host), out_(out) {}

  // Threads are asked in order; the next one is asked only for what the earlier ones leave silent.
  void split(const std::vector<TrackId>& threads, Interval at) {
    IntervalSet silent = {at};
    for (const TrackId thread : threads) {
      IntervalSet rest;
      for (const Interval& stretch : silent) cover(thread, stretch, rest);
      silent = std::move(rest);
    }
    for (const Interval& stretch : silent)
      add(stretch.length_ns() > kDispatchSilenceNs ? GapOwner::host_other : GapOwner::host_dispatch, stretch,
          trace::kNoSlice);
  }

  // Ordinary host work right after a sync that drained the queue belongs to the sync.
  void cast_sync_shadow(const std::vector<TrackId>& threads, Interval at) {
    for (const TrackId thread : threads) {
      for (auto it = host_.from(thread, at.begin_ns - kSyncToleranceNs);
           it != host_.of(thread).end() && it->begin_ns < at.begin_ns; ++it) {
        if (it->what == HostClass::sync) return shadow(it->end_ns + kSyncShadowNs, it->slice);
      }
    }
  }

 private:
  void add(GapOwner owner, Interval at, SliceId culprit) {
    if (at.length_ns() > 0) out_.push_back({owner, at, culprit});
  }

  void cover(TrackId thread, Interval stretch, IntervalSet& rest) {
    TimeNs cursor_ns = stretch.begin_ns;
    for (auto it = host_.from(thread, stretch.begin_ns); it != host_.of(thread).end() && it->begin_ns < stretch.end_ns;
         ++it) {
      const TimeNs begin_ns = std::max(it->begin_ns, stretch.begin_ns);
      const TimeNs end_ns = std::min(it->end_ns, stretch.end_ns);
      if (begin_ns > cursor_ns) rest.push_back({cursor_ns, begin_ns});
      GapOwner owner = owner_of(*it);
      if (owner == GapOwner::sync && copies_from_pageable(timeline_, it->slice)) owner = GapOwner::pageable_copy;
      add(owner, {begin_ns, end_ns}, it->slice);
      cursor_ns = end_ns;
    }
    if (cursor_ns < stretch.end_ns) rest.push_back({cursor_ns, stretch.end_ns});
  }

  void shadow(TimeNs until_ns, SliceId culprit) {
    const size_t count = out_.size();
    for (size_t i = 0; i < count; ++i) {
      const bool ordinary = out_[i].owner == GapOwner::host_dispatch || out_[i].owner == GapOwner::host_other;
      if (!ordinary || out_[i].at.begin_ns >= until_ns) continue;
      const Interval whole = out_[i].at;
      if (whole.end_ns > until_ns) {
        GapPart tail = out_[i];
        tail.at.begin_ns = until_ns;
        out_[i].at.end_ns = until_ns;
        out_.push_back(tail);
      }
      out_[i].owner = GapOwner::sync;
      out_[i].culprit = culprit;
    }
  }

  const RankTimeline& timeline_;
  const HostActivity& host_;
  std::vector<GapPart>& out_;
};

TrackId thread_of_launch(const RankTimeline& timeline, SliceId gpu_slice) {
  if (gpu_slice == trace::kNoSlice) return HostActivity::kNoTrack;
  const SliceId launch = timeline.launches.launch_of(gpu_slice);
  return launch == trace::kNoSlice ? HostActivity::kNoTrack : timeline.trace->track[launch];
}

// The thread that ended the gap, then the one that fed the device before it (backward runs on another thread than
// forward), then the main one.
std::vector<TrackId> threads_to_ask(const RankTimeline& timeline, const HostActivity& host, const DeviceGap& gap) {
  std::vector<TrackId> threads;
  for (const TrackId id :
       {thread_of_launch(timeline, gap.after), thread_of_launch(timeline, gap.before), host.main_thread()})
    if (id != HostActivity::kNoTrack && std::ranges::find(threads, id) == threads.end()) threads.push_back(id);
  return threads;
}

// The part of the gap after the launch call began: latency of an empty queue, a blocking copy, or waiting for others.
void add_after_launch(const RankTimeline& timeline, SliceId launch, Interval at, std::vector<GapPart>& out) {
  const trace::RankTrace& rank = *timeline.trace;
  const TimeNs latency_end_ns = rank.start_ns[launch] + launch_latency_bound_ns(timeline);
  const TimeNs call_end_ns = rank.end_ns(launch);
  const bool copy = is_copy_call(rank.name_of(launch));
  TimeNs cursor_ns = at.begin_ns;
  const auto until = [&](TimeNs end_ns, GapOwner owner) {
    end_ns = std::min(end_ns, at.end_ns);
    if (end_ns > cursor_ns) out.push_back({owner, {cursor_ns, end_ns}, launch});
    cursor_ns = std::max(cursor_ns, end_ns);
  };
  // A launch call that runs on while the device is idle is not held up by a full queue: it loads the kernel's code, or
  // it is a large graph, whose nodes take their time (timing.md 1).
  const bool graph = rank.name_of(launch).find("Graph") != std::string_view::npos;
  const bool loads = !copy && !graph && rank.dur_ns[launch] > kDispatchOpNs;
  until(latency_end_ns, GapOwner::launch_latency);
  const GapOwner blocked = copy && copies_from_pageable(timeline, launch) ? GapOwner::pageable_copy : GapOwner::sync;
  until(call_end_ns, copy ? blocked : loads ? GapOwner::host_other : GapOwner::launch_latency);
  until(at.end_ns, GapOwner::device_wait);
}

std::vector<size_t> gaps_in(const RankTimeline& timeline, Interval window) {
  std::vector<size_t> out;
  auto it =
      std::ranges::upper_bound(timeline.gaps, window.begin_ns, {}, [](const DeviceGap& g) { return g.at.end_ns; });
  for (; it != timeline.gaps.end() && it->at.begin_ns < window.end_ns; ++it)
    out.push_back(static_cast<size_t>(it - timeline.gaps.begin()));
  return out;
}

// Equal distances of at least two steps that fill the window: no room for a beat before the first or after the last.
bool is_regular(const std::vector<size_t>& hit, size_t steps) {
  if (hit.size() < 2) return false;
  const size_t distance = hit[1] - hit[0];
  if (distance < 2 || hit.front() >= distance || steps - 1 - hit.back() >= distance) return false;
  for (size_t i = 1; i < hit.size(); ++i)
    if (hit[i] - hit[i - 1] != distance) return false;
  return true;
}

// Only steps of shapes that the others do not have, in a job that mostly repeats its shapes.
bool is_by_shape(const std::vector<size_t>& hit, const std::vector<uint64_t>& shapes, size_t steps) {
  if (shapes.size() != steps || hit.empty()) return false;
  std::vector<uint64_t> hit_shapes;
  std::vector<uint64_t> other_shapes;
  for (size_t i = 0; i < steps; ++i)
    (std::ranges::binary_search(hit, i) ? hit_shapes : other_shapes).push_back(shapes[i]);
  std::ranges::sort(hit_shapes);
  std::ranges::sort(other_shapes);
  const bool apart =
      std::ranges::none_of(other_shapes, [&](uint64_t shape) { return std::ranges::binary_search(hit_shapes, shape); });
  const size_t count = other_shapes.size();
  const auto repeated = std::ranges::unique(other_shapes);
  return apart && repeated.size() * 2 >= count;
}

}  // namespace

std::vector<GapPart> split_gap(const RankTimeline& timeline, const HostActivity& host, const DeviceGap& gap,
                               Interval at) {
  std::vector<GapPart> parts;
  const trace::RankTrace& rank = *timeline.trace;
  const SliceId launch = timeline.launches.launch_of(gap.after);
  if (launch == trace::kNoSlice) {
    const GapOwner owner = at.length_ns() <= kQueueGapNs ? GapOwner::queue_gap : GapOwner::host_other;
    return {{owner, at, trace::kNoSlice}};
  }
  const TimeNs launched_ns = rank.start_ns[launch];
  if (launched_ns < at.begin_ns && at.length_ns() <= kQueueGapNs) return {{GapOwner::queue_gap, at, launch}};
  const Interval before{at.begin_ns, std::clamp(launched_ns, at.begin_ns, at.end_ns)};
  if (before.length_ns() > 0) {
    const std::vector<TrackId> threads = threads_to_ask(timeline, host, gap);
    HostShare share(timeline, host, parts);
    share.split(threads, before);
    share.cast_sync_shadow(threads, before);
  }
  add_after_launch(timeline, launch, {before.end_ns, at.end_ns}, parts);
  return parts;
}

std::vector<GapPart> own_gaps(const RankTimeline& timeline, const HostActivity& host, const RankSteps& steps) {
  std::vector<GapPart> out;
  for (size_t s = 0; s < steps.steady.size(); ++s) {
    const Interval window = steps.items[steps.steady[s]].window;
    for (const size_t index : gaps_in(timeline, window)) {
      const DeviceGap& gap = timeline.gaps[index];
      const Interval at{std::max(gap.at.begin_ns, window.begin_ns), std::min(gap.at.end_ns, window.end_ns)};
      for (GapPart part : split_gap(timeline, host, gap, at)) {
        part.gap = index;
        part.step = s;
        out.push_back(part);
      }
    }
  }
  return out;
}

std::vector<uint64_t> step_shapes(const RankTimeline& timeline, const RankSteps& steps) {
  const trace::RankTrace& rank = *timeline.trace;
  std::vector<uint64_t> shapes(steps.steady.size(), 0);
  for (const SliceId slice : timeline.gpu) {
    if (rank.kind[slice] != trace::SliceKind::compute) continue;
    const size_t step = steps.steady_at(rank.end_ns(slice));
    if (step == RankSteps::kNone) continue;
    uint64_t hash = (uint64_t{rank.name[slice]} + 1) * 0x9E3779B97F4A7C15u;
    if (const trace::KernelArgs* args = rank.kernel_args(slice))
      for (const uint32_t size : args->grid) hash = (hash ^ size) * 0x100000001B3u;
    shapes[step] += hash ^ (hash >> 29);  // a sum: the order of streams does not matter
  }
  return shapes;
}

std::optional<Rhythm> rhythm_of(const std::vector<TimeNs>& per_step_ns, const std::vector<uint64_t>& shapes) {
  const size_t n = per_step_ns.size();
  if (n < 2) return std::nullopt;
  const TimeNs most_ns = std::ranges::max(per_step_ns);
  std::vector<size_t> hit;
  for (size_t i = 0; i < n; ++i)
    if (per_step_ns[i] > 0 && per_step_ns[i] * 5 >= most_ns) hit.push_back(i);
  if (hit.size() * 10 >= n * 8) return Rhythm::each_step;
  const bool regular = is_regular(hit, n);
  if (regular && hit.size() >= 3) return Rhythm::every_kth;
  if (is_by_shape(hit, shapes, n)) return Rhythm::by_shape;
  return regular ? Rhythm::every_kth : Rhythm::irregular;
}

}  // namespace td::analysis
