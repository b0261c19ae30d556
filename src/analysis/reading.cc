#include "analysis/reading.h"

#include <array>

namespace td::analysis {

std::string_view to_string(Verdict verdict) {
  constexpr std::array<std::string_view, 3> kNames = {"ok", "limited", "unreadable"};
  return kNames[static_cast<size_t>(verdict)];
}

std::string_view to_string(StepSource source) {
  constexpr std::array<std::string_view, 4> kNames = {"profiler_step", "annotation", "motif", "whole_trace"};
  return kNames[static_cast<size_t>(source)];
}

std::string_view to_string(GapOwner owner) {
  constexpr std::array<std::string_view, kGapOwnerCount> kNames = {
      "data_loading", "sync",        "allocator",  "compile",       "gc",         "host_dispatch", "launch_latency",
      "queue_gap",    "device_wait", "host_other", "pageable_copy", "python_hook"};
  return kNames[static_cast<size_t>(owner)];
}

std::string_view to_string(Rhythm rhythm) {
  constexpr std::array<std::string_view, 4> kNames = {"each_step", "every_kth", "by_shape", "irregular"};
  return kNames[static_cast<size_t>(rhythm)];
}

std::string_view to_string(LastArrivalKind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"always_rank", "rotating", "none", "unknown"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace td::analysis
