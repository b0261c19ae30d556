#include "analysis/steps.h"

#include <algorithm>
#include <map>

#include "analysis/motif.h"
#include "base/saturate.h"

namespace td::analysis {
namespace {

using trace::SliceId;
using trace::SliceKind;

constexpr size_t kMaxWarmupSteps = 3;

// "step[DECODE bs=12]" and "step[DECODE bs=7]" are one pattern.
std::string pattern_of(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c >= '0' && c <= '9') {
      if (out.empty() || out.back() != '#') out.push_back('#');
    } else {
      out.push_back(c);
    }
  }
  return out;
}

// Annotations that come with every job and mark no step.
bool is_library_annotation(std::string_view name) {
  return name.starts_with("nccl:") || name.starts_with("rccl:") || name.starts_with("Optimizer.") ||
         name.starts_with("enumerate(DataLoader)") || name.starts_with("record_param_comms") ||
         name.starts_with("ProfilerStep") || name.starts_with("PyTorch Profiler") ||
         name.starts_with("DistributedDataParallel.") || name.starts_with("FullyShardedDataParallel.") ||
         name.starts_with("Torch-Compiled Region") || name.starts_with("c10d::") || name.starts_with("FSDP::");
}

// Marks run to the next one, so that launches between two marks belong to a step.
std::vector<HostMark> as_marks(const trace::RankTrace& rank, const std::vector<SliceId>& slices) {
  std::vector<HostMark> marks;
  for (const SliceId slice : slices) {
    const TimeNs start_ns = rank.start_ns[slice];
    if (!marks.empty()) marks.back().at.end_ns = start_ns;
    marks.push_back({std::string(rank.name_of(slice)), {start_ns, rank.end_ns(slice)}});
  }
  return marks;
}

struct Candidate {
  std::vector<SliceId> slices;
  TimeNs last_end_ns = INT64_MIN;
  bool overlapping = false;
};

// The end of the last compute kernel that each mark launched, and what ran before the first mark's kernels.
struct LaunchedEnds {
  std::vector<TimeNs> last_end_ns;  // INT64_MIN if the mark launched none
  TimeNs before_ns = INT64_MIN;     // last compute kernel of earlier work
};

LaunchedEnds launched_ends(const RankTimeline& timeline, const std::vector<HostMark>& marks) {
  const trace::RankTrace& rank = *timeline.trace;
  LaunchedEnds out{std::vector<TimeNs>(marks.size(), INT64_MIN)};
  TimeNs first_start_ns = INT64_MAX;
  std::vector<TimeNs> orphan_ends;
  for (const SliceId slice : timeline.gpu) {
    if (rank.kind[slice] != SliceKind::compute) continue;
    const SliceId launch = timeline.launches.launch_of(slice);
    if (launch == trace::kNoSlice) {
      if (first_start_ns == INT64_MAX) out.before_ns = std::max(out.before_ns, rank.end_ns(slice));
      continue;
    }
    const TimeNs at_ns = rank.start_ns[launch];
    const auto mark = std::ranges::upper_bound(marks, at_ns, {}, [](const HostMark& m) { return m.at.begin_ns; });
    if (mark == marks.begin()) {
      out.before_ns = std::max(out.before_ns, rank.end_ns(slice));
      continue;
    }
    const auto index = static_cast<size_t>(mark - marks.begin()) - 1;
    if (at_ns >= marks[index].at.end_ns) continue;  // after the last mark
    first_start_ns = std::min(first_start_ns, rank.start_ns[slice]);
    out.last_end_ns[index] = std::max(out.last_end_ns[index], rank.end_ns(slice));
  }
  return out;
}

