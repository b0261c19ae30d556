#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause healthy() {
  return {
      .id = "healthy",
      .title = "healthy",
      .meaning = "Nothing in this trace is worth changing: no known fix would win more than 2 % of the step.",
      .core = true,
      .twins = {"straggler", "bandwidth_bound_collective", "launch_bound"},
      .decides =
          "Exposed communication and idle time together are a small part of the step, the ranks arrive "
          "together, and the top kernels run near their roofline.",
      .deciding_number = "exposed communication + idle",
      .deciding_unit = "% of the step",
      .confirms = {"speed_of_light", "sm_clocks"},
      .fixes = {"change_nothing"},
      .confirm =
          "ncu --set none --section SpeedOfLight on the top GEMMs: compute throughput near what matmuls of "
          "that shape reach on this GPU. The levers left are inside kernels, precision, batch or recompute "
          "policy.",
      .fix = "None. Say so with the numbers, and stop.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
