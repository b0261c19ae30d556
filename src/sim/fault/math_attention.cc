// Attention runs its unfused math path: the scores go through HBM a dozen times a layer. Where they do not fit the
// memory, the job cannot exist.
#include "sim/fault/fault.h"

namespace td::sim::fault {
namespace {

Status apply(const FaultInstance&, Machine&, Job& job) {
  if (job.attention == Attention::math) {
    return fail(ErrorCode::invalid_argument, "math_attention: the job's attention is unfused already, expected flash");
  }
  job.attention = Attention::math;
  return {};
}

}  // namespace

Fault math_attention() { return {.id = "math_attention", .apply = apply}; }

}  // namespace td::sim::fault