// Kernel launches of the last mark that have no kernel, while most of the trace's have one: the capture ended first.
bool last_step_is_cut(const RankTimeline& timeline, const HostMark& last) {
  const trace::RankTrace& rank = *timeline.trace;
  std::vector<int64_t> recorded;
  for (const SliceId slice : timeline.gpu) recorded.push_back(rank.correlation[slice]);
  std::ranges::sort(recorded);
  int64_t launched = 0;
  int64_t tail_missing = 0;  // launches without a kernel, counted from the end
  std::vector<std::pair<TimeNs, bool>> launches;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::host_thread) continue;
    for (SliceId slice = track.begin; slice < track.end; ++slice) {
      if (rank.kind[slice] != SliceKind::runtime || !trace::is_kernel_launch(rank.name_of(slice))) continue;
      const TimeNs at_ns = rank.start_ns[slice];
      if (at_ns < last.at.begin_ns || at_ns >= last.at.end_ns) continue;
      launches.emplace_back(at_ns, std::ranges::binary_search(recorded, rank.correlation[slice]));
    }
  }
  std::ranges::sort(launches);
  launched = static_cast<int64_t>(launches.size());
  for (auto it = launches.rbegin(); it != launches.rend() && !it->second; ++it) ++tail_missing;
  return tail_missing > 0 && tail_missing * 50 >= launched;
}

std::vector<DeviceStep> device_steps(const RankTimeline& timeline, const std::vector<HostMark>& marks) {
  const LaunchedEnds ends = launched_ends(timeline, marks);
  std::vector<DeviceStep> items;
  // Work of an earlier step that still ran when the first mark began makes the first device step's start known.
  bool start_known = ends.before_ns > marks.front().at.begin_ns;
  TimeNs previous_end_ns = start_known ? ends.before_ns : INT64_MIN;
  for (size_t k = 0; k < marks.size(); ++k) {
    DeviceStep step{marks[k].name, {}, k};
    if (ends.last_end_ns[k] == INT64_MIN) continue;  // a mark without GPU work is no device step
    const TimeNs end_ns = ends.last_end_ns[k];
    if (!start_known) {
      const TimeNs begin_ns = std::min(std::max(marks[k].at.begin_ns, timeline.window->begin_ns), end_ns);
      step.window = {begin_ns, end_ns};
      step.partial = true;
    } else {
      step.window = {std::min(previous_end_ns, end_ns), end_ns};
      step.partial = step.window.length_ns() <= 0;
    }
    start_known = true;
    previous_end_ns = std::max(previous_end_ns, end_ns);
    items.push_back(step);
  }
  if (!items.empty() && items.back().mark + 1 == marks.size() && last_step_is_cut(timeline, marks.back()))
    items.back().partial = true;
  return items;
}

// Repetitions that one launch started (a graph of 36 layers) are parts of a step, not steps.
bool is_inside_launches(const RankTimeline& timeline, const std::vector<SliceId>& kernels, const Motif& motif) {
  size_t same = 0;
  for (size_t k = 1; k < motif.count; ++k) {
    const SliceId launch = timeline.launches.launch_of(kernels[motif.first + k * motif.period]);
    const SliceId before = timeline.launches.launch_of(kernels[motif.first + k * motif.period - 1]);
    same += launch != trace::kNoSlice && launch == before ? 1 : 0;
  }
  return same * 2 > motif.count;
}

std::vector<DeviceStep> motif_steps(const RankTimeline& timeline) {
  const trace::RankTrace& rank = *timeline.trace;
  // The stream with the most compute kernels: side streams interleave at random.
  std::vector<size_t> kernels_on(rank.tracks.size(), 0);
  for (const SliceId slice : timeline.gpu)
    if (rank.kind[slice] == SliceKind::compute) ++kernels_on[rank.track[slice]];
  if (kernels_on.empty()) return {};
  const auto busiest = static_cast<trace::TrackId>(std::ranges::max_element(kernels_on) - kernels_on.begin());
  std::vector<SliceId> kernels;
  std::vector<uint32_t> names;
  for (const SliceId slice : timeline.gpu) {
    if (rank.kind[slice] != SliceKind::compute || rank.track[slice] != busiest) continue;
    kernels.push_back(slice);
    names.push_back(rank.name[slice]);
  }
  const std::optional<Motif> motif = find_motif(names);
  if (!motif || is_inside_launches(timeline, kernels, *motif)) return {};
  std::vector<DeviceStep> items;
  for (size_t k = 0; k < motif->count; ++k) {
    const size_t first = motif->first + k * motif->period;
    const size_t last = first + motif->period - 1;
    DeviceStep step{"repetition " + std::to_string(k), {}, 0};
    step.partial = first == 0;
    const TimeNs begin_ns = first == 0 ? rank.start_ns[kernels[0]] : rank.end_ns(kernels[first - 1]);
    step.window = {std::min(begin_ns, rank.end_ns(kernels[last])), rank.end_ns(kernels[last])};
    if (step.window.length_ns() <= 0) step.partial = true;
    items.push_back(step);
  }
  return items;
}

