#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause pageable_copy() {
  return {
      .id = "pageable_copy",
      .title = "pageable host-to-device copies",
      .meaning =
          "Batches are copied from pageable memory: the host stages them itself, is blocked meanwhile, and nothing "
          "overlaps.",
      .twins = {"input_starvation", "sync_stalls"},
      .decides =
          "The copy is named pageable (or its call lasts as long as the copy), at 6 to 20 GB/s where pinned memory "
          "does 21 to 57; in starvation the loader owns the gap, in a sync stall the call waits for other work.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"launch_queue"},
      .fixes = {"more_workers"},
      .confirm =
          "nsys stats -r cuda_gpu_mem_time_sum prints rate and memory kind of each copy; the same run with "
          "pin_memory=True.",
      .fix =
          "pin_memory=True, non_blocking=True, the copy on a stream of its own one batch ahead. win = exposed copy "
          "time.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
