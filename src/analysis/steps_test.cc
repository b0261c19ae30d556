#include "analysis/steps.h"

#include <gtest/gtest.h>

#include "analysis/testing/tiny_trace.h"

namespace td::analysis {
namespace {

using testing::TinyRank;
using testing::us;
using trace::SliceKind;

RankSteps steps_of(const trace::RankTrace& rank) {
  const RankTimeline timeline(rank);
  return find_steps(timeline, HostActivity(rank));
}

// Host marks run ahead: step 2's kernels run while the host is in step 3. The device step follows the kernels.
//   host    |--1--|--2--|--3--|
//   device     [ 1 ]  [  2  ]   [ 3 ]
TEST(Steps, DeviceStepRunsBetweenTheLastKernelsOfTwoHostSteps) {
  TinyRank rank;
  rank.step(1, 0, 100).step(2, 100, 200).step(3, 200, 300);
  rank.kernel("a", 10, 50, 120).kernel("a", 110, 150, 260).kernel("a", 210, 300, 340);
  const RankSteps steps = steps_of(rank.build());
  EXPECT_EQ(steps.source, StepSource::profiler_step);
  ASSERT_EQ(steps.items.size(), 3u);
  EXPECT_TRUE(steps.items[0].partial);
  EXPECT_EQ(steps.items[1].window, (Interval{us(120), us(260)}));
  EXPECT_EQ(steps.items[2].window, (Interval{us(260), us(340)}));
  EXPECT_EQ(steps.steady, (std::vector<size_t>{1, 2}));
}

TEST(Steps, FirstStepIsCompleteWhenEarlierWorkStillRuns) {
  TinyRank rank;
  rank.step(1, 100, 200).step(2, 200, 300);
  rank.orphan("a", 50, 130);  // launched before the window
  rank.kernel("a", 110, 150, 220).kernel("a", 210, 230, 300);
  const RankSteps steps = steps_of(rank.build());
  EXPECT_FALSE(steps.items[0].partial);
  EXPECT_EQ(steps.items[0].window, (Interval{us(130), us(220)}));
}

TEST(Steps, LastStepIsCutWhenItsLastLaunchesHaveNoKernels) {
  TinyRank rank;
  rank.step(1, 0, 100).step(2, 100, 200).step(3, 200, 300);
  rank.kernel("a", 10, 20, 90).kernel("a", 110, 120, 190).kernel("a", 210, 220, 290).lost_launch(250);
  const RankSteps steps = steps_of(rank.build());
  EXPECT_TRUE(steps.items[2].partial);
  EXPECT_EQ(steps.steady, (std::vector<size_t>{1}));
}

TEST(Steps, CollectivesDoNotEndAStep) {
  TinyRank rank(0, 2);
  rank.step(1, 0, 100).step(2, 100, 200);
  rank.kernel("a", 10, 20, 90).all_reduce(12, 60, 140).kernel("a", 110, 140, 190).all_reduce(112, 190, 230);
  const RankSteps steps = steps_of(rank.build());
  EXPECT_EQ(steps.items[1].window, (Interval{us(90), us(190)}));
}

TEST(Steps, OneMarkFallsBackToTheWholeTrace) {
  TinyRank rank;
  rank.step(1, 0, 100).kernel("a", 10, 20, 90);
  const RankSteps steps = steps_of(rank.build());
  EXPECT_EQ(steps.source, StepSource::whole_trace);
  EXPECT_TRUE(steps.fell_back);
  ASSERT_EQ(steps.items.size(), 1u);
  EXPECT_EQ(steps.items[0].window, (Interval{us(20), us(90)}));
}

TEST(Steps, RepeatedAnnotationsAreSteps) {
  TinyRank rank;
  for (int64_t k = 0; k < 3; ++k) {
    const int64_t at = k * 100;
    rank.host(SliceKind::annotation, "step[DECODE bs=" + std::to_string(k) + "]", at, at + 90);
    rank.kernel("a", at + 10, at + 20, at + 60);
  }
  const RankSteps steps = steps_of(rank.build());
  EXPECT_EQ(steps.source, StepSource::annotation);
  EXPECT_EQ(steps.steady.size(), 2u);
  EXPECT_EQ(steps.items[1].window, (Interval{us(60), us(160)}));
}

TEST(Steps, AnnotationsThatCoverFewLaunchesAreNoSteps) {
  TinyRank rank;
  rank.host(SliceKind::annotation, "log 1", 0, 5).host(SliceKind::annotation, "log 2", 50, 55);
  for (int64_t k = 0; k < 4; ++k) rank.kernel("a", 10 + k, 20 + 10 * k, 25 + 10 * k);
  EXPECT_EQ(steps_of(rank.build()).source, StepSource::whole_trace);
}

TEST(Steps, KernelSequenceThatRepeatsIsAMotif) {
  TinyRank rank;
  for (int64_t k = 0; k < 4; ++k) {
    const int64_t at = k * 100;
    rank.kernel("embed", at, at + 10, at + 20)
        .kernel("mm", at + 2, at + 30, at + 50)
        .kernel("norm", at + 4, at + 50, at + 60);
  }
  const RankSteps steps = steps_of(rank.build());
  EXPECT_EQ(steps.source, StepSource::motif);
  ASSERT_EQ(steps.items.size(), 4u);
  EXPECT_TRUE(steps.items[0].partial);
  EXPECT_EQ(steps.items[1].window, (Interval{us(60), us(160)}));
}

TEST(Steps, LeadingStepWithAllocationIsWarmup) {
  TinyRank rank;
  rank.step(0, 0, 10).kernel("a", 1, 5, 10);
  rank.step(1, 10, 400).host(SliceKind::runtime, "cudaMalloc", 20, 320).kernel("a", 330, 340, 390);
  for (int64_t k = 0; k < 3; ++k)
    rank.step(2 + k, 400 + 100 * k, 500 + 100 * k).kernel("a", 410 + 100 * k, 420 + 100 * k, 490 + 100 * k);
  const RankSteps steps = steps_of(rank.build());
  ASSERT_EQ(steps.items.size(), 5u);
  EXPECT_TRUE(steps.items[1].warmup);
  EXPECT_EQ(steps.steady, (std::vector<size_t>{2, 3, 4}));
}

TEST(Steps, LaterLongStepIsAnOutlierAndStays) {
  TinyRank rank;
  int64_t at = 0;
  for (const int64_t length : {100, 100, 100, 250, 100}) {
    rank.step(at, at, at + length).kernel("a", at + 10, at + 20, at + length - 10);
    at += length;
  }
  const RankSteps steps = steps_of(rank.build());
  EXPECT_EQ(steps.steady.size(), 4u);
  EXPECT_TRUE(steps.items[3].outlier);
  EXPECT_FALSE(steps.items[2].outlier);
}

TEST(Steps, WithoutGpuWorkThereIsNoStep) {
  TinyRank rank;
  rank.step(1, 0, 100);
  EXPECT_TRUE(steps_of(rank.build()).items.empty());
}

TEST(Steps, SteadyAtLooksUpHalfOpenWindows) {
  RankSteps steps;
  steps.items = {{"a", {0, 10}}, {"b", {10, 20}}};
  steps.steady = {0, 1};
  EXPECT_EQ(steps.steady_at(0), RankSteps::kNone);
  EXPECT_EQ(steps.steady_at(10), 0u);
  EXPECT_EQ(steps.steady_at(11), 1u);
  EXPECT_EQ(steps.steady_at(21), RankSteps::kNone);
}

}  // namespace
}  // namespace td::analysis
