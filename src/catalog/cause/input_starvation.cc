#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause input_starvation() {
  return {
      .id = "input_starvation",
      .title = "input starvation",
      .meaning = "The loader delivers batches more slowly than the GPU consumes them.",
      .core = true,
      .twins = {"recompilation"},
      .decides =
          "The gap stands at the start of every step, and the launching thread waits in the loader's __next__; "
          "a recompile hits some steps and shows compile frames.",
      .deciding_number = "wait for the next batch",
      .deciding_unit = "ms a step",
      .confirms = {"cached_batch"},
      .fixes = {"more_workers"},
      .confirm =
          "Feed one cached batch: the step drops to the GPU's own time. py-spy dump --pid of a worker shows "
          "decode, augmentation or storage.",
      .fix = "More workers, prefetch, persistent workers, cheaper decode. step = max(GPU time, worker time / workers).",
      .code_title = "data.py",
      .code_before = "DataLoader(data, batch_size=b)",
      .code_after =
          "DataLoader(data, batch_size=b, num_workers=16, prefetch_factor=4,\n"
          "           persistent_workers=True, pin_memory=True)",
  };
}

}  // namespace td::catalog::cause
