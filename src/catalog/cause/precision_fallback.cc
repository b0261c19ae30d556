#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause precision_fallback() {
  return {
      .id = "precision_fallback",
      .title = "precision fallback",
      .meaning = "Matrix products run in FP32 without tensor cores, where BF16 or TF32 was meant.",
      .twins = {"memory_bound_kernel", "fallback_kernel"},
      .decides = "sgemm and ffma in the names of products; FLOP rates at the FP32 column of the data sheet.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"speed_of_light"},
      .fixes = {"fuse_or_quantise"},
      .confirm = "torch.backends.cuda.matmul.allow_tf32 and the autocast scope; ncu shows no tensor instructions.",
      .fix = "autocast, or torch.set_float32_matmul_precision(\"high\"). win: two to fifteen times for those products.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
