#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause stage_imbalance() {
  return {
      .id = "stage_imbalance",
      .title = "imbalanced pipeline stage",
      .meaning = "One pipeline stage has more to compute than the others, which wait for it.",
      .twins = {"pipeline_bubbles", "straggler"},
      .decides =
          "One stage computes longer, on kernels of its own, and idles least; in a bubble all compute alike, and a "
          "straggler is slower in kernels that all have.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"stage_times"},
      .fixes = {"accumulate_gradients"},
      .confirm = "Block time per stage: mean over max is the balance.",
      .fix =
          "Move layers between stages, split the head or the embedding over ranks. win = max less mean of the stages.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
