#include <array>

#include "catalog/catalog.h"

namespace td::catalog {

std::span<const Choice> all_measurements() {
  static constexpr std::array<Choice, 11> kMeasurements = {{
      {"sm_clocks", "SM clocks and throttle reasons per GPU, under load"},
      {"nccl_tests", "nccl-tests all_reduce_perf on the same nodes"},
      {"bucket_log", "Bucket sizes, and first all-reduce against start of backward"},
      {"cached_batch", "One cached batch instead of the loader; py-spy of a worker"},
      {"launch_queue", "Launches a step and queue time of each kernel"},
      {"speed_of_light", "Achieved FLOP/s and bytes/s of the top kernels (ncu SpeedOfLight)"},
      {"sync_debug", "Sync warnings with stacks (set_sync_debug_mode)"},
      {"allocator_stats", "Allocator counters: retries, device mallocs and frees"},
      {"recompile_log", "Recompile log with the failed guard (TORCH_LOGS)"},
      {"stage_times", "Block time and microbatches per pipeline stage"},
      {"recapture", "Capture again: all ranks, complete steps"},
  }};
  return kMeasurements;
}

}  // namespace td::catalog
