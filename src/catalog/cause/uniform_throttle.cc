#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause uniform_throttle() {
  return {
      .id = "uniform_throttle",
      .title = "uniform throttling",
      .meaning =
          "Every GPU runs below its clock (power cap, heat), so that all that arithmetic bounds is slower, on all "
          "ranks alike.",
      .twins = {"straggler", "memory_bound_kernel"},
      .decides =
          "Against a trace of the same job when it was well, kernels bound by arithmetic stretch by one factor and "
          "kernels bound by memory do not.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"sm_clocks"},
      .fixes = {"reset_clocks_or_drain"},
      .confirm =
          "nvidia-smi --query-gpu=clocks.sm,clocks_event_reasons.active,power.draw --format=csv -l 1 under load.",
      .fix = "Power limit, cooling. win = arithmetic-bound share x (1 - clock ratio).",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
