// One rank's SM clock is held at factor_permille of nominal: a power cap, a dead fan, a board left in a test setting.
// Kernels bound by memory keep their time.
#include "sim/fault/fault.h"

namespace td::sim::fault {
namespace {

Status apply(const FaultInstance& instance, Machine& machine, Job&) {
  const int64_t rank = instance.number("rank", -1);
  const int64_t factor = instance.number("factor_permille", -1);
  if (rank < 0 || rank >= static_cast<int64_t>(machine.ranks.size())) {
    return fail(ErrorCode::invalid_argument, "slow_clock: rank " + std::to_string(rank) + ", expected 0 to " +
                                                 std::to_string(static_cast<int64_t>(machine.ranks.size()) - 1));
  }
  if (factor < 100 || factor > 1000) {
    return fail(ErrorCode::invalid_argument,
                "slow_clock: factor_permille " + std::to_string(factor) + ", expected 100 to 1000");
  }
  machine.ranks[static_cast<size_t>(rank)].sm_clock_permille = static_cast<int32_t>(factor);
  return {};
}

}  // namespace

Fault slow_clock() { return {.id = "slow_clock", .apply = apply}; }

}  // namespace td::sim::fault
