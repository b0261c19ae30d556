#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause pipeline_bubbles() {
  return {
      .id = "pipeline_bubbles",
      .title = "pipeline bubbles",
      .meaning = "Too few microbatches for the number of stages: fill and drain idle every stage.",
      .core = true,
      .twins = {"straggler"},
      .decides =
          "Idle or waiting is (p-1)/(m+p-1) of the step, placed as 1F1B places it, and every stage computes "
          "equally long; a slow stage breaks that equality.",
      .deciding_number = "idle or waiting share",
      .deciding_unit = "% of the step",
      .confirms = {"stage_times"},
      .fixes = {"accumulate_gradients", "interleave_stages"},
      .confirm = "Block time per stage, stages p and microbatches m: equal blocks, and doubling m halves the share.",
      .fix = "More microbatches, interleaved stages, fewer stages. Gain = [m'/(m'+p-1)] / [m/(m+p-1)].",
      .code_title = "launch.sh",
      .code_before = "--pipeline-parallel 8 --num-microbatches 8",
      .code_after = "--pipeline-parallel 8 --num-microbatches 32",
  };
}

}  // namespace td::catalog::cause
