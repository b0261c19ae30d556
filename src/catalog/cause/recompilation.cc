#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause recompilation() {
  return {
      .id = "recompilation",
      .title = "recompilation",
      .meaning = "A guard fails on a new shape and the compiler runs inside the step.",
      .core = true,
      .twins = {"input_starvation", "allocator_stalls"},
      .decides =
          "Only some steps are hit, and the launching thread is in compile frames; starvation hits every step "
          "and waits in the loader.",
      .deciding_number = "longest compile",
      .deciding_unit = "s",
      .confirms = {"recompile_log"},
      .fixes = {"stable_shapes"},
      .confirm = "TORCH_LOGS=recompiles,guards names the guard that failed; tlparse lists every compile.",
      .fix = "mark_dynamic or dynamic=True, bucketed shapes, a compile cache. The mean step returns to the median.",
      .code_title = "train.py",
      .code_before = "model = torch.compile(model)",
      .code_after =
          "torch._dynamo.mark_dynamic(batch, 1)\n"
          "model = torch.compile(model)",
  };
}

}  // namespace td::catalog::cause