bool is_module_load(std::string_view name) {
  return name.find("ModuleLoad") != std::string_view::npos || name.find("LibraryLoad") != std::string_view::npos ||
         name.find("Function Loading") != std::string_view::npos ||
         name.find("Module Loading") != std::string_view::npos;
}

// Leading steps that are longer than the later ones because the process was still warming up.
void flag_warmup(const RankTimeline& timeline, const HostActivity& host, std::vector<DeviceStep>& items) {
  std::vector<size_t> complete;
  for (size_t i = 0; i < items.size(); ++i)
    if (!items[i].partial) complete.push_back(i);
  if (complete.size() < 3) return;
  const size_t at_most = std::min(kMaxWarmupSteps, complete.size() - 2);
  std::vector<TimeNs> later;
  for (size_t i = at_most; i < complete.size(); ++i) later.push_back(items[complete[i]].window.length_ns());
  const TimeNs usual_ns = median_ns(later);
  for (size_t i = 0; i < at_most; ++i) {
    const TimeNs dur_ns = items[complete[i]].window.length_ns();
    const TimeNs excess_ns = dur_ns - usual_ns;
    if (excess_ns * 10 < usual_ns) return;  // the first ordinary step ends the warm-up
    const bool explained =
        warmup_signs(timeline, host, items[complete[i]].window).total_ns() >= excess_ns - excess_ns / 2;
    if (!explained && dur_ns < usual_ns * 2) return;
    items[complete[i]].warmup = true;
  }
}

void flag_outliers(std::vector<DeviceStep>& items) {
  std::vector<TimeNs> lengths;
  for (const DeviceStep& step : items)
    if (!step.partial && !step.warmup) lengths.push_back(step.window.length_ns());
  if (lengths.size() < 3) return;
  const TimeNs usual_ns = median_ns(lengths);
  for (DeviceStep& step : items) {
    const TimeNs dur_ns = step.window.length_ns();
    step.outlier = !step.partial && !step.warmup && (dur_ns * 2 > usual_ns * 3 || dur_ns * 2 < usual_ns);
  }
}

RankSteps whole_trace(const RankTimeline& timeline) {
  RankSteps steps;
  if (!timeline.window || timeline.window->length_ns() <= 0) return steps;
  steps.items.push_back({"whole trace", *timeline.window});
  steps.steady.push_back(0);
  return steps;
}

void finish(const RankTimeline& timeline, const HostActivity& host, RankSteps& steps) {
  flag_warmup(timeline, host, steps.items);
  flag_outliers(steps.items);
  for (size_t i = 0; i < steps.items.size(); ++i)
    if (!steps.items[i].partial && !steps.items[i].warmup) steps.steady.push_back(i);
}

}  // namespace

WarmupSigns warmup_signs(const RankTimeline& timeline, const HostActivity& host, Interval window) {
  const trace::RankTrace& rank = *timeline.trace;
  WarmupSigns signs;
  for (trace::TrackId id = 0; id < rank.tracks.size(); ++id) {
    for (auto it = host.from(id, window.begin_ns); it != host.of(id).end() && it->begin_ns < window.end_ns; ++it) {
      const TimeNs inside_ns = std::min(it->end_ns, window.end_ns) - std::max(it->begin_ns, window.begin_ns);
      if (it->what == HostClass::compile) accumulate(signs.compile_ns, inside_ns);
      if (it->what != HostClass::allocator) continue;
      accumulate(signs.allocate_ns, inside_ns);
      ++signs.allocations;
    }
  }
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (rank.kind[slice] != SliceKind::runtime && rank.kind[slice] != SliceKind::overhead) continue;
    if (rank.start_ns[slice] < window.begin_ns || rank.start_ns[slice] >= window.end_ns) continue;
    if (!is_module_load(rank.name_of(slice))) continue;
    accumulate(signs.load_ns, rank.dur_ns[slice]);
    ++signs.loads;
  }
  return signs;
}

