#include "sim/job/fsdp.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/job/predict.h"
#include "sim/simulate.h"
#include "trace/check_trace.h"

namespace td::sim {
namespace {

Job fsdp_job(std::string_view fabric, int32_t batch) {
  Job job;
  job.gpu = hardware::find_gpu("h100_sxm");
  job.fabric = hardware::parse_fabric(fabric, 8, job.gpu).value_or(hardware::Fabric{});
  job.model = find_model("bytes_2b5");
  job.parallelism.kind = Parallelism::Kind::fsdp;
  job.batch = batch;
  job.recorded_steps = 3;
  return job;
}

SimulatedJob run(const Job& job) {
  auto done = simulate(job, {}, 3);
  EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().text());
  return done ? std::move(*done) : SimulatedJob{};
}

int64_t count_kind(const trace::RankTrace& rank, trace::CollectiveKind kind) {
  return std::ranges::count(rank.collectives, kind, &trace::CollectiveArgs::kind);
}

TEST(Fsdp, GathersTwiceAndReducesOnceAUnit) {
  const Job job = fsdp_job("nvlink", 4);
  const SimulatedJob done = run(job);
  for (const trace::Violation& violation : trace::check_trace(done.trace, trace::Strictness::simulated)) {
    ADD_FAILURE() << violation.rule << ": " << violation.text;
  }
  const int64_t units = job.model->layers + 2;
  for (const trace::RankTrace& rank : done.trace.ranks) {
    // The last unit stays whole between forward and backward.
    EXPECT_EQ(count_kind(rank, trace::CollectiveKind::all_gather), job.recorded_steps * (2 * units - 1));
    EXPECT_EQ(count_kind(rank, trace::CollectiveKind::reduce_scatter), job.recorded_steps * units);
    EXPECT_EQ(count_kind(rank, trace::CollectiveKind::all_reduce), 0);
    for (const trace::CollectiveArgs& args : rank.collectives) {
      const int64_t whole = std::max(args.in_count, args.out_count);
      EXPECT_EQ(std::min(args.in_count, args.out_count) * 8, whole);
    }
  }
}

TEST(Fsdp, HidesItsCommunicationUnderEnoughCompute) {
  const auto fast = predict(fsdp_job("nvlink", 8));
  const auto slow = predict(fsdp_job("2x4:eth100x1", 8));
  ASSERT_TRUE(fast.has_value() && slow.has_value());
  EXPECT_LT(fast->exposed_frac, 0.02);
  EXPECT_GT(slow->exposed_frac, 0.3);
  EXPECT_LT(fast->mfu, 0.65);
}

TEST(Fsdp, WithoutOverlapTheReductionStandsAlone) {
  Job job = fsdp_job("nvlink", 4);
  const TimeNs healthy_ns = run(job).mean_step_ns;
  job.overlap_reduction = false;
  EXPECT_GT(run(job).mean_step_ns, healthy_ns);
}

TEST(Fsdp, AccumulationGathersEachTime) {
  Job job = fsdp_job("nvlink", 4);
  const size_t once = run(job).trace.ranks[0].collectives.size();
  job.accumulation = 2;
  EXPECT_EQ(run(job).trace.ranks[0].collectives.size(), 2 * once);
}

TEST(Fsdp, FitsWhereDdpDoesNot) {
  Job job = fsdp_job("nvlink", 1);
  job.model = find_model("bytes_7b");
  EXPECT_TRUE(check_job(job).has_value());
  job.parallelism.kind = Parallelism::Kind::ddp;
  EXPECT_FALSE(check_job(job).has_value());
}

}  // namespace
}  // namespace td::sim
