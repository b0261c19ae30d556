#include "analysis/host.h"

#include <algorithm>
#include <array>

namespace td::analysis {
namespace {

using trace::SliceId;
using trace::SliceKind;
using trace::TrackId;

// A copy call of this length did more than enqueue: the host side was pageable, or the queue was full.
constexpr TimeNs kBlockingCopyNs = 30 * kNsPerUs;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

template <size_t N>
bool contains_any(std::string_view text, const std::array<std::string_view, N>& parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return contains(text, part); });
}

// Calls that map or unmap device or pinned memory. The stream-ordered ones (MallocAsync) come from a pool and are
// cheap.
constexpr std::array<std::string_view, 14> kAllocatorCalls = {
    "cudaMalloc",  "cudaFree",   "cudaHostAlloc", "cudaMallocHost", "hipMalloc", "hipFree",    "hipHostMalloc",
    "hipHostFree", "cuMemAlloc", "cuMemFree",     "cuMemCreate",    "cuMemMap",  "cuMemUnmap", "cuMemRelease"};

// "TorchDynamo Cache Lookup" is no compilation: it runs on every call of a compiled function.
constexpr std::array<std::string_view, 11> kCompileNames = {"torch/_dynamo/convert_frame",
                                                            "_compile.compile_inner",
                                                            "entire_frame_compile",
                                                            "backend_compile",
                                                            "compile_fx",
                                                            "torch/_inductor/compile",
                                                            "torch/_inductor/codecache",
                                                            "triton/compiler",
                                                            "triton/runtime/autotuner",
                                                            "dynamo_timed",
                                                            "inductor_codegen"};

constexpr std::array<std::string_view, 4> kGcNames = {"gc.collect", "<built-in function collect>",
                                                      "built-in method collect", "gc_collect"};

// Frames of module and autograd hooks, debuggers and tracers (a debugger's hook made an optimizer thirty times slower:
// pytorch issue 134191).
constexpr std::array<std::string_view, 6> kHookNames = {"pydevd",   "debugpy", "_hook",
                                                        "hooks.py", "/bdb.py", "settrace"};

bool is_allocator_call(std::string_view name) {
  return contains_any(name, kAllocatorCalls) && !contains(name, "Async") && !contains(name, "Array");
}

// Marks that old files call operators: they cover a step, they do not work.
bool is_wrapper(std::string_view name) {
  return name.starts_with("ProfilerStep") || name.starts_with("Optimizer.") || name.starts_with("PyTorch Profiler");
}

// cudaMemcpy without Async returns when the copy is done.
bool is_blocking_copy_call(std::string_view name) {
  return name == "cudaMemcpy" || name == "hipMemcpy" || name == "hipMemcpyWithStream" || name == "hipMemcpyDtoH" ||
         name == "cuMemcpyDtoH_v2" || name == "cuMemcpyHtoD_v2" || name == "cudaMemcpy2D";
}

// Walks one thread's nested slices and emits the innermost class over time.
class Flattener {
 public:
  Flattener(const trace::RankTrace& rank, std::vector<HostSegment>& out) : rank_(rank), out_(out) {}

  void enter(SliceId slice, HostClass what) {
    const TimeNs start_ns = rank_.start_ns[slice];
    advance_to(start_ns);
    const bool dominated = !stack_.empty() && stack_.back().what >= HostClass::loader;
    if (dominated) {
      stack_.push_back({rank_.end_ns(slice), stack_.back().what, stack_.back().slice});
    } else {
      stack_.push_back({rank_.end_ns(slice), what, slice});
    }
  }

  void advance_to(TimeNs at_ns) {
    while (!stack_.empty() && stack_.back().end_ns <= at_ns) {
      emit(stack_.back(), stack_.back().end_ns);
      stack_.pop_back();
    }
    if (!stack_.empty()) emit(stack_.back(), at_ns);
    cursor_ns_ = std::max(cursor_ns_, at_ns);
  }

