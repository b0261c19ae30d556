#include <gtest/gtest.h>

#include "hardware/fabric.h"
#include "hardware/gpu.h"
#include "sim/fault/fault.h"
#include "sim/simulate.h"
#include "trace/check_trace.h"

namespace td::sim {
namespace {

Job job_with(Metrics::Of of, int32_t per_layer) {
  Job job;
  job.gpu = hardware::find_gpu("h100_sxm");
  job.fabric = hardware::parse_fabric("nvlink", 8, job.gpu).value_or(hardware::Fabric{});
  job.model = find_model("llama_1b2");
  job.batch = 4;
  job.metrics = {.of = of, .per_layer = per_layer};
  return job;
}

FaultInstance items(int64_t host_work_ns) {
  return {.fault = "item_per_layer", .numbers = {{"host_work_ns", host_work_ns}}, .words = {}};
}

// Copies to the host on rank 0 within the steady steps.
int64_t reads(const SimulatedJob& run) {
  const trace::RankTrace& rank = run.trace.ranks.front();
  int64_t count = 0;
  for (trace::SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    const trace::CopyArgs* args = rank.copy_args(slice);
    const TimeNs at_ns = rank.start_ns[slice] + rank.clock_offset_ns;
    const bool within = at_ns >= run.steps.front().begin_ns && at_ns < run.steps.back().end_ns;
    count += args != nullptr && args->kind == trace::CopyKind::d2h && within ? 1 : 0;
  }
  return count;
}

TEST(ItemPerLayer, EachMetricIsReadAndCostsItsHostWork) {
  for (const Metrics::Of of : {Metrics::Of::activations, Metrics::Of::gradients}) {
    const Job job = job_with(of, 2);
    ASSERT_EQ(metrics_per_step(job), 20);
    const std::vector<FaultInstance> faults = {items(400'000)};
    const auto healthy = simulate(job, {}, 3);
    const auto slow = simulate(job, faults, 3);
    ASSERT_TRUE(healthy && slow);
    EXPECT_TRUE(trace::check_trace(slow->trace, trace::Strictness::simulated).empty());
    const auto steps = static_cast<int64_t>(slow->steps.size());
    EXPECT_EQ(reads(*healthy), steps);  // the loss, once a step
    EXPECT_EQ(reads(*slow), 21 * steps);
    // Each read: 400 us of work and some 15 to 45 us to wake, launch and start, on the slowest of eight hosts.
    const TimeNs lost_ns = slow->mean_step_ns - healthy->mean_step_ns;
    EXPECT_GT(lost_ns, 20 * 400'000);
    EXPECT_LT(lost_ns, 20 * 540'000);
  }
}

// A bare item() costs tens of microseconds: harmless unless there are very many.
TEST(ItemPerLayer, WithoutHostWorkItCostsLittle) {
  const Job job = job_with(Metrics::Of::activations, 1);
  const std::vector<FaultInstance> faults = {items(0)};
  const auto healthy = simulate(job, {}, 4);
  const auto bare = simulate(job, faults, 4);
  ASSERT_TRUE(healthy && bare);
  const TimeNs each_ns = (bare->mean_step_ns - healthy->mean_step_ns) / 10;
  EXPECT_GT(each_ns, 12'000);
  EXPECT_LT(each_ns, 70'000);
}

TEST(ItemPerLayer, SaysWhatIsWrong) {
  const Fault* fault = find_fault("item_per_layer");
  ASSERT_NE(fault, nullptr);
  Machine machine;
  Job job = job_with(Metrics::Of::nothing, 1);
  EXPECT_FALSE(fault->apply(items(1'000), machine, job).has_value());
  job.metrics.of = Metrics::Of::gradients;
  EXPECT_FALSE(fault->apply(items(-5), machine, job).has_value());
  EXPECT_TRUE(fault->apply(items(1'000), machine, job).has_value());
  EXPECT_TRUE(job.metrics.read_on_host);
  EXPECT_EQ(job.metrics.host_work_ns, 1'000);
  job.metrics.per_layer = 7;
  EXPECT_FALSE(check_job(job).has_value());
}

}  // namespace
}  // namespace td::sim
