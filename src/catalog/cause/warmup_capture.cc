#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause warmup_capture() {
  return {
      .id = "warmup_capture",
      .title = "warm-up capture",
      .meaning =
          "The capture holds the first steps of a process: loading, allocation and compilation that do not come again.",
      .twins = {"allocator_stalls", "recompilation"},
      .decides = "Kernels are being loaded, and no later step shows whether any of it goes on.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"recapture"},
      .fixes = {"change_nothing"},
      .confirm = "Capture steps 5 to 10: schedule(wait=5, warmup=2, active=3).",
      .fix = "Change nothing before a capture of steady steps.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
