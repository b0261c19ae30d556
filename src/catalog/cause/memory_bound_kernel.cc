#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause memory_bound_kernel() {
  return {
      .id = "memory_bound_kernel",
      .title = "memory-bound dominant kernel",
      .meaning = "One kernel family holds the step and runs at the memory's bandwidth, far below the FLOP peak.",
      .core = true,
      .twins = {"healthy"},
      .decides =
          "bytes / duration of the top kernel is near the HBM bandwidth while FLOP / duration is far below "
          "peak, and there are no gaps.",
      .deciding_number = "achieved bandwidth of the top kernel",
      .deciding_unit = "GB/s",
      .confirms = {"speed_of_light"},
      .fixes = {"fuse_or_quantise"},
      .confirm = "ncu --section SpeedOfLight -k regex:NAME: memory throughput 75 to 93 %, compute under 30 %.",
      .fix = "Move fewer bytes a token: larger batch, quantised weights, fusion. win = (1 - bytes'/bytes) x share.",
      .code_title = "serve.py",
      .code_before = "model = load(\"8b\", dtype=torch.bfloat16)",
      .code_after = "model = load(\"8b\", weights=\"int8\")",
  };
}

}  // namespace td::catalog::cause
