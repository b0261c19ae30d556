// Gradients are all-reduced only after backward. form "after_backward": no hooks, the buckets are reduced once
// backward() has returned. form "one_bucket": the bucket cap holds all gradients, so that the only bucket is full when
// the last gradient is.
#include <limits>

#include "sim/fault/fault.h"

namespace td::sim::fault {
namespace {

Status apply(const FaultInstance& instance, Machine&, Job& job) {
  const std::string_view form = instance.word("form");
  if (form == "after_backward") {
    job.overlap_reduction = false;
    return {};
  }
  if (form == "one_bucket") {
    job.bucket_cap_bytes = std::numeric_limits<int64_t>::max();
    job.first_bucket_cap_bytes = job.bucket_cap_bytes;
    return {};
  }
  return fail(ErrorCode::invalid_argument,
              "overlap_off: form \"" + std::string(form) + "\", expected after_backward or one_bucket");
}

}  // namespace

Fault overlap_off() { return {.id = "overlap_off", .apply = apply}; }

}  // namespace td::sim::fault
