#include "analysis/trust.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "analysis/text.h"
#include "base/saturate.h"

namespace td::analysis {
namespace {

using trace::SliceId;
using trace::SliceKind;

// Programmatic dependent launch and clock ticks let neighbours on a stream overlap by up to 13 us (trace-oddities A11).
constexpr TimeNs kStreamOverlapNs = 20 * kNsPerUs;

// Gaps with work queued: below this, latencies between streams; from this share of the steps on, something is missing.
constexpr TimeNs kQueuedGapNs = 20 * kNsPerUs;
constexpr double kQueuedFrac = 0.05;
constexpr double kHoldsAllFrac = 0.8;
constexpr size_t kManyEvents = 20;
// The profiler's own rows inside the steps, as a share of them.
constexpr double kOverheadFrac = 0.05;
// A step with this share of its launches without GPU events, where others have nearly all.
constexpr double kStepLossFrac = 0.1;

class Judge {
 public:
  explicit Judge(const Measured& measured) : measured_(measured) {}

  Trust run() {
    for (const MeasuredRank& rank : measured_.ranks) judge_rank(rank);
    judge_job();
    std::ranges::stable_sort(problems_, [](const Graded& a, const Graded& b) { return a.verdict > b.verdict; });
    Trust trust;
    for (const Graded& graded : problems_) {
      trust.verdict = std::max(trust.verdict, graded.verdict);
      trust.problems.push_back(graded.problem);
      if (graded.ranks > 1)
        trust.problems.back().text += " (" + count_text(graded.ranks - 1, "more rank") + " likewise)";
    }
    return trust;
  }

 private:
  struct Graded {
    Verdict verdict;
    Problem problem;
    int64_t ranks = 1;  // that have it
  };

  void add(Verdict verdict, std::string id, std::string text, int64_t count = 1) {
    // What several ranks have in common is said once, with the first one's numbers.
    const auto known = std::ranges::find_if(problems_, [&](const Graded& g) { return g.problem.id == id; });
    if (measured_.ranks.size() > 1 && known != problems_.end()) {
      known->verdict = std::max(known->verdict, verdict);
      known->problem.count += count;
      ++known->ranks;
      return;
    }
    problems_.push_back({verdict, {std::move(id), std::move(text), count}, 1});
  }

  std::string who(const MeasuredRank& rank) const {
    return measured_.ranks.size() > 1 ? "rank " + std::to_string(rank.trace().rank) + ": " : "";
  }

  void judge_rank(const MeasuredRank& rank) {
    const trace::RankTrace& trace = rank.trace();
    for (const trace::LoadProblem& problem : trace.problems) add_load_problem(rank, problem);
    if (!rank.timeline.window || rank.timeline.window->length_ns() <= 0) return add_no_gpu(rank);
    judge_launches(rank);
    judge_queued(rank);
    judge_long_events(rank);
    judge_streams(rank);
    judge_steps(rank);
    judge_profiler(rank);
  }

  void add_load_problem(const MeasuredRank& rank, const trace::LoadProblem& problem) {
    // What was mended or only remarked on lost nothing.
    constexpr std::array<std::string_view, 7> kHarmless = {"stream_overlap", "overlapping_slices", "clipped_child",
                                                           "unbound_flow",   "invalid_escape",     "bare_word",
                                                           "bad_counter"};
    constexpr std::array<std::string_view, 3> kGrave = {"truncated", "event_limit", "stream_overrun"};
    const bool harmless = std::ranges::find(kHarmless, problem.id) != kHarmless.end();
    const bool cut = std::ranges::find(kGrave, problem.id) != kGrave.end();
    const bool many = problem.count * 100 > static_cast<int64_t>(rank.trace().slice_count());
    add(cut || (many && !harmless) ? Verdict::limited : Verdict::ok, problem.id, who(rank) + problem.text,
        problem.count);
  }

  void add_no_gpu(const MeasuredRank& rank) {
    add(Verdict::unreadable, "no_gpu_activity",
        who(rank) +
            "no kernel, copy or memset was recorded. Capture with torch.profiler activities=[CPU, CUDA], or "
            "nsys profile --trace=cuda,nvtx, on the process that drives the GPU.");
  }

