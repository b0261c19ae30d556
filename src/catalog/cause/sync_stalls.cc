#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause sync_stalls() {
  return {
      .id = "sync_stalls",
      .title = "sync stalls",
      .meaning = "The host waits for the device inside the step, and the device runs dry each time.",
      .core = true,
      .twins = {"launch_bound", "allocator_stalls"},
      .decides =
          "Each gap begins within 10 us of the end of a blocking call; without such a call before the gaps it is "
          "launch-bound, with cudaFree it is the allocator.",
      .deciding_number = "blocking calls followed by a gap",
      .deciding_unit = "a step",
      .confirms = {"sync_debug"},
      .fixes = {"remove_syncs"},
      .confirm =
          "torch.cuda.set_sync_debug_mode(\"warn\") prints each sync with its line; nsys analyze -r "
          "cuda_api_sync counts them.",
      .fix = "Keep metrics on the device, log every n steps, copy asynchronously to pinned memory. win = syncs x gap.",
      .code_title = "train.py",
      .code_before =
          "for layer in layers:\n"
          "    log(layer.grad_norm().item())",
      .code_after =
          "norms = torch.stack([layer.grad_norm() for layer in layers])\n"
          "if step % 100 == 0:\n"
          "    log(norms.tolist())",
  };
}

}  // namespace td::catalog::cause
