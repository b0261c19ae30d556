#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause latency_bound_collectives() {
  return {
      .id = "latency_bound_collectives",
      .title = "latency-bound collectives",
      .meaning = "Many small collectives each cost their latency; their bytes would need a fraction of the time.",
      .twins = {"bandwidth_bound_collective", "launch_bound"},
      .decides =
          "Calls of less than a megabyte take tens of microseconds whatever their size: bytes over bandwidth explains "
          "little.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"nccl_tests"},
      .fixes = {"overlap_hooks"},
      .confirm = "Histogram of size against duration: flat; all_reduce_perf -b 4K -e 1M shows the same floor.",
      .fix =
          "Coalesce (larger buckets, foreach norms), one-shot or fused all-reduce for small sizes, fewer ranks to a "
          "group. win = calls x latency saved.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
