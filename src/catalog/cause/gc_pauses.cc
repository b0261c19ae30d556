#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause gc_pauses() {
  return {
      .id = "gc_pauses",
      .title = "garbage collector pauses",
      .meaning = "Python's collector stops the launching thread now and then; the device and all other ranks wait.",
      .twins = {"recompilation", "straggler", "checkpoint_stall"},
      .decides =
          "Irregular holes in which the thread calls nothing, on whichever rank; a recompile shows compile frames, a "
          "checkpoint downloads first.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"recompile_log"},
      .fixes = {"faster_host"},
      .confirm = "gc.callbacks with a clock logs each collection and its length; the holes vanish with gc.disable().",
      .fix =
          "gc.freeze() after start-up, higher thresholds, gc.collect() at the same step on all ranks. win = pauses a "
          "step.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
