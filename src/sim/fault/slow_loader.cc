// The loader is slower than the job's: fewer workers (a CPU quota, a setting that was lost) or dearer batches (storage,
// longer documents, one more augmentation), or one worker `slow_worker` of them takes slow_batch_ns. On
// rank `rank`, or on all without one.
#include "sim/fault/fault.h"

namespace td::sim::fault {
namespace {

constexpr int64_t kMaxWorkers = 256;
constexpr TimeNs kMaxBatchNs = 600 * kNsPerS;

Status apply(const FaultInstance& instance, Machine& machine, Job& job) {
  const auto ranks = static_cast<int64_t>(machine.ranks.size());
  const int64_t rank = instance.number("rank", -1);
  const int64_t workers = instance.number("workers", job.loader.workers);
  const int64_t batch_ns = instance.number("batch_ns", job.loader.batch_ns);
  if (rank < -1 || rank >= ranks) {
    return fail(ErrorCode::invalid_argument, "slow_loader: rank " + std::to_string(rank) + ", expected 0 to " +
                                                 std::to_string(ranks - 1) + ", or -1 for all");
  }
  if (workers < 1 || workers > kMaxWorkers) {
    return fail(ErrorCode::invalid_argument,
                "slow_loader: workers " + std::to_string(workers) + ", expected 1 to " + std::to_string(kMaxWorkers));
  }
  if (batch_ns < 1 || batch_ns > kMaxBatchNs) {
    return fail(ErrorCode::invalid_argument,
                "slow_loader: batch_ns " + std::to_string(batch_ns) + ", expected 1 to " + std::to_string(kMaxBatchNs));
  }
  const int64_t slow_worker = instance.number("slow_worker", -1);
  const int64_t slow_batch_ns = instance.number("slow_batch_ns", 0);
  if (slow_worker < -1 || slow_worker >= workers || slow_batch_ns < 0 || slow_batch_ns > kMaxBatchNs) {
    return fail(ErrorCode::invalid_argument, "slow_loader: slow_worker " + std::to_string(slow_worker) +
                                                 " with slow_batch_ns " + std::to_string(slow_batch_ns) +
                                                 ", expected one of " + std::to_string(workers) +
                                                 " workers, or -1 for none, and 0 to " + std::to_string(kMaxBatchNs));
  }
  LoaderSpec loader = job.loader;
  loader.slow_worker = static_cast<int32_t>(slow_worker);
  loader.slow_batch_ns = slow_batch_ns;
  loader.workers = static_cast<int32_t>(workers);
  loader.batch_ns = batch_ns;
  for (int64_t r = 0; r < ranks; ++r) {
    if (rank < 0 || r == rank) machine.ranks[static_cast<size_t>(r)].loader = loader;
  }
  return {};
}

}  // namespace

Fault slow_loader() { return {.id = "slow_loader", .apply = apply}; }

}  // namespace td::sim::fault
