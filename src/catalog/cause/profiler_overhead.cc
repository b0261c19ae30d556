#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause profiler_overhead() {
  return {
      .id = "profiler_overhead",
      .title = "profiler overhead",
      .meaning =
          "The observer is part of the cause: stacks, buffer flushes or a debugger slow the host that is being "
          "measured.",
      .twins = {"launch_bound", "cpu_contention"},
      .decides = "The step is shorter with the profiler off; its own rows or frames fill the idle time.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"recapture"},
      .fixes = {"change_nothing"},
      .confirm = "Step time without profiler, then with a light configuration: no stacks, no memory, few steps.",
      .fix = "Capture again without with_stack and debugger; diagnose that one. Nothing is won in production.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
