// Faults that make one rank late, and what is seen of each on that rank: its memory, its data, its compiler.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "hardware/fabric.h"
#include "hardware/gpu.h"
#include "sim/fault/fault.h"
#include "sim/simulate.h"
#include "trace/check_trace.h"

namespace td::sim {
namespace {

constexpr size_t kRank = 3;

Job small_job() {
  Job job;
  job.gpu = hardware::find_gpu("h100_sxm");
  job.fabric = hardware::parse_fabric("nvlink", 8, job.gpu).value_or(hardware::Fabric{});
  job.model = find_model("llama_860m");
  job.batch = 8;
  return job;
}

// Time in kernels whose names hold `part`, on one rank.
TimeNs time_in(const trace::RankTrace& rank, std::string_view part) {
  TimeNs sum_ns = 0;
  for (trace::SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    const bool meant = rank.name_of(slice).find(part) != std::string_view::npos;
    if (rank.kind[slice] == trace::SliceKind::compute && meant) sum_ns += rank.dur_ns[slice];
  }
  return sum_ns;
}

double ratio(const SimulatedJob& run, std::string_view part) {
  return static_cast<double>(time_in(run.trace.ranks[kRank], part)) /
         static_cast<double>(time_in(run.trace.ranks[kRank + 1], part));
}

TEST(SlowHbm, StretchesWhatMemoryBinds) {
  const std::vector<FaultInstance> faults = {
      {.fault = "slow_hbm", .numbers = {{"rank", kRank}, {"factor_permille", 500}}, .words = {}}};
  const auto run = simulate(small_job(), faults, 3);
  ASSERT_TRUE(run) << run.error().text();
  EXPECT_TRUE(trace::check_trace(run->trace, trace::Strictness::simulated).empty());
  EXPECT_GT(ratio(*run, "elementwise"), 1.5);
  EXPECT_LT(ratio(*run, "flash"), 1.15);
}

TEST(HeavyBatch, HasLargerGridsOnItsRank) {
  const std::vector<FaultInstance> faults = {
      {.fault = "heavy_batch", .numbers = {{"rank", kRank}, {"batch", 12}}, .words = {}}};
  const auto run = simulate(small_job(), faults, 3);
  ASSERT_TRUE(run) << run.error().text();
  EXPECT_TRUE(trace::check_trace(run->trace, trace::Strictness::simulated).empty());
  EXPECT_NEAR(ratio(*run, "flash"), 1.5, 0.1);
  std::map<size_t, int64_t> blocks;
  for (const size_t rank : {kRank, kRank + 1}) {
    const trace::RankTrace& of = run->trace.ranks[rank];
    for (trace::SliceId slice = 0; slice < of.slice_count(); ++slice) {
      const trace::KernelArgs* args = of.kernel_args(slice);
      if (args != nullptr && of.kind[slice] == trace::SliceKind::compute)
        blocks[rank] += int64_t{args->grid[0]} * args->grid[1] * args->grid[2];
    }
  }
  EXPECT_GT(blocks[kRank] * 10, blocks[kRank + 1] * 11);
  const auto healthy = simulate(small_job(), {}, 3);
  ASSERT_TRUE(healthy);
  EXPECT_GT(run->mean_step_ns * 100, healthy->mean_step_ns * 115);
}

TEST(GuardMiss, CompilesInEachStepOfItsRank) {
  Job job = small_job();
  job.execution = Execution::compiled;
  const std::vector<FaultInstance> faults = {
      {.fault = "guard_miss", .numbers = {{"rank", kRank}, {"compile_ns", 40'000'000}}, .words = {}}};
  const auto run = simulate(job, faults, 3);
  const auto healthy = simulate(job, {}, 3);
  ASSERT_TRUE(run && healthy);
  for (size_t rank = 0; rank < run->trace.ranks.size(); ++rank) {
    int64_t compiles = 0;
    const trace::RankTrace& of = run->trace.ranks[rank];
    for (trace::SliceId slice = 0; slice < of.slice_count(); ++slice)
      compiles += of.name_of(slice).starts_with("_compile.compile_inner") ? 1 : 0;
    EXPECT_EQ(compiles, rank == kRank ? job.recorded_steps : 0);
  }
  // The job waits at its loss in each step, so the host is not ahead where forward begins.
  const TimeNs lost_ns = run->mean_step_ns - healthy->mean_step_ns;
  EXPECT_GT(lost_ns, 34'000'000);
  EXPECT_LT(lost_ns, 42'000'000);
}

TEST(OneRank, SaysWhatIsWrong) {
  Machine machine{.ranks = std::vector<RankResources>(4)};
  Job job = small_job();
  const auto fails = [&](const char* id, std::vector<std::pair<std::string, int64_t>> numbers) {
    return !find_fault(id)->apply({.fault = id, .numbers = std::move(numbers), .words = {}}, machine, job).has_value();
  };
  EXPECT_TRUE(fails("slow_hbm", {{"rank", 4}, {"factor_permille", 500}}));
  EXPECT_TRUE(fails("slow_hbm", {{"rank", 0}, {"factor_permille", 50}}));
  EXPECT_TRUE(fails("heavy_batch", {{"rank", 0}, {"batch", 7}}));
  EXPECT_TRUE(fails("heavy_batch", {{"rank", 0}, {"batch", 100'000}}));        // does not fit
  EXPECT_TRUE(fails("guard_miss", {{"rank", 0}, {"compile_ns", 5'000'000}}));  // not compiled
  EXPECT_TRUE(fails("slow_loader", {{"slow_worker", 3}, {"workers", 2}, {"batch_ns", 1}}));
  EXPECT_FALSE(fails("fp32_gradients", {}));
  EXPECT_TRUE(fails("fp32_gradients", {}));  // they are by now
}

}  // namespace
}  // namespace td::sim
