#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause transport_fallback() {
  return {
      .id = "transport_fallback",
      .title = "transport fallback",
      .meaning =
          "Collectives take a path far slower than the fabric: sockets instead of InfiniBand, host memory instead of "
          "peer access.",
      .twins = {"bandwidth_bound_collective", "straggler"},
      .decides =
          "Large collectives take several times bytes over the bandwidth of the stated fabric, on all ranks alike; at "
          "its limit a path takes just that.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"nccl_tests"},
      .fixes = {"faster_fabric"},
      .confirm =
          "NCCL_DEBUG=INFO prints NET/Socket, via SHM, or P2P is disabled; all_reduce_perf on the same nodes shows the "
          "same low busbw.",
      .fix =
          "Mend driver, ACS or IOMMU settings, NCCL_SOCKET_IFNAME, NCCL_IB_HCA, or the image that lacks the network "
          "stack. win = exposed transfer x (1 - 1 / factor).",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