 private:
  struct Open {
    TimeNs end_ns;
    HostClass what;
    SliceId slice;
  };

  void emit(const Open& open, TimeNs until_ns) {
    if (until_ns <= cursor_ns_) return;
    if (!out_.empty() && out_.back().end_ns == cursor_ns_ && out_.back().slice == open.slice) {
      out_.back().end_ns = until_ns;
    } else {
      out_.push_back({cursor_ns_, until_ns, open.what, open.slice});
    }
    cursor_ns_ = until_ns;
  }

  const trace::RankTrace& rank_;
  std::vector<HostSegment>& out_;
  std::vector<Open> stack_;
  TimeNs cursor_ns_ = INT64_MIN;
};

HostClass class_of_slice(const trace::RankTrace& rank, SliceId slice, HostClass by_name) {
  const bool long_copy = by_name == HostClass::dispatch && rank.kind[slice] == SliceKind::runtime &&
                         rank.dur_ns[slice] >= kBlockingCopyNs && is_copy_call(rank.name_of(slice));
  return long_copy ? HostClass::sync : by_name;
}

}  // namespace

bool is_copy_call(std::string_view api_name) { return contains(api_name, "Memcpy"); }

HostClass class_of_host(SliceKind kind, std::string_view name) {
  if (kind == SliceKind::loader || trace::is_loader_wait(name)) return HostClass::loader;
  if (kind == SliceKind::runtime) {
    if (trace::is_blocking_sync(name) || is_blocking_copy_call(name)) return HostClass::sync;
    return is_allocator_call(name) ? HostClass::allocator : HostClass::dispatch;
  }
  if (is_wrapper(name)) return HostClass::none;
  if (contains_any(name, kGcNames)) return HostClass::gc;
  if (contains_any(name, kCompileNames)) return HostClass::compile;
  if (kind == SliceKind::python && contains_any(name, kHookNames)) return HostClass::hook;
  return kind == SliceKind::host_op ? HostClass::dispatch : HostClass::none;
}

HostActivity::HostActivity(const trace::RankTrace& rank) : segments_(rank.tracks.size()) {
  // A name's class is looked up once; (name, kind) pairs are few, slices are many.
  constexpr size_t kKinds = static_cast<size_t>(SliceKind::other) + 1;
  constexpr uint8_t kUnknown = 255;
  std::vector<uint8_t> known(rank.strings.size() * kKinds, kUnknown);
  const auto class_of = [&](SliceId slice) {
    uint8_t& entry = known[rank.name[slice] * kKinds + static_cast<size_t>(rank.kind[slice])];
    if (entry == kUnknown) entry = static_cast<uint8_t>(class_of_host(rank.kind[slice], rank.name_of(slice)));
    return static_cast<HostClass>(entry);
  };
  size_t most_launches = 0;
  for (TrackId id = 0; id < rank.tracks.size(); ++id) {
    const trace::Track& track = rank.tracks[id];
    if (track.kind != trace::TrackKind::host_thread) continue;
    Flattener flat(rank, segments_[id]);
    size_t launches = 0;
    for (SliceId slice = track.begin; slice < track.end; ++slice) {
      if (!trace::is_host(rank.kind[slice])) continue;
      if (rank.kind[slice] == SliceKind::runtime && trace::is_kernel_launch(rank.name_of(slice))) ++launches;
      const HostClass what = class_of(slice);
      if (what != HostClass::none) flat.enter(slice, class_of_slice(rank, slice, what));
    }
    flat.advance_to(INT64_MAX);
    if (launches > most_launches) {
      most_launches = launches;
      main_ = id;
    }
  }
}

std::vector<HostSegment>::const_iterator HostActivity::from(TrackId track, TimeNs at_ns) const {
  return std::ranges::upper_bound(segments_[track], at_ns, {}, &HostSegment::end_ns);
}

}  // namespace td::analysis
