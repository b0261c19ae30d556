// One rank's memory is held at factor_permille of its bandwidth: a memory clock that was locked, channels that retry.
// Kernels bound by memory take its inverse; those bound by compute keep their time.
#include "sim/fault/fault.h"

namespace td::sim::fault {
namespace {

Status apply(const FaultInstance& instance, Machine& machine, Job&) {
  const int64_t rank = instance.number("rank", -1);
  const int64_t factor = instance.number("factor_permille", -1);
  if (rank < 0 || rank >= static_cast<int64_t>(machine.ranks.size())) {
    return fail(ErrorCode::invalid_argument, "slow_hbm: rank " + std::to_string(rank) + ", expected 0 to " +
                                                 std::to_string(static_cast<int64_t>(machine.ranks.size()) - 1));
  }
  if (factor < 100 || factor > 1000) {
    return fail(ErrorCode::invalid_argument,
                "slow_hbm: factor_permille " + std::to_string(factor) + ", expected 100 to 1000");
  }
  machine.ranks[static_cast<size_t>(rank)].hbm_permille = static_cast<int32_t>(factor);
  return {};
}

}  // namespace

Fault slow_hbm() { return {.id = "slow_hbm", .apply = apply}; }

}  // namespace td::sim::fault
