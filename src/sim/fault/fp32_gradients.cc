// Gradients are kept and reduced in FP32 where the job has BF16: twice the bytes on the wire.
#include "sim/fault/fault.h"

namespace td::sim::fault {
namespace {

Status apply(const FaultInstance&, Machine&, Job& job) {
  if (job.grad_dtype == trace::DType::float32) {
    return fail(ErrorCode::invalid_argument, "fp32_gradients: the job's gradients are float32 already");
  }
  job.grad_dtype = trace::DType::float32;
  return {};
}

}  // namespace

Fault fp32_gradients() { return {.id = "fp32_gradients", .apply = apply}; }

}  // namespace td::sim::fault
