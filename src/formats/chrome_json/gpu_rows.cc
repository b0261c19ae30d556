#include "formats/chrome_json/gpu_rows.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "trace/kernel_class.h"

namespace td::formats::chrome {
namespace {

using trace::CollectiveKind;
using trace::RankTrace;
using trace::SliceId;
using trace::SliceKind;
using trace::Track;
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

// Kernels of `stream` that lie within the annotation.
std::vector<SliceId> kernels_under(const RankTrace& t, const Track& stream, SliceId annotation) {
  std::vector<SliceId> out;
  const TimeNs from_ns = t.start_ns[annotation] - kSlackNs;
  const TimeNs to_ns = t.end_ns(annotation) + kSlackNs;
  const auto begin = t.start_ns.begin();
  auto slice = static_cast<SliceId>(std::lower_bound(begin + stream.begin, begin + stream.end, from_ns) - begin);
  for (; slice < stream.end && t.start_ns[slice] < to_ns; ++slice) {
    const bool kernel = t.kind[slice] == SliceKind::compute || t.kind[slice] == SliceKind::comm;
    if (kernel && t.end_ns(slice) <= to_ns) out.push_back(slice);
  }
  return out;
}

class Applier {
 public:
  explicit Applier(RankTrace& trace) : t_(trace), known_(trace.collectives.size()) {}

  void run() {
    for (const Track& row : t_.tracks) {
      if (row.kind != TrackKind::gpu_annotation) continue;
      for (const Track& stream : t_.tracks)
        if (stream.kind == TrackKind::stream && stream.device == row.device && stream.tid == row.tid)
          apply(row, stream);
    }
    std::ranges::stable_sort(t_.collectives, {}, &trace::CollectiveArgs::slice);
  }

 private:
  void apply(const Track& row, const Track& stream) {
    for (SliceId annotation = row.begin; annotation < row.end; ++annotation) {
      const std::string_view name = t_.name_of(annotation);
      if (!name.starts_with(kAnnotationPrefix)) continue;
      const CollectiveKind kind = trace::collective_of_metadata(name);
      const std::vector<SliceId> kernels = kernels_under(t_, stream, annotation);
      const bool any = std::ranges::any_of(kernels, [&](SliceId slice) { return t_.kind[slice] == SliceKind::comm; });
      if (!any) take_only_candidate(kernels);
      for (SliceId slice : kernels)
        if (t_.kind[slice] == SliceKind::comm) fill_kind(slice, kind);
    }
  }

  void take_only_candidate(const std::vector<SliceId>& kernels) {
    SliceId only = trace::kNoSlice;
    for (SliceId slice : kernels) {
      if (is_ordinary_kernel(t_.name_of(slice))) continue;
      if (only != trace::kNoSlice) return;
      only = slice;
    }
    if (only != trace::kNoSlice) t_.kind[only] = SliceKind::comm;
  }

  void fill_kind(SliceId slice, CollectiveKind kind) {
    if (kind == CollectiveKind::unknown) return;
    if (trace::collective_of_kernel(t_.name_of(slice)) != CollectiveKind::unknown) return;
    // Rows added here stand behind the sorted ones until run() sorts them in.
    const auto begin = t_.collectives.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(known_);
    const auto row = std::ranges::lower_bound(begin, end, slice, {}, &trace::CollectiveArgs::slice);
    if (row != end && row->slice == slice) {
      if (row->kind == CollectiveKind::unknown) row->kind = kind;
      return;
    }
    if (std::ranges::find(end, t_.collectives.end(), slice, &trace::CollectiveArgs::slice) != t_.collectives.end())
      return;
    trace::CollectiveArgs args;
    args.slice = slice;
    args.kind = kind;
    t_.collectives.push_back(args);
  }

  RankTrace& t_;
  size_t known_;
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