  void judge_launches(const MeasuredRank& rank) {
    const trace::RankTrace& trace = rank.trace();
    std::vector<int64_t> recorded;
    int64_t orphans = 0;
    for (const SliceId slice : rank.timeline.gpu) {
      recorded.push_back(trace.correlation[slice]);
      orphans += rank.timeline.launches.launch_of(slice) == trace::kNoSlice ? 1 : 0;
    }
    std::ranges::sort(recorded);
    int64_t launches = 0;
    int64_t empty = 0;
    int64_t graphs = 0;
    int64_t empty_graphs = 0;
    for (SliceId slice = 0; slice < trace.slice_count(); ++slice) {
      if (trace.kind[slice] != SliceKind::runtime || !trace::is_kernel_launch(trace.name_of(slice))) continue;
      const bool graph = trace.name_of(slice).find("Graph") != std::string_view::npos;
      ++launches;
      graphs += graph ? 1 : 0;
      if (std::ranges::binary_search(recorded, trace.correlation[slice])) continue;
      ++empty;
      empty_graphs += graph ? 1 : 0;
    }
    const auto gpu_events = static_cast<int64_t>(rank.timeline.gpu.size());
    if (empty_graphs > 0 && rank.timeline.window) {
      // A device that mostly idles beside graphs without kernels idles on paper alone.
      const TimeNs span_ns = rank.timeline.window->length_ns();
      const bool hollow = empty_graphs * 2 > graphs && total_ns(rank.timeline.busy) * 2 < span_ns;
      add(hollow ? Verdict::unreadable : Verdict::limited, "graph_without_kernels",
          who(rank) + std::to_string(empty_graphs) + " of " + count_text(graphs, "graph launch") +
              " recorded no kernels, so idle time may be graph work. Capture graphs by node "
              "(nsys --cuda-graph-trace=node).",
          empty_graphs);
    }
    if (empty > empty_graphs && (empty - empty_graphs) * 20 > launches)
      add((empty - empty_graphs) * 2 > launches ? Verdict::unreadable : Verdict::limited, "missing_gpu_events",
          who(rank) + std::to_string(empty - empty_graphs) + " of " + std::to_string(launches) +
              " launches have no kernel: GPU events were dropped, idle time is overstated. Capture fewer steps, and "
              "start the profiler one step early.",
          empty - empty_graphs);
    if (launches == 0) {
      add(Verdict::limited, "no_launches",
          who(rank) +
              "no launch calls were recorded: gaps have no owner (they stand as host_other), and steps come "
              "from kernel names alone.");
    } else if (orphans * 20 > gpu_events) {
      add(orphans * 5 > gpu_events ? Verdict::limited : Verdict::ok, "work_without_launch",
          who(rank) + std::to_string(orphans) + " of " + std::to_string(gpu_events) +
              " GPU events have no launch in the file; gaps that they end stand as host_other.",
          orphans);
    }
  }

  // A device with work queued and nothing that it waits for is not idle: it ran what the trace does not hold.
  void judge_queued(const MeasuredRank& rank) {
    TimeNs queued_ns = 0;
    int64_t gaps = 0;
    for (const GapPart& part : rank.gap_parts) {
      if (part.owner != GapOwner::device_wait || part.at.length_ns() < kQueuedGapNs) continue;
      accumulate(queued_ns, part.at.length_ns());
      ++gaps;
    }
    TimeNs steps_ns = 0;
    for (const size_t step : rank.steps.steady) accumulate(steps_ns, rank.steps.items[step].window.length_ns());
    if (gaps == 0 || static_cast<double>(queued_ns) < kQueuedFrac * static_cast<double>(steps_ns)) return;
    add(Verdict::limited, "idle_with_work_queued",
        who(rank) + percent_text(queued_ns, steps_ns) +
            " of the time the device shows nothing although work was queued (" + count_text(gaps, "gap") +
            "): it ran or waited for something that the trace does not hold, so this is no idle time to act on. "
            "Capture "
            "again with graphs by node, and compare with the device's own counters (nsys --gpu-metrics-devices=all).",
        gaps);
  }

  // One event that holds most of the window hides what lies under it.
  void judge_long_events(const MeasuredRank& rank) {
    const trace::RankTrace& trace = rank.trace();
    if (rank.timeline.gpu.size() < kManyEvents || !rank.timeline.window) return;
    const double window = static_cast<double>(rank.timeline.window->length_ns());
    int64_t count = 0;
    for (const SliceId slice : rank.timeline.gpu)
      // A collective may stand for ever, waiting for a rank.
      count += trace.kind[slice] != SliceKind::comm && static_cast<double>(trace.dur_ns[slice]) > kHoldsAllFrac * window
                   ? 1
                   : 0;
    if (count > 0)
      add(Verdict::limited, "event_longer_than_window",
          who(rank) + count_text(count, "GPU event") + (count == 1 ? " holds" : " hold") + " more than " +
              percent_text(kHoldsAllFrac) +
              " of the window: its length is wrong, or the capture cut it. Busy time is overstated.",
          count);
  }

