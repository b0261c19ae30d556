// The cores that run the program are held at factor_permille of their speed: a governor, a frequency cap, a host shared
// with others. All host work takes its inverse, on one rank or (rank -1) on all; kernels keep their time.
#include "sim/fault/fault.h"

namespace td::sim::fault {
namespace {

Status apply(const FaultInstance& instance, Machine& machine, Job&) {
  const auto ranks = static_cast<int64_t>(machine.ranks.size());
  const int64_t only = instance.number("rank", -1);
  const int64_t factor = instance.number("factor_permille", -1);
  if (only < -1 || only >= ranks) {
    return fail(ErrorCode::invalid_argument, "slow_host: rank " + std::to_string(only) + ", expected 0 to " +
                                                 std::to_string(ranks - 1) + ", or -1 for all");
  }
  if (factor < 50 || factor > 1000) {
    return fail(ErrorCode::invalid_argument,
                "slow_host: factor_permille " + std::to_string(factor) + ", expected 50 to 1000");
  }
  for (int64_t rank = 0; rank < ranks; ++rank) {
    if (only < 0 || rank == only) {
      machine.ranks[static_cast<size_t>(rank)].host_speed_permille = static_cast<int32_t>(factor);
    }
  }
  return {};
}

}  // namespace

Fault slow_host() { return {.id = "slow_host", .apply = apply}; }

}  // namespace td::sim::fault
