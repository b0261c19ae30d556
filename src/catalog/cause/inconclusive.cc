#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause inconclusive() {
  return {
      .id = "inconclusive",
      .title = "cannot tell",
      .meaning =
          "This trace does not hold what is needed to decide: events are missing, the window is cut, or the one "
          "rank that matters is not in it.",
      .core = true,
      .twins = {},
      .decides =
          "What is missing can be named: dropped GPU events, only warm-up steps, one rank of many, no fabric "
          "stated.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"recapture"},
      .fixes = {"change_nothing"},
      .confirm = "Profile again with what is missing: every rank of the group, several steady steps, the whole window.",
      .fix = "Change nothing before the next capture.",
      .code_title = "train.py",
      .code_before =
          "with profile() as prof:\n"
          "    step()",
      .code_after =
          "with profile(schedule=schedule(wait=5, warmup=2, active=4), record_shapes=True) as prof:\n"
          "    for batch in loader:\n"
          "        step(batch)\n"
          "        prof.step()  # on every rank",
  };
}

}  // namespace td::catalog::cause