TimeNs WarmupSigns::total_ns() const { return add_saturated(add_saturated(allocate_ns, compile_ns), load_ns); }

size_t RankSteps::steady_at(TimeNs at_ns) const {
  const auto it = std::ranges::lower_bound(steady, at_ns, {}, [&](size_t i) { return items[i].window.end_ns; });
  if (it == steady.end() || items[*it].window.begin_ns >= at_ns) return kNone;
  return static_cast<size_t>(it - steady.begin());
}

std::vector<HostMark> profiler_marks(const trace::RankTrace& rank) {
  std::vector<SliceId> best;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::host_thread) continue;
    std::vector<SliceId> own;
    for (SliceId slice = track.begin; slice < track.end; ++slice)
      if (trace::is_host(rank.kind[slice]) && rank.name_of(slice).starts_with("ProfilerStep#")) own.push_back(slice);
    if (own.size() > best.size()) best = std::move(own);
  }
  return as_marks(rank, best);
}

std::vector<HostMark> annotation_marks(const RankTimeline& timeline) {
  const trace::RankTrace& rank = *timeline.trace;
  std::map<std::pair<trace::TrackId, std::string>, Candidate> candidates;
  std::vector<TimeNs> launches;
  for (const SliceId slice : timeline.gpu)
    if (const SliceId launch = timeline.launches.launch_of(slice); launch != trace::kNoSlice)
      launches.push_back(rank.start_ns[launch]);
  std::ranges::sort(launches);
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (rank.kind[slice] != SliceKind::annotation || rank.dur_ns[slice] <= 0) continue;
    if (rank.track_of(slice).kind != trace::TrackKind::host_thread || is_library_annotation(rank.name_of(slice)))
      continue;
    Candidate& candidate = candidates[{rank.track[slice], pattern_of(rank.name_of(slice))}];
    if (rank.start_ns[slice] < candidate.last_end_ns) candidate.overlapping = true;
    candidate.last_end_ns = std::max(candidate.last_end_ns, rank.end_ns(slice));
    candidate.slices.push_back(slice);
  }
  const Candidate* best = nullptr;
  size_t best_covered = 0;
  for (const auto& [key, candidate] : candidates) {
    if (candidate.overlapping || candidate.slices.size() < 2) continue;
    size_t covered = 0;
    for (const SliceId slice : candidate.slices)
      covered += static_cast<size_t>(std::ranges::upper_bound(launches, rank.end_ns(slice)) -
                                     std::ranges::lower_bound(launches, rank.start_ns[slice]));
    // Of two that cover the same launches the outer one, which repeats less often, is the step.
    const bool better = covered > best_covered ||
                        (covered == best_covered && best != nullptr && candidate.slices.size() < best->slices.size());
    if (covered * 2 > launches.size() && better) {
      best = &candidate;
      best_covered = covered;
    }
  }
  return best != nullptr ? as_marks(rank, best->slices) : std::vector<HostMark>{};
}

RankSteps find_steps(const RankTimeline& timeline, const HostActivity& host) {
  if (!timeline.window) return {};
  RankSteps steps;
  steps.marks = profiler_marks(*timeline.trace);
  steps.source = StepSource::profiler_step;
  if (steps.marks.empty()) {
    steps.marks = annotation_marks(timeline);
    steps.source = StepSource::annotation;
  }
  if (!steps.marks.empty()) {
    steps.items = device_steps(timeline, steps.marks);
    finish(timeline, host, steps);
    if (!steps.steady.empty()) return steps;
    RankSteps whole = whole_trace(timeline);
    whole.fell_back = true;
    return whole;
  }
  steps.items = motif_steps(timeline);
  steps.source = StepSource::motif;
  finish(timeline, host, steps);
  return steps.steady.empty() ? whole_trace(timeline) : steps;
}

}  // namespace td::analysis
