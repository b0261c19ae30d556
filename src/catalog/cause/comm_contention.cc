#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause comm_contention() {
  return {
      .id = "comm_contention",
      .title = "compute slowed by communication",
      .meaning =
          "Communication is hidden, but the kernels beside it are stretched: they share SMs and memory bandwidth.",
      .twins = {"uniform_throttle", "unoverlapped_allreduce"},
      .decides =
          "The same kernel on the same grid is longer beside communication than alone; throttling stretches both.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"speed_of_light"},
      .fixes = {"compress_gradients"},
      .confirm =
          "Group kernels by name and grid into overlapped and alone; sweep NCCL_MAX_CTAS (or MSCCL channels) and watch "
          "both lengths.",
      .fix =
          "Fewer channels for NCCL, copy engines or in-network reduction, collectives beside kernels that are bound by "
          "arithmetic. win = the excess, less what communication grows.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
