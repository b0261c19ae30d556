#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause op_storm() {
  return {
      .id = "op_storm",
      .title = "op storm",
      .meaning =
          "Hundreds of unfused elementwise kernels read and write the same tensors; the device is busy moving bytes.",
      .twins = {"memory_bound_kernel", "launch_bound"},
      .decides = "Elementwise kernels fill half of the compute in long rows, without gaps; launch-bound has gaps.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"speed_of_light"},
      .fixes = {"fuse_or_quantise"},
      .confirm = "Top kernels by class; bytes moved over bytes needed.",
      .fix = "torch.compile, fused norms, rotary and optimizers. win = share x (1 - 1 / fusion factor).",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
