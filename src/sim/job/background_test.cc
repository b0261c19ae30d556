#include "sim/job/background.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "hardware/fabric.h"
#include "hardware/gpu.h"
#include "sim/simulate.h"
#include "trace/check_trace.h"

namespace td::sim {
namespace {

Job small_job(int32_t batch) {
  Job job;
  job.gpu = hardware::find_gpu("h100_sxm");
  job.fabric = hardware::parse_fabric("nvlink", 8, job.gpu).value_or(hardware::Fabric{});
  job.model = find_model("llama_860m");
  job.batch = batch;
  return job;
}

constexpr uint64_t kSeeds = 16;

// In steady steps, whatever the size of the step.
TEST(Background, CostsLittle) {
  for (const int32_t batch : {2, 8}) {
    Job quiet = small_job(batch);
    quiet.execution = batch == 2 ? Execution::compiled : Execution::eager;
    Job noisy = quiet;
    noisy.noise_percent = 200;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      SCOPED_TRACE(seed);
      const auto without = simulate(quiet, {}, seed);
      const auto with = simulate(noisy, {}, seed);
      ASSERT_TRUE(without && with);
      EXPECT_TRUE(trace::check_trace(with->trace, trace::Strictness::simulated).empty());
      EXPECT_LT(with->mean_step_ns * 1000, without->mean_step_ns * 1020);
    }
  }
}

// What causes are told by is there without them: allocations, scalars, compile frames, pauses, batches of seconds.
TEST(Background, HoldsTheNamesOfEveryCause) {
  std::set<std::string> names;
  TimeNs longest_batch_ns = 0;
  Job job = small_job(4);
  job.noise_percent = 100;
  for (uint64_t seed = 1; seed <= 2 * kSeeds; ++seed) {
    job.execution = seed % 2 == 0 ? Execution::compiled : Execution::eager;
    job.sync_every_step = false;
    const auto run = simulate(job, {}, seed);
    ASSERT_TRUE(run);
    for (const trace::RankTrace& rank : run->trace.ranks) {
      for (trace::SliceId slice = 0; slice < rank.slice_count(); ++slice) {
        if (!trace::is_host(rank.kind[slice])) continue;
        names.insert(std::string(rank.name_of(slice)));
        if (rank.kind[slice] == trace::SliceKind::loader)
          longest_batch_ns = std::max(longest_batch_ns, rank.dur_ns[slice]);
      }
    }
  }
  for (const char* name : {"cudaMalloc", "cudaFree", "aten::_local_scalar_dense", "cuLibraryLoadData", "gc.collect",
                           "_compile.compile_inner (dynamo_timed)"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  EXPECT_GT(longest_batch_ns, kNsPerS);
}

TEST(Background, IsNotThereUnlessAsked) {
  const auto run = simulate(small_job(4), {}, 3);
  ASSERT_TRUE(run);
  for (trace::SliceId slice = 0; slice < run->trace.ranks[0].slice_count(); ++slice) {
    EXPECT_NE(run->trace.ranks[0].name_of(slice), "cudaMalloc");
  }
}

}  // namespace
}  // namespace td::sim