  void judge_streams(const MeasuredRank& rank) {
    const trace::RankTrace& trace = rank.trace();
    int64_t overlaps = 0;
    TimeNs overlap_ns = 0;
    std::vector<int32_t> devices;
    for (const trace::Track& track : trace.tracks) {
      if (track.kind != trace::TrackKind::stream || track.begin == track.end) continue;
      if (track.device >= 0 && std::ranges::find(devices, track.device) == devices.end())
        devices.push_back(track.device);
      TimeNs busy_until_ns = 0;  // a rank's own times begin at 0
      for (SliceId slice = track.begin; slice < track.end; ++slice) {
        if (!trace::is_gpu_work(trace.kind[slice])) continue;
        if (trace.start_ns[slice] < busy_until_ns - kStreamOverlapNs) {
          ++overlaps;
          accumulate(overlap_ns, busy_until_ns - trace.start_ns[slice]);
        }
        busy_until_ns = std::max(busy_until_ns, trace.end_ns(slice));
      }
    }
    const TimeNs window_ns = rank.timeline.window ? rank.timeline.window->length_ns() : 0;
    if (overlaps > 0)
      add(overlap_ns > window_ns / 200 ? Verdict::limited : Verdict::ok, "overrunning_events",
          who(rank) + count_text(overlaps, "GPU event") + (overlaps == 1 ? " begins" : " begin") + " more than " +
              duration_text(kStreamOverlapNs) +
              " before its predecessor on the stream ends: some lengths are wrong, busy time is overstated.",
          overlaps);
    if (devices.size() > 1)
      add(Verdict::limited, "several_devices",
          who(rank) + "one file holds " + std::to_string(devices.size()) +
              " GPUs; read as one device, the idle time of each is hidden behind the others.",
          static_cast<int64_t>(devices.size()));
  }

  void judge_steps(const MeasuredRank& rank) {
    if (rank.steps.fell_back)
      add(Verdict::limited, "no_complete_step",
          who(rank) +
              "no step is complete: the window holds less than one device step after the first mark, so the "
              "whole trace is read as one. Capture at least three steps.");
    // The first step is hardly ever whole: its start would need the work before it.
    if (rank.steps.items.size() > 1 && rank.steps.items.back().partial && !rank.steps.fell_back)
      add(Verdict::ok, "cut_in_mid_step",
          who(rank) +
              "the capture ends in mid-step: the last step lacks the end of its work and is left out of the means.");
    judge_step_losses(rank);
    const auto warmups = std::ranges::count_if(rank.steps.items, &DeviceStep::warmup);
    if (warmups > 0)
      add(Verdict::ok, "warmup_steps",
          who(rank) + count_text(warmups, "leading step") + " taken for warm-up and left out of the means.", warmups);
  }

  // Steps that launched as much as the others and recorded less.
  void judge_step_losses(const MeasuredRank& rank) {
    const trace::RankTrace& trace = rank.trace();
    if (rank.steps.marks.empty()) return;
    std::vector<int64_t> recorded;
    for (const SliceId slice : rank.timeline.gpu) recorded.push_back(trace.correlation[slice]);
    std::ranges::sort(recorded);
    std::vector<std::pair<int64_t, int64_t>> by_mark(rank.steps.marks.size());  // launches, of them without work
    for (SliceId slice = 0; slice < trace.slice_count(); ++slice) {
      if (trace.kind[slice] != SliceKind::runtime || !trace::is_kernel_launch(trace.name_of(slice))) continue;
      const auto after = std::ranges::upper_bound(rank.steps.marks, trace.start_ns[slice], {},
                                                  [](const HostMark& m) { return m.at.begin_ns; });
      if (after == rank.steps.marks.begin()) continue;
      auto& [launches, lost] = by_mark[static_cast<size_t>(after - rank.steps.marks.begin()) - 1];
      ++launches;
      lost += std::ranges::binary_search(recorded, trace.correlation[slice]) ? 0 : 1;
    }
    int64_t steps = 0;
    for (size_t i = 0; i + 1 < by_mark.size(); ++i)  // the last one may be cut by the window
      steps += static_cast<double>(by_mark[i].second) > kStepLossFrac * static_cast<double>(by_mark[i].first) ? 1 : 0;
    if (steps > 0)
      add(Verdict::limited, "step_lost_events",
          who(rank) + count_text(steps, "step") + " launched work that was not recorded (more than " +
              percent_text(kStepLossFrac) + " of the launches): the idle time there is not to be believed.",
          steps);
  }

