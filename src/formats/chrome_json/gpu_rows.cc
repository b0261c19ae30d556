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

}  // namespace

void apply_communication_annotations(RankTrace& trace) { Applier(trace).run(); }

void note_stream_overlaps(const RankTrace& trace, Problems& problems) {
  int64_t count = 0;
  TimeNs longest_ns = 0;
  std::string first;
  for (const Track& track : trace.tracks) {
    if (track.kind != TrackKind::stream || track.begin == track.end) continue;
    TimeNs busy_until_ns = trace.start_ns[track.begin];
    for (SliceId slice = track.begin; slice < track.end; ++slice) {
      const TimeNs overlap_ns = std::min(busy_until_ns, trace.end_ns(slice)) - trace.start_ns[slice];
      if (trace.start_ns[slice] < busy_until_ns) {
        if (count == 0) first = trace.name_of(slice);
        ++count;
        longest_ns = std::max(longest_ns, overlap_ns);
      }
      busy_until_ns = std::max(busy_until_ns, trace.end_ns(slice));
    }
  }
  if (count == 0) return;
  problems.add_global("stream_overlap",
                      "GPU work starts before earlier work of its stream has ended (longest overlap " +
                          std::to_string(longest_ns) + " ns, first \"" + first.substr(0, 80) +
                          "\"); all of it was kept",
                      count);
}

}  // namespace td::formats::chrome
