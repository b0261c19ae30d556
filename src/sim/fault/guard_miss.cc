// A guard fails in every step, and the host makes the region anew for compile_ns, from its caches: on rank `rank`, or
// on all without one. A Python number that changes with each step and is guarded by its value.
#include "sim/fault/fault.h"

namespace td::sim::fault {
namespace {

constexpr TimeNs kMaxCompileNs = 600 * kNsPerS;

Status apply(const FaultInstance& instance, Machine& machine, Job& job) {
  const auto ranks = static_cast<int64_t>(machine.ranks.size());
  const int64_t rank = instance.number("rank", -1);
  const int64_t compile_ns = instance.number("compile_ns", -1);
  if (rank < -1 || rank >= ranks) {
    return fail(ErrorCode::invalid_argument, "guard_miss: rank " + std::to_string(rank) + ", expected 0 to " +
                                                 std::to_string(ranks - 1) + ", or -1 for all");
  }
  if (compile_ns < 1000 || compile_ns > kMaxCompileNs) {
    return fail(ErrorCode::invalid_argument, "guard_miss: compile_ns " + std::to_string(compile_ns) +
                                                 ", expected 1000 to " + std::to_string(kMaxCompileNs));
  }
  if (job.execution != Execution::compiled) {
    return fail(ErrorCode::invalid_argument, "guard_miss: the job is not compiled, so it has no guards");
  }
  for (int64_t r = 0; r < ranks; ++r) {
    if (rank < 0 || r == rank) machine.ranks[static_cast<size_t>(r)].guard_ns = compile_ns;
  }
  return {};
}

}  // namespace

Fault guard_miss() { return {.id = "guard_miss", .apply = apply}; }

}  // namespace td::sim::fault
