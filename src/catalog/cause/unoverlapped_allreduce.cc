#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause unoverlapped_allreduce() {
  return {
      .id = "unoverlapped_allreduce",
      .title = "unoverlapped all-reduce",
      .meaning = "Gradients are reduced only after backward has ended, although backward could have hidden them.",
      .core = true,
      .twins = {"bandwidth_bound_collective", "straggler"},
      .decides =
          "The first all-reduce starts when backward ends; a bandwidth-bound one starts early and outlasts "
          "backward, and behind a straggler one rank's bars are short.",
      .deciding_number = "start of the first all-reduce after backward began",
      .deciding_unit = "% of backward",
      .confirms = {"bucket_log"},
      .fixes = {"overlap_hooks"},
      .confirm =
          "TORCH_DISTRIBUTED_DEBUG=DETAIL prints the buckets; the trace gives collectives a step and the first "
          "launch. One bucket, or a first launch after the last backward op, confirms it.",
      .fix =
          "Bucketed gradient hooks on (DDP, --overlap-grad-reduce), find_unused_parameters off. The win is the "
          "smaller of communication and backward, less the last bucket.",
      .code_title = "train.py",
      .code_before =
          "loss.backward()\n"
          "for p in model.parameters():\n"
          "    dist.all_reduce(p.grad)",
      .code_after =
          "model = DDP(model, bucket_cap_mb=25)\n"
          "loss.backward()  # buckets are reduced as they fill",
  };
}

}  // namespace td::catalog::cause
