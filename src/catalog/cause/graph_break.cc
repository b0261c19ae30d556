#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause graph_break() {
  return {
      .id = "graph_break",
      .title = "CUDA graph break",
      .meaning = "Some steps cannot use the captured graph and launch kernel by kernel.",
      .twins = {"recompilation", "launch_bound"},
      .decides =
          "Graphed steps are short, eager ones long with idle between launches; a recompile takes seconds in compile "
          "frames.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"recompile_log"},
      .fixes = {"cuda_graphs"},
      .confirm = "Engine log of captured sizes, and launches per step: one, or hundreds.",
      .fix =
          "Pad to a captured size, capture more sizes, keep logprobs and adapters inside the graph. win = eager less "
          "graphed step, times their share.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
