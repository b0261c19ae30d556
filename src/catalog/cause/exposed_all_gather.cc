#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause exposed_all_gather() {
  return {
      .id = "exposed_all_gather",
      .title = "exposed all-gather (FSDP)",
      .meaning =
          "Parameters are gathered when their layer needs them, not one layer ahead: each layer waits for its gather.",
      .twins = {"bandwidth_bound_collective", "unoverlapped_allreduce"},
      .decides =
          "Gathers begin when the compute before is over although there is compute to hide them behind; at the wire's "
          "limit they run back to back.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"bucket_log"},
      .fixes = {"overlap_hooks"},
      .confirm = "Launch order of all-gathers and layers; the same run with explicit prefetching.",
      .fix =
          "forward_prefetch, backward_prefetch=BACKWARD_PRE, limit_all_gathers with room for two, larger microbatches. "
          "win = exposed gathers, as far as compute reaches.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
