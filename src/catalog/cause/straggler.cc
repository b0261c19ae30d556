#include "catalog/catalog.h"

namespace td::catalog::cause {

Cause straggler() {
  return {
      .id = "straggler",
      .title = "straggler rank",
      .meaning = "One rank takes longer than the others in every step; all of them wait for it inside the collectives.",
      .core = true,
      .twins = {"bandwidth_bound_collective"},
      .decides =
          "The same rank is last in every step and is the only one whose collectives are short: its own bar is "
          "bytes x factor / busbw, the bars of the others are that plus waiting.",
      .deciding_number = "lateness of the last rank",
      .deciding_unit = "ms a step",
      .confirms = {"sm_clocks"},
      .fixes = {"reset_clocks_or_drain"},
      .confirm =
          "nvidia-smi --query-gpu=index,clocks.sm,clocks_event_reasons.active,temperature.gpu --format=csv -l 1 "
          "on the late rank's node while the job runs: one GPU prints a lower SM clock than its neighbours "
          "(DCGM fields 100, SM clock, and 112, clock event reasons). A late host, more data or slow HBM show "
          "equal clocks.",
      .fix =
          "Remove what holds the clock down (lock, power cap, cooling) or drain the node. The win is the excess of "
          "that rank over the median rank, no more.",
      .code_title = "ops/node_prolog.sh",
      .code_before =
          "nvidia-smi -pm 1\n"
          "nvidia-smi -i $GPU -lgc $MHZ,$MHZ  # left from a power test",
      .code_after =
          "nvidia-smi -pm 1\n"
          "nvidia-smi -i $GPU -rgc\n"
          "check_clocks --min-permille 970 --all-gpus || exit 1",
  };
}

}  // namespace td::catalog::cause
