#include "sim/job/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/intervals.h"
#include "hardware/formula/pipeline.h"
#include "sim/job/layout.h"
#include "sim/job/predict.h"
#include "sim/simulate.h"
#include "trace/check_trace.h"

namespace td::sim {
namespace {

struct Shape {
  int32_t stages = 2;
  int32_t virtual_stages = 1;
  int32_t microbatches = 4;
};

// Stages of `layers` layers a chunk, so that a chunk takes some tens of milliseconds and messages next to nothing.
Job pipeline_job(const Shape& shape, int32_t world_size, bool stages_adjacent = false) {
  Job job;
  job.gpu = hardware::find_gpu("h100_sxm");
  job.fabric = hardware::parse_fabric("nvlink", world_size, job.gpu).value_or(hardware::Fabric{});
  job.model = find_model("bytes_7b");
  job.seq_len = 4096;
  job.accumulation = shape.microbatches;
  job.parallelism = {.kind = Parallelism::Kind::pipeline,
                     .stages = shape.stages,
                     .virtual_stages = shape.virtual_stages,
                     .stages_adjacent = stages_adjacent};
  job.recorded_steps = 2;
  return job;
}

SimulatedJob run(const Job& job, uint64_t seed, const std::vector<FaultInstance>& faults = {}) {
  auto done = simulate(job, faults, seed);
  EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().text());
  return done ? std::move(*done) : SimulatedJob{};
}

IntervalSet spans(const trace::RankTrace& rank, trace::SliceKind kind) {
  std::vector<Interval> out;
  for (trace::SliceId i = 0; i < rank.slice_count(); ++i) {
    if (rank.kind[i] == kind) {
      out.push_back({rank.start_ns[i] + rank.clock_offset_ns, rank.end_ns(i) + rank.clock_offset_ns});
    }
  }
  return unite(std::move(out));
}

TEST(Pipeline, TracesAreSound) {
  const std::vector<Shape> shapes = {{2, 1, 4}, {4, 1, 3}, {4, 2, 8}, {8, 1, 8}};
  for (size_t i = 0; i < shapes.size(); ++i) {
    const SimulatedJob done = run(pipeline_job(shapes[i], 8, i % 2 == 1), i);
    ASSERT_EQ(done.trace.ranks.size(), 8U);
    for (const trace::Violation& violation : trace::check_trace(done.trace, trace::Strictness::simulated)) {
      ADD_FAILURE() << "shape " << i << ": " << violation.rule << ": " << violation.text;
    }
  }
}

// A step is (m + (p - 1) / v) times a microbatch's forward and backward on one stage, and little more: the last
// reduction, the optimizer and the messages.
TEST(Pipeline, AStepIsItsMicrobatchesAndTheBubble) {
  for (const Shape& shape : {Shape{2, 1, 4}, Shape{2, 1, 16}, Shape{4, 1, 4}, Shape{4, 1, 8}, Shape{4, 2, 8}}) {
    const SimulatedJob done = run(pipeline_job(shape, shape.stages), 3);
    const Interval step = {done.steps[0].begin_ns, done.steps[0].end_ns};
    const double compute_ns =
        static_cast<double>(total_ns(clip(spans(done.trace.ranks[0], trace::SliceKind::compute), step)));
    const double bubble = hardware::bubble_frac(shape.stages, shape.microbatches, shape.virtual_stages);
    const double expected_ns = compute_ns / (1 - bubble);
    EXPECT_NEAR(static_cast<double>(step.length_ns()) / expected_ns, 1.0, 0.035)
        << shape.stages << " " << shape.virtual_stages << " " << shape.microbatches;
  }
}

// Stage s waits s forwards at the start, (p - 1 - s) forwards and backwards in the middle, s backwards at the end.
TEST(Pipeline, EachStageWaitsWhere1F1BPutsIt) {
  constexpr int32_t kStages = 4;
  const SimulatedJob done = run(pipeline_job({kStages, 1, 8}, kStages), 5);
  std::vector<IntervalSet> compute;
  for (const trace::RankTrace& rank : done.trace.ranks) compute.push_back(spans(rank, trace::SliceKind::compute));
  // Stage 0's longest pause is the one in its middle: 3 forwards and backwards less what it does itself meanwhile.
  std::vector<TimeNs> longest_ns;
  for (const IntervalSet& set : compute) {
    TimeNs longest = 0;
    for (size_t i = 1; i < set.size(); ++i) longest = std::max(longest, set[i].begin_ns - set[i - 1].end_ns);
    longest_ns.push_back(longest);
  }
  const double microbatch_ns = static_cast<double>(total_ns(compute[0])) / 2 / 8;  // two recorded steps
  // The last stage waits for three forwards after three backwards, in one pause between two steps.
  EXPECT_NEAR(static_cast<double>(longest_ns[3]) / (3 * microbatch_ns), 1.0, 0.1);
  // After its warm-up stage 0 waits until the first microbatch is back: 3 forwards and 3 backwards behind it, while it
  // has run 3 more forwards.
  EXPECT_GT(static_cast<double>(longest_ns[0]), 1.7 * microbatch_ns);
  EXPECT_LT(static_cast<double>(longest_ns[0]), 2.3 * microbatch_ns);
}

TEST(Pipeline, ReceiversHoldTheWait) {
  const SimulatedJob done = run(pipeline_job({4, 1, 8}, 4), 2);
  for (const trace::RankTrace& rank : done.trace.ranks) {
    const Interval window = {done.steps[0].begin_ns, done.steps[0].end_ns - done.mean_step_ns / 3};
    const IntervalSet busy =
        clip(unite(spans(rank, trace::SliceKind::compute), spans(rank, trace::SliceKind::comm)), window);
    EXPECT_GT(static_cast<double>(total_ns(busy)), 0.98 * static_cast<double>(window.length_ns())) << rank.rank;
  }
}

TEST(Pipeline, PartsAreEven) {
  const Job job = pipeline_job({4, 1, 8}, 4);
  EXPECT_EQ(cut_into_parts(job, {}), (std::vector<std::pair<int32_t, int32_t>>{{0, 3}, {3, 5}, {5, 7}, {7, 10}}));
}

TEST(Pipeline, RanksOfAStage) {
  Job job = pipeline_job({4, 1, 8}, 8);
  EXPECT_EQ(pipeline_rank(job, 1, 0), 2);
  EXPECT_EQ(pipeline_rank(job, 1, 1), 3);
  job.parallelism.stages_adjacent = true;
  EXPECT_EQ(pipeline_rank(job, 1, 0), 1);
  EXPECT_EQ(pipeline_rank(job, 1, 1), 5);
}

TEST(Pipeline, GroupsUseTheirPartOfTheFabric) {
  const hardware::Gpu& gpu = *hardware::find_gpu("h100_sxm");
  const auto fabric = hardware::parse_fabric("2x4:ib400x4", 8, &gpu).value_or(hardware::Fabric{});
  const auto nvlink = hardware::parse_fabric("nvlink", 2, &gpu).value_or(hardware::Fabric{});
  constexpr int64_t kBytes = 64 << 20;
  using hardware::Collective;
  EXPECT_EQ(group_transfer_ns(Collective::send_recv, kBytes, std::vector<int32_t>{1, 2}, fabric, gpu),
            hardware::transfer_ns(Collective::send_recv, kBytes, nvlink, gpu));
  // Four pairs over four NICs: one each, 48 GB/s; over one NIC a quarter of it.
  const std::vector<int32_t> across = {0, 4};
  const TimeNs own_ns = group_transfer_ns(Collective::send_recv, kBytes, across, fabric, gpu);
  EXPECT_NEAR(static_cast<double>(own_ns), static_cast<double>(kBytes) / 48, 0.1 * static_cast<double>(own_ns));
  const auto one_nic = hardware::parse_fabric("2x4:ib400x1", 8, &gpu).value_or(hardware::Fabric{});
  const TimeNs shared_ns = group_transfer_ns(Collective::send_recv, kBytes, across, one_nic, gpu);
  EXPECT_NEAR(static_cast<double>(shared_ns) / static_cast<double>(own_ns), 4, 0.2);
}

TEST(Pipeline, BadShapesAreRefused) {
  const auto refused = [](const Job& job) { return !check_job(job).has_value(); };
  EXPECT_FALSE(refused(pipeline_job({4, 1, 8}, 8)));
  EXPECT_TRUE(refused(pipeline_job({3, 1, 8}, 8)));   // 8 is not 3 stages
  EXPECT_TRUE(refused(pipeline_job({4, 2, 6}, 8)));   // 6 microbatches do not come in fours
  EXPECT_TRUE(refused(pipeline_job({4, 20, 8}, 8)));  // more chunks than there may be
  EXPECT_TRUE(refused(pipeline_job({8, 4, 8}, 8)));   // more parts than blocks
  Job tied = pipeline_job({4, 1, 8}, 8);
  tied.model = find_model("gpt_1b5");
  EXPECT_TRUE(refused(tied));
}

TEST(Pipeline, PredictionIsNearTheSimulation) {
  const Job job = pipeline_job({4, 1, 8}, 8);
  const auto outlook = predict(job);
  ASSERT_TRUE(outlook.has_value());
  const double step_ns = static_cast<double>(run(job, 1).mean_step_ns);
  EXPECT_NEAR(static_cast<double>(outlook->step_ns) / step_ns, 1.0, 0.02);
  EXPECT_LT(outlook->exposed_frac, 0.03);
  EXPECT_LT(outlook->mfu, 0.65);
}

}  // namespace
}  // namespace td::sim
