#include "sim/job/job.h"

namespace td::sim {

int32_t data_parallel_size(const Job& job) {
  const int32_t world_size = job.fabric.world_size();
  return job.parallelism.kind == Parallelism::Kind::pipeline ? world_size / job.parallelism.stages : world_size;
}

int64_t tokens_per_step(const Job& job) {
  return int64_t{job.batch} * job.seq_len * job.accumulation * data_parallel_size(job);
}

}  // namespace td::sim
