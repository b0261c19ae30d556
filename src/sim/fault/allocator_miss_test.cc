#include <gtest/gtest.h>

#include "hardware/fabric.h"
#include "hardware/gpu.h"
#include "sim/fault/fault.h"
#include "sim/simulate.h"
#include "trace/check_trace.h"

namespace td::sim {
namespace {

Job small_job() {
  Job job;
  job.gpu = hardware::find_gpu("h100_sxm");
  job.fabric = hardware::parse_fabric("nvlink", 8, job.gpu).value_or(hardware::Fabric{});
  job.model = find_model("llama_860m");
  job.batch = 8;
  return job;
}

FaultInstance miss(int64_t rank, int64_t step, std::string in) {
  return {.fault = "allocator_miss",
          .numbers = {{"rank", rank},
                      {"step", step},
                      {"permille", 500},
                      {"segments", 50},
                      {"free_ns", 400'000},
                      {"map_ns", 1'000'000}},
          .words = {{"in", std::move(in)}}};
}

int64_t calls(const trace::RankTrace& rank, std::string_view name) {
  int64_t count = 0;
  for (trace::SliceId slice = 0; slice < rank.slice_count(); ++slice) count += rank.name_of(slice) == name ? 1 : 0;
  return count;
}

// The device runs dry and stands still for what the calls take, and the step is as much longer: 50 x (400 + 3) us and
// the cudaMalloc, on the slowest of eight hosts.
TEST(AllocatorMiss, HoldsTheDeviceForItsCalls) {
  const Job job = small_job();
  const auto healthy = simulate(job, {}, 3);
  ASSERT_TRUE(healthy);
  for (const char* in : {"main", "backward"}) {
    SCOPED_TRACE(in);
    const std::vector<FaultInstance> faults = {miss(-1, 2, in)};
    const auto slow = simulate(job, faults, 3);
    ASSERT_TRUE(slow) << slow.error().text();
    EXPECT_TRUE(trace::check_trace(slow->trace, trace::Strictness::simulated).empty());
    for (const trace::RankTrace& rank : slow->trace.ranks) {
      EXPECT_EQ(calls(rank, "cudaFree") - calls(healthy->trace.ranks[0], "cudaFree"), 50);
    }
    const auto lost_ns = (slow->mean_step_ns - healthy->mean_step_ns) * static_cast<TimeNs>(slow->steps.size());
    const AllocatorMiss expected = {.freed_segments = 50, .free_ns = 400'000, .map_ns = 1'000'000};
    EXPECT_EQ(held_ns(expected), 21'150'000);
    EXPECT_NEAR(static_cast<double>(lost_ns), static_cast<double>(held_ns(expected)), 0.2 * 21'150'000);
  }
}

// On one rank it holds up all the others, in their collectives.
TEST(AllocatorMiss, OneRankHoldsUpAll) {
  const Job job = small_job();
  const std::vector<FaultInstance> faults = {miss(3, 2, "main")};
  const auto healthy = simulate(job, {}, 4);
  const auto slow = simulate(job, faults, 4);
  ASSERT_TRUE(healthy && slow);
  const auto lost_ns = (slow->mean_step_ns - healthy->mean_step_ns) * static_cast<TimeNs>(slow->steps.size());
  EXPECT_GT(lost_ns, 15'000'000);
  EXPECT_GT(calls(slow->trace.ranks[3], "cudaFree"), calls(slow->trace.ranks[2], "cudaFree") + 40);
}

TEST(AllocatorMiss, SaysWhatIsWrong) {
  const Fault* fault = find_fault("allocator_miss");
  ASSERT_NE(fault, nullptr);
  Machine machine{.ranks = std::vector<RankResources>(4)};
  Job job = small_job();
  EXPECT_FALSE(fault->apply(miss(4, 2, "main"), machine, job).has_value());
  EXPECT_FALSE(fault->apply(miss(0, 4, "main"), machine, job).has_value());
  EXPECT_FALSE(fault->apply({.fault = "allocator_miss", .numbers = {{"step", 1}}, .words = {}}, machine, job));
  EXPECT_TRUE(fault->apply(miss(2, 1, "backward"), machine, job).has_value());
  EXPECT_TRUE(machine.ranks[1].misses.empty());
  ASSERT_EQ(machine.ranks[2].misses.size(), 1U);
  EXPECT_TRUE(machine.ranks[2].misses[0].in_backward);
}

}  // namespace
}  // namespace td::sim
