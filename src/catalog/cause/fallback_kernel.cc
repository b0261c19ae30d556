#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause fallback_kernel() {
  return {
      .id = "fallback_kernel",
      .title = "fallback kernel",
      .meaning =
          "A library picked a kernel made for another GPU, another alignment or a general mask; nothing idles, it is "
          "just slow.",
      .twins = {"memory_bound_kernel", "healthy"},
      .decides =
          "The name is the evidence: an older architecture, align1 or the memory-efficient path where the GPU has its "
          "own.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"speed_of_light"},
      .fixes = {"fuse_or_quantise"},
      .confirm =
          "Force the other backend (torch.nn.attention.sdpa_kernel) or pad the shape, and time one step; ncu shows the "
          "tensor pipe nearly idle.",
      .fix =
          "Select the GPU's own backend, pad shapes to 8 or 64, drop the dense mask, update the library. win = share x "
          "(1 - 1 / speed-up).",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
