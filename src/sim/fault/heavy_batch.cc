// One rank's batches hold `batch` sequences instead of the job's: a sampler that deals by length without counting
// tokens. Its kernels have larger grids and take longer.
#include "sim/fault/fault.h"

namespace td::sim::fault {
namespace {

Status apply(const FaultInstance& instance, Machine& machine, Job& job) {
  const auto ranks = static_cast<int64_t>(machine.ranks.size());
  const int64_t rank = instance.number("rank", -1);
  const int64_t batch = instance.number("batch", -1);
  if (rank < 0 || rank >= ranks) {
    return fail(ErrorCode::invalid_argument,
                "heavy_batch: rank " + std::to_string(rank) + ", expected 0 to " + std::to_string(ranks - 1));
  }
  if (batch < job.batch || batch > 1'000'000) {
    return fail(ErrorCode::invalid_argument, "heavy_batch: batch " + std::to_string(batch) + ", expected " +
                                                 std::to_string(job.batch) + " to 1000000");
  }
  if (job.parallelism.kind == Parallelism::Kind::pipeline) {
    return fail(ErrorCode::invalid_argument, "heavy_batch: the stages of a pipeline share their batches");
  }
  Job heavy = job;
  heavy.batch = static_cast<int32_t>(batch);
  TRY_OK(check_job(heavy));
  machine.ranks[static_cast<size_t>(rank)].batch = heavy.batch;
  return {};
}

}  // namespace

Fault heavy_batch() { return {.id = "heavy_batch", .apply = apply}; }

}  // namespace td::sim::fault
