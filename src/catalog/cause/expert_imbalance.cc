#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause expert_imbalance() {
  return {
      .id = "expert_imbalance",
      .title = "expert imbalance",
      .meaning =
          "Tokens crowd on few experts of a mixture of experts: their rank computes long, the others wait in the "
          "all-to-all.",
      .twins = {"straggler", "bandwidth_bound_collective"},
      .decides =
          "Only the experts' kernels differ between ranks, with their grids, and the waiting stands in all-to-alls; a "
          "straggler is slow in every kernel.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"recapture"},
      .fixes = {"stable_shapes"},
      .confirm = "Histogram of tokens per expert and layer; max over mean is the factor that the fullest rank shows.",
      .fix =
          "Balance loss or bias on the router, capacity limits, hot experts on several ranks. win = (f - 1) / f of the "
          "experts' share.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
