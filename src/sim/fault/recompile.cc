// A guard fails in one recorded step, and the host compiles for compile_ns before it launches: on rank `rank`, or on
// all without one. The job must be compiled and have a step of another shape, or there would be nothing to compile.
#include "sim/fault/fault.h"

namespace td::sim::fault {
namespace {

constexpr TimeNs kMaxCompileNs = 600 * kNsPerS;

Status apply(const FaultInstance& instance, Machine& machine, Job& job) {
  const auto ranks = static_cast<int64_t>(machine.ranks.size());
  const int64_t rank = instance.number("rank", -1);
  const int64_t compile_ns = instance.number("compile_ns", -1);
  if (rank < -1 || rank >= ranks) {
    return fail(ErrorCode::invalid_argument, "recompile: rank " + std::to_string(rank) + ", expected 0 to " +
                                                 std::to_string(ranks - 1) + ", or -1 for all");
  }
  if (compile_ns < 1000 || compile_ns > kMaxCompileNs) {
    return fail(ErrorCode::invalid_argument, "recompile: compile_ns " + std::to_string(compile_ns) +
                                                 ", expected 1000 to " + std::to_string(kMaxCompileNs));
  }
  if (job.execution != Execution::compiled || job.reshaped_step < 0) {
    return fail(ErrorCode::invalid_argument, "recompile: the job is not compiled or has no step of another shape");
  }
  for (int64_t r = 0; r < ranks; ++r) {
    if (rank >= 0 && r != rank) continue;
    machine.ranks[static_cast<size_t>(r)].compile_step = job.reshaped_step;
    machine.ranks[static_cast<size_t>(r)].compile_ns = compile_ns;
  }
  return {};
}

}  // namespace

Fault recompile() { return {.id = "recompile", .apply = apply}; }

}  // namespace td::sim::fault
