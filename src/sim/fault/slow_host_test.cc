#include <gtest/gtest.h>

#include "hardware/fabric.h"
#include "hardware/gpu.h"
#include "sim/fault/fault.h"
#include "sim/simulate.h"
#include "trace/check_trace.h"

namespace td::sim {
namespace {

Job short_job() {
  Job job;
  job.gpu = hardware::find_gpu("h100_sxm");
  job.fabric = hardware::parse_fabric("nvlink", 8, job.gpu).value_or(hardware::Fabric{});
  job.model = find_model("bytes_650m");
  job.batch = 4;
  job.seq_len = 1024;
  return job;
}

FaultInstance slow_host(int64_t rank, int64_t factor_permille) {
  return {.fault = "slow_host", .numbers = {{"rank", rank}, {"factor_permille", factor_permille}}, .words = {}};
}

// A host at half its speed is still ahead of the device; at a sixth it sets the pace.
TEST(SlowHost, CostsNothingUntilTheDeviceRunsDry) {
  const Job job = short_job();
  const std::vector<FaultInstance> half = {slow_host(-1, 500)};
  const std::vector<FaultInstance> sixth = {slow_host(-1, 167)};
  const auto healthy = simulate(job, {}, 5);
  const auto slower = simulate(job, half, 5);
  const auto slowest = simulate(job, sixth, 5);
  ASSERT_TRUE(healthy && slower && slowest);
  EXPECT_TRUE(trace::check_trace(slowest->trace, trace::Strictness::simulated).empty());
  EXPECT_LT(slower->mean_step_ns * 100, healthy->mean_step_ns * 104);
  EXPECT_GT(slowest->mean_step_ns * 100, healthy->mean_step_ns * 150);
}

// One slow host holds up all, as long as all of them being slow would.
TEST(SlowHost, OneRankHoldsUpAll) {
  const Job job = short_job();
  const std::vector<FaultInstance> one = {slow_host(3, 167)};
  const std::vector<FaultInstance> all = {slow_host(-1, 167)};
  const auto on_one = simulate(job, one, 6);
  const auto on_all = simulate(job, all, 6);
  ASSERT_TRUE(on_one && on_all);
  EXPECT_NEAR(static_cast<double>(on_one->mean_step_ns), static_cast<double>(on_all->mean_step_ns),
              0.08 * static_cast<double>(on_all->mean_step_ns));
}

TEST(SlowHost, SaysWhatIsWrong) {
  const Fault* fault = find_fault("slow_host");
  ASSERT_NE(fault, nullptr);
  Machine machine{.ranks = std::vector<RankResources>(4)};
  Job job = short_job();
  EXPECT_FALSE(fault->apply(slow_host(4, 500), machine, job).has_value());
  EXPECT_FALSE(fault->apply(slow_host(-2, 500), machine, job).has_value());
  EXPECT_FALSE(fault->apply(slow_host(0, 20), machine, job).has_value());
  EXPECT_TRUE(fault->apply(slow_host(2, 500), machine, job).has_value());
  EXPECT_EQ(machine.ranks[2].host_speed_permille, 500);
  EXPECT_EQ(machine.ranks[1].host_speed_permille, 1000);
}

}  // namespace
}  // namespace td::sim
