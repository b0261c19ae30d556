#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause prefill_blocks_decode() {
  return {
      .id = "prefill_blocks_decode",
      .title = "prefill blocks decode",
      .meaning = "One iteration computes a long prompt, and every sequence that is decoding waits for it.",
      .twins = {"gc_pauses", "recompilation"},
      .decides = "The long steps are full of work; a pause or a compile leaves the device idle.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"stage_times"},
      .fixes = {"stable_shapes"},
      .confirm = "Inter-token latency against the number of prompt tokens in the iteration.",
      .fix = "Chunked prefill, or prefill on other GPUs. win: inter-token latency falls to that of one chunk.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