  void judge_profiler(const MeasuredRank& rank) {
    const trace::RankTrace& trace = rank.trace();
    judge_overhead(rank);
    const auto python = std::ranges::count(trace.kind, SliceKind::python);
    if (python * 5 > static_cast<int64_t>(trace.slice_count()) && python > 100)
      add(Verdict::ok, "python_stacks",
          who(rank) +
              "recorded with Python stacks, which slow the host two- to fivefold: host-bound time is "
              "overstated. Capture again without with_stack before acting on it.",
          python);
  }

  void judge_overhead(const MeasuredRank& rank) {
    const TimeNs overhead_ns = profiler_overhead_ns(rank);
    TimeNs steps_ns = 0;
    for (const size_t step : rank.steps.steady) accumulate(steps_ns, rank.steps.items[step].window.length_ns());
    if (static_cast<double>(overhead_ns) < kOverheadFrac * static_cast<double>(steps_ns) || overhead_ns == 0) return;
    add(Verdict::limited, "profiler_overhead",
        who(rank) + "the profiler's own work (buffer flushes, instrumentation) fills " +
            percent_text(overhead_ns, steps_ns) +
            " of the steps. Capture fewer steps and activities before acting on the idle time.");
  }

  void judge_job() {
    const int32_t world_size = world_size_of(*measured_.trace);
    const auto here = static_cast<int32_t>(measured_.ranks.size());
    const bool communicates =
        std::ranges::any_of(measured_.ranks, [](const MeasuredRank& rank) { return !rank.timeline.comm.empty(); });
    if (communicates && world_size > here)
      add(Verdict::ok, "ranks_missing",
          std::to_string(here) + " of " + std::to_string(world_size) +
              " ranks are here: waiting inside collectives cannot be told from transfer. Give the other ranks' files.",
          world_size - here);
    if (here > 1 && communicates && !measured_.collectives.groups_complete)
      add(Verdict::ok, "collectives_unmatched",
          count_text(measured_.collectives.unmatched, "communication kernel") +
              " found no peer on the other ranks; wait and transfer are told apart only for the rest.",
          measured_.collectives.unmatched);
    judge_clocks();
  }

  void judge_clocks() {
    int64_t skewed = 0;
    TimeNs worst_ns = 0;
    for (const TimeNs correction_ns : measured_.collectives.clock_correction_ns) {
      if (correction_ns == 0) continue;
      ++skewed;
      worst_ns = std::max(worst_ns, correction_ns < 0 ? -correction_ns : correction_ns);
    }
    if (skewed > 0)
      add(Verdict::ok, "clocks_skewed",
          "clocks of " + count_text(skewed, "rank") + " corrected by up to " + duration_text(worst_ns) +
              ", so that collectives end together.",
          skewed);
  }

  const Measured& measured_;
  std::vector<Graded> problems_;
};

}  // namespace

TimeNs profiler_overhead_ns(const MeasuredRank& rank) {
  const trace::RankTrace& trace = rank.trace();
  std::vector<Interval> rows;
  for (SliceId slice = 0; slice < trace.slice_count(); ++slice) {
    if (trace.kind[slice] != SliceKind::overhead) continue;
    // Loading of kernels is the program's own, and comes with warm-up.
    if (trace.name_of(slice).find("Loading") != std::string_view::npos) continue;
    rows.push_back({trace.start_ns[slice], trace.end_ns(slice)});
  }
  const IntervalSet all = unite(std::move(rows));
  TimeNs sum_ns = 0;
  for (const size_t step : rank.steps.steady) accumulate(sum_ns, length_within_ns(all, rank.steps.items[step].window));
  return sum_ns;
}

Trust judge_trust(const Measured& measured) {
  Trust trust = Judge(measured).run();
  if (measured.ranks.empty()) {
    trust.verdict = Verdict::unreadable;
    trust.problems.push_back({"no_ranks", "there is no rank to read", 1});
    return trust;
  }
  // One rank without GPU activity among others that have it limits the reading, it does not end it.
  const bool any_gpu =
      std::ranges::any_of(measured.ranks, [](const MeasuredRank& rank) { return rank.timeline.window.has_value(); });
  if (any_gpu && measured.ranks.size() > 1) trust.verdict = std::min(trust.verdict, Verdict::limited);
  return trust;
}

}  // namespace td::analysis
