// A step of a pipeline has `microbatches` microbatches, too few for its stages: a global batch that was cut, or one
// that was left as it was when replicas were added. With `batch`, each has so many sequences: the same batch in fewer
// pieces.
#include "sim/fault/fault.h"

namespace td::sim::fault {
namespace {

constexpr int64_t kMostSequences = 4096;

Status apply(const FaultInstance& instance, Machine&, Job& job) {
  const int64_t microbatches = instance.number("microbatches", -1);
  const int64_t batch = instance.number("batch", job.batch);
  if (job.parallelism.kind != Parallelism::Kind::pipeline) {
    return fail(ErrorCode::invalid_argument, "few_microbatches: the job is no pipeline");
  }
  if (microbatches < 1 || microbatches > job.accumulation) {
    return fail(ErrorCode::invalid_argument, "few_microbatches: microbatches " + std::to_string(microbatches) +
                                                 ", expected 1 to " + std::to_string(job.accumulation));
  }
  if (batch < 1 || batch > kMostSequences) {
    return fail(ErrorCode::invalid_argument, "few_microbatches: batch " + std::to_string(batch) + ", expected 1 to " +
                                                 std::to_string(kMostSequences));
  }
  job.accumulation = static_cast<int32_t>(microbatches);
  job.batch = static_cast<int32_t>(batch);
  return {};
}

}  // namespace

Fault few_microbatches() { return {.id = "few_microbatches", .apply = apply}; }

}  // namespace td::sim::fault
