#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause launch_bound() {
  return {
      .id = "launch_bound",
      .title = "launch-bound (host-bound)",
      .meaning = "The host needs longer to launch a kernel than the GPU needs to run it.",
      .core = true,
      .twins = {"sync_stalls"},
      .decides =
          "A small gap after nearly every kernel and a run-ahead at the hardware's minimum; a sync gives few "
          "large gaps, each after a blocking call.",
      .deciding_number = "median run-ahead (launch to kernel start)",
      .deciding_unit = "us",
      .confirms = {"launch_queue"},
      .fixes = {"cuda_graphs", "faster_host"},
      .confirm = "nsys stats -r cuda_kern_exec_sum: queue time near zero, kernels a step x launch period = step.",
      .fix = "CUDA graphs or mode=\"reduce-overhead\", fused ops, a larger batch. The step becomes the sum of kernels.",
      .code_title = "serve.py",
      .code_before = "out = model(token, cache)",
      .code_after =
          "model = torch.compile(model, mode=\"reduce-overhead\")\n"
          "out = model(token, cache)",
  };
}

}  // namespace td::catalog::cause
