#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause cpu_contention() {
  return {
      .id = "cpu_contention",
      .title = "CPU contention",
      .meaning =
          "The host threads share too few cores: ops that usually take microseconds are preempted, and the device "
          "waits.",
      .twins = {"launch_bound", "input_starvation"},
      .decides =
          "The same op takes a few times longer now and then, and the kernels are unchanged; a slow host is evenly "
          "slow.",
      .deciding_number = "",
      .deciding_unit = "",
      .confirms = {"launch_queue"},
      .fixes = {"faster_host"},
      .confirm =
          "perf sched latency, or nsys with --sampling and OS runtime: involuntary switches of the launching thread; "
          "OMP_NUM_THREADS and numactl -H.",
      .fix = "OMP_NUM_THREADS, cores reserved and bound per rank, no neighbours. win = idle time under late launches.",
      .code_title = "",
      .code_before = "",
      .code_after = "",
  };
}

}  // namespace td::catalog::cause
