#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause comm_on_compute_stream() {
  return {
      .id = "comm_on_compute_stream",
      .title = "communication on the compute stream",
      .meaning = "Collectives are enqueued on the stream that computes, so that nothing can run beside them.",
      .twins = {"unoverlapped_allreduce", "bandwidth_bound_collective"},
      .decides = "Stream id of the collectives equals that of the kernels; elsewhere they have a stream of their own.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"bucket_log"},
      .fixes = {"overlap_hooks"},
      .confirm = "The stream column of nsys stats -r cuda_gpu_trace for NCCL kernels and products.",
      .fix =
          "async_op=True, or the collective under a stream of its own with events. win = what backward can hide of it.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
