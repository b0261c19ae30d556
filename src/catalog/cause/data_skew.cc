#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause data_skew() {
  return {
      .id = "data_skew",
      .title = "data skew between ranks",
      .meaning = "Each step another rank has more to compute, because its samples are longer; the others wait for it.",
      .twins = {"straggler", "bandwidth_bound_collective"},
      .decides =
          "The last rank changes from step to step, and computes longer on larger grids when it is last; a straggler "
          "is always the same rank.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"recapture"},
      .fixes = {"stable_shapes"},
      .confirm = "Log tokens per rank and step beside the time to the first all-reduce: they move together.",
      .fix =
          "Pack or sort samples by cost, so that each rank has the same number of tokens. win = max over mean of the "
          "ranks, less one.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
