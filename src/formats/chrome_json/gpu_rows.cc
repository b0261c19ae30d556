#include "formats/chrome_json/gpu_rows.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/kernel_class.h"

namespace td::formats::chrome {
namespace {

using trace::CollectiveKind;
using trace::RankTrace;
using trace::SliceId;
using trace::SliceKind;
using trace::Track;
using trace::TrackId;
using trace::TrackKind;

constexpr std::string_view kAnnotationPrefix = "nccl:";
// Annotations start 1 ns early and end 1 ns late, by 1 us in versions up to early 2024.
constexpr TimeNs kSlackNs = 1000;

// Kernels of PyTorch and the GEMM libraries: they may run under an annotation, but are no communication.
bool is_ordinary_kernel(std::string_view name) {
  for (std::string_view part : {"at::native", "gemm", "Cijk_", "cutlass", "elementwise", "triton_"})
    if (name.find(part) != std::string_view::npos) return true;
  return false;
}

// Annotations of one row, taken in order of start; tells the innermost of those taken that lasts until a time.
class Nest {
 public:
  void take(SliceId annotation, TimeNs end_ns) {
    // An earlier one that ends no later is never the innermost again, so ends fall towards the top.
    while (!open_.empty() && open_.back().end_ns <= end_ns) open_.pop_back();
    open_.push_back({annotation, end_ns});
  }
  [[nodiscard]] SliceId innermost(TimeNs end_ns) const {
    const auto after = std::ranges::partition_point(open_, [&](const Open& open) { return open.end_ns >= end_ns; });
    return after == open_.begin() ? trace::kNoSlice : std::prev(after)->annotation;
  }

 private:
  struct Open {
    SliceId annotation;
    TimeNs end_ns;
  };
  std::vector<Open> open_;
};

// A kernel and the innermost annotation around it.
struct Under {
  SliceId kernel;
  SliceId annotation;
};

// The kernels of a stream that stand under one of the annotations (sorted by start), O(n log n). One that encloses the
// kernel goes before one that does so only with the slack: neighbours stand closer than that.
std::vector<Under> kernels_under(const RankTrace& t, const Track& stream, const std::vector<SliceId>& annotations) {
  std::vector<Under> out;
  Nest exact;
  Nest slack;
  size_t exact_next = 0;
  size_t slack_next = 0;
  const auto take_until = [&](Nest& nest, size_t& next, TimeNs start_ns) {
    for (; next < annotations.size() && t.start_ns[annotations[next]] <= start_ns; ++next)
      nest.take(annotations[next], t.end_ns(annotations[next]));
  };
  for (SliceId slice = stream.begin; slice < stream.end; ++slice) {
    if (t.kind[slice] != SliceKind::compute && t.kind[slice] != SliceKind::comm) continue;
    take_until(exact, exact_next, t.start_ns[slice]);
    take_until(slack, slack_next, t.start_ns[slice] + kSlackNs);
    SliceId annotation = exact.innermost(t.end_ns(slice));
    if (annotation == trace::kNoSlice) annotation = slack.innermost(t.end_ns(slice) - kSlackNs);
    if (annotation != trace::kNoSlice) out.push_back({slice, annotation});
  }
  return out;
}

class Applier {
 public:
  explicit Applier(RankTrace& trace) : t_(trace), known_(trace.collectives.size()) {}

  void run() {
    std::map<std::pair<int32_t, int64_t>, std::vector<TrackId>> streams;
    for (TrackId id = 0; id < t_.tracks.size(); ++id)
      if (t_.tracks[id].kind == TrackKind::stream) streams[{t_.tracks[id].device, t_.tracks[id].tid}].push_back(id);
    for (const Track& row : t_.tracks) {
      if (row.kind != TrackKind::gpu_annotation) continue;
      const auto same = streams.find({row.device, row.tid});
      if (same == streams.end()) continue;
      for (TrackId id : same->second) apply(row, t_.tracks[id]);
    }
    std::ranges::stable_sort(t_.collectives, {}, &trace::CollectiveArgs::slice);
  }

