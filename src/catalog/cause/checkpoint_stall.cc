#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause checkpoint_stall() {
  return {
      .id = "checkpoint_stall",
      .title = "checkpoint stall",
      .meaning = "Every so many steps the state is copied to the host and written while the device idles.",
      .twins = {"gc_pauses", "recompilation"},
      .decides = "The stall begins with a burst of downloads and comes in equal distances.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"recapture"},
      .fixes = {"faster_host"},
      .confirm = "Step time over steps shows the period; bytes over the stall is the storage's rate.",
      .fix = "Asynchronous or sharded checkpoints, pinned staging. win = stall / interval.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
