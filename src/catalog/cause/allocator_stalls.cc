#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause allocator_stalls() {
  return {
      .id = "allocator_stalls",
      .title = "allocator stalls",
      .meaning = "The caching allocator misses in steady state and frees and maps device memory inside steps.",
      .core = true,
      .twins = {"sync_stalls", "recompilation"},
      .decides =
          "cudaFree and cudaMalloc own the gaps after warm-up, irregularly, for milliseconds; a recompile shows "
          "compile frames and lasts seconds.",
      .deciding_number = "time in cudaMalloc and cudaFree",
      .deciding_unit = "ms a step",
      .confirms = {"allocator_stats"},
      .fixes = {"stable_shapes"},
      .confirm = "torch.cuda.memory_stats(): num_alloc_retries and num_device_free rise while training.",
      .fix =
          "expandable_segments:True, bucketed shapes, largest batch first, no empty_cache in the loop. win = stall x "
          "frequency.",
      .code_title = "launch.sh",
      .code_before = "python train.py",
      .code_after = "PYTORCH_ALLOC_CONF=expandable_segments:True python train.py",
  };
}

}  // namespace td::catalog::cause
