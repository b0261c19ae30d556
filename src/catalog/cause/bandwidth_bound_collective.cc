#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause bandwidth_bound_collective() {
  return {
      .id = "bandwidth_bound_collective",
      .title = "bandwidth-bound collective",
      .meaning = "The bytes that a step must reduce take longer over this fabric than backward can hide.",
      .core = true,
      .twins = {"straggler", "unoverlapped_allreduce"},
      .decides =
          "bytes x factor / busbw of the stated fabric explains the bars, they are equally long on every rank, "
          "and they start early in backward.",
      .deciding_number = "all-reduce time by bytes x factor / busbw",
      .deciding_unit = "ms a step",
      .confirms = {"nccl_tests"},
      .fixes = {"compress_gradients", "accumulate_gradients", "faster_fabric"},
      .confirm =
          "all_reduce_perf -b 8M -e 4G -f 2 -g 1 (nccl-tests) over the same nodes: it reaches the same busbw as "
          "the trace, and no more. Far more would point at the job, far less at a broken path (sockets, host "
          "bounce).",
      .fix =
          "Fewer bytes a token: gradients in bf16 on the wire where they are fp32, else gradient accumulation, so "
          "that the same bytes are reduced once in several microbatches. A faster fabric does it with money.",
      .code_title = "train.py",
      .code_before = "model = DDP(model)",
      .code_after =
          "model = DDP(model)\n"
          "model.register_comm_hook(None, default_hooks.bf16_compress_hook)",
  };
}

}  // namespace td::catalog::cause
