// Each stage of a pipeline holds one run of layers instead of several chunks, so that a step fills and drains once over
// whole stages.
#include "sim/fault/fault.h"

namespace td::sim::fault {
namespace {

Status apply(const FaultInstance&, Machine&, Job& job) {
  if (job.parallelism.kind != Parallelism::Kind::pipeline || job.parallelism.virtual_stages < 2) {
    return fail(ErrorCode::invalid_argument, "no_interleaving: the job is no pipeline of interleaved chunks");
  }
  job.parallelism.virtual_stages = 1;
  return {};
}

}  // namespace

Fault no_interleaving() { return {.id = "no_interleaving", .apply = apply}; }

}  // namespace td::sim::fault
