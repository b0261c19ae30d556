// The caching allocator misses once, in recorded step `step`, on rank `rank` or on all without one: it frees `segments`
// cached segments, each in free_ns, and maps a new one in map_ns. Several misses are several instances of this fault.
#include "sim/fault/fault.h"

namespace td::sim::fault {
namespace {

constexpr int64_t kMostSegments = 4'000;
constexpr TimeNs kMostNs = 10 * kNsPerS;

Status within(std::string_view what, int64_t value, int64_t low, int64_t high) {
  if (value >= low && value <= high) return {};
  return fail(ErrorCode::invalid_argument, "allocator_miss: " + std::string(what) + " " + std::to_string(value) +
                                               ", expected " + std::to_string(low) + " to " + std::to_string(high));
}

Status apply(const FaultInstance& instance, Machine& machine, Job& job) {
  const auto ranks = static_cast<int64_t>(machine.ranks.size());
  const int64_t rank = instance.number("rank", -1);
  const int64_t step = instance.number("step", -1);
  const int64_t permille = instance.number("permille", -1);
  const int64_t segments = instance.number("segments", -1);
  const int64_t free_ns = instance.number("free_ns", -1);
  const int64_t map_ns = instance.number("map_ns", -1);
  TRY_OK(within("rank", rank, -1, ranks - 1));
  TRY_OK(within("step", step, 0, job.recorded_steps - 1));
  TRY_OK(within("permille", permille, 0, 1000));
  TRY_OK(within("segments", segments, 0, kMostSegments));
  TRY_OK(within("free_ns", free_ns, 0, kMostNs));
  TRY_OK(within("map_ns", map_ns, 0, kMostNs));
  const AllocatorMiss miss = {.step = static_cast<int32_t>(step),
                              .in_backward = instance.word("in") == "backward",
                              .place_permille = static_cast<int32_t>(permille),
                              .freed_segments = static_cast<int32_t>(segments),
                              .free_ns = free_ns,
                              .map_ns = map_ns};
  for (int64_t r = 0; r < ranks; ++r) {
    if (rank < 0 || r == rank) machine.ranks[static_cast<size_t>(r)].misses.push_back(miss);
  }
  return {};
}

}  // namespace

Fault allocator_miss() { return {.id = "allocator_miss", .apply = apply}; }

}  // namespace td::sim::fault
