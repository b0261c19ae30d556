// Other causes in a pipeline: what is named when the schedule is well fed.
#include <gtest/gtest.h>

#include <string>

#include "analysis/read.h"
#include "base/random.h"
#include "sim/job/pipeline_catalogue.h"
#include "sim/simulate.h"

namespace td {
namespace {

constexpr uint64_t kSeeds = 4;

sim::Job job_of(uint64_t seed) {
  RandomStream stream(seed, "drill.job");
  auto job = sim::draw_pipeline_job(stream);
  EXPECT_TRUE(job.has_value()) << (job ? "" : job.error().text());
  return job.value_or(sim::Job{});
}

std::string named(const sim::Job& job, const std::vector<sim::FaultInstance>& faults, uint64_t seed) {
  const auto run = sim::simulate(job, faults, seed);
  EXPECT_TRUE(run.has_value()) << (run ? "" : run.error().text());
  if (!run) return "";
  analysis::Facts facts;
  facts.gpu = job.gpu;
  facts.fabric = job.fabric;
  const analysis::Reading reading = analysis::read(run->trace, facts);
  return reading.findings.empty() ? "" : reading.findings.front().cause;
}

TEST(PipelineReading, AWellFedOneIsHealthy) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) EXPECT_EQ(named(job_of(seed), {}, seed), "healthy") << seed;
}

TEST(PipelineReading, ASlowRankIsAStraggler) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const sim::Job job = job_of(seed);
    const auto rank = static_cast<int64_t>(seed) % job.fabric.world_size();
    EXPECT_EQ(
        named(job, {{.fault = "slow_clock", .numbers = {{"rank", rank}, {"factor_permille", 800}}, .words = {}}}, seed),
        "straggler")
        << seed;
  }
}

TEST(PipelineReading, AStarvedFirstStageIsStarvation) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    sim::Job job = job_of(seed);
    const auto healthy = sim::simulate(job, {}, seed);
    ASSERT_TRUE(healthy.has_value());
    // A batch a microbatch, a third slower than the pipeline takes them.
    const int64_t batch_ns = healthy->mean_step_ns / job.accumulation * 4 / 3 * 4;
    job.loader = {.workers = 4, .batch_ns = batch_ns};
    EXPECT_EQ(named(job, {}, seed), "input_starvation") << seed;
  }
}

}  // namespace
}  // namespace td