 private:
  void apply(const Track& row, const Track& stream) {
    std::vector<SliceId> all;
    std::vector<SliceId> of_known_kind;
    for (SliceId annotation = row.begin; annotation < row.end; ++annotation) {
      const std::string_view name = t_.name_of(annotation);
      if (!name.starts_with(kAnnotationPrefix)) continue;
      all.push_back(annotation);
      if (trace::collective_of_metadata(name) != CollectiveKind::unknown) of_known_kind.push_back(annotation);
    }
    if (all.empty()) return;
    take_only_candidates(kernels_under(t_, stream, all));
    for (const auto& [kernel, annotation] : kernels_under(t_, stream, of_known_kind))
      if (t_.kind[kernel] == SliceKind::comm) fill_kind(kernel, trace::collective_of_metadata(t_.name_of(annotation)));
  }

  // Of each annotation without a communication kernel.
  void take_only_candidates(std::vector<Under> under) {
    std::ranges::stable_sort(under, {}, &Under::annotation);
    for (size_t begin = 0, end = 0; begin < under.size(); begin = end) {
      while (end < under.size() && under[end].annotation == under[begin].annotation) ++end;
      take_only_candidate(std::span(under).subspan(begin, end - begin));
    }
  }

  void take_only_candidate(std::span<const Under> under) {
    SliceId only = trace::kNoSlice;
    for (const Under& one : under) {
      if (t_.kind[one.kernel] == SliceKind::comm) return;
      if (is_ordinary_kernel(t_.name_of(one.kernel))) continue;
      if (only != trace::kNoSlice) return;  // a second one
      only = one.kernel;
    }
    if (only != trace::kNoSlice) t_.kind[only] = SliceKind::comm;
  }

  void fill_kind(SliceId slice, CollectiveKind kind) {
    if (trace::collective_of_kernel(t_.name_of(slice)) != CollectiveKind::unknown) return;
    // Rows added here stand behind the sorted ones until run() sorts them in.
    const auto begin = t_.collectives.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(known_);
    const auto row = std::ranges::lower_bound(begin, end, slice, {}, &trace::CollectiveArgs::slice);
    if (row != end && row->slice == slice) {
      if (row->kind == CollectiveKind::unknown) row->kind = kind;
      return;
    }
    if (!added_.insert(slice).second) return;
    trace::CollectiveArgs args;
    args.slice = slice;
    args.kind = kind;
    t_.collectives.push_back(args);
  }

  RankTrace& t_;
  size_t known_;
  std::set<SliceId> added_;
};

// Programmatic dependent launch overlaps by some us; beyond this a profiler's wrong end is the likelier cause.
constexpr TimeNs kOverrunNs = 1'000'000;

// Starts of GPU work at which earlier work of the stream is still open.
struct Overlaps {
  int64_t count = 0;
  TimeNs longest_ns = 0;  // how long the earlier work stays open beyond the start
  std::string first;      // the name of the first such earlier work

  void add(std::string_view earlier, TimeNs beyond_ns) {
    if (count++ == 0) first = earlier.substr(0, 80);
    longest_ns = std::max(longest_ns, beyond_ns);
  }
  [[nodiscard]] std::string text() const {
    return "up to " + std::to_string(longest_ns) + " ns, first \"" + first + "\"";
  }
};

}  // namespace

void apply_communication_annotations(RankTrace& trace) { Applier(trace).run(); }

void note_stream_overlaps(const RankTrace& trace, Problems& problems) {
  Overlaps short_ones;
  Overlaps overruns;
  for (const Track& track : trace.tracks) {
    if (track.kind != TrackKind::stream || track.begin == track.end) continue;
    SliceId open = track.begin;  // ends last of those seen
    for (SliceId slice = track.begin + 1; slice < track.end; ++slice) {
      const TimeNs beyond_ns = trace.end_ns(open) - trace.start_ns[slice];
      if (beyond_ns > 0) (beyond_ns > kOverrunNs ? overruns : short_ones).add(trace.name_of(open), beyond_ns);
      if (trace.end_ns(slice) > trace.end_ns(open)) open = slice;
    }
  }
  if (short_ones.count > 0)
    problems.add_global(
        "stream_overlap",
        "GPU work starts before earlier work of its stream has ended (" + short_ones.text() + "); all of it was kept",
        short_ones.count);
  if (overruns.count > 0)
    problems.add_global("stream_overrun",
                        "GPU work seems to last for over 1 ms beyond the start of later work of its stream (" +
                            overruns.text() + "); its end is in doubt, all of it was kept",
                        overruns.count);
}

}  // namespace td::formats::chrome
