#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause per_tensor_optimizer() {
  return {
      .id = "per_tensor_optimizer",
      .title = "per-tensor optimizer",
      .meaning =
          "The optimizer updates tensor by tensor in small kernels, and the host cannot launch them fast enough.",
      .twins = {"launch_bound", "memory_bound_kernel"},
      .decides =
          "Forward and backward keep the device busy; the gaps stand under Optimizer.step, between hundreds of short "
          "kernels.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"launch_queue"},
      .fixes = {"cuda_graphs"},
      .confirm = "Kernels launched under Optimizer.step per step, and the device time from first to last of them.",
      .fix = "fused=True or foreach=True, larger flat parameters. win = idle time in the update.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
