#include "analysis/gaps.h"

#include <gtest/gtest.h>

#include <map>

#include "analysis/testing/tiny_trace.h"

namespace td::analysis {
namespace {

using testing::TinyRank;
using testing::us;
using trace::SliceKind;

// Time by owner over all gaps of a rank, in microseconds.
std::map<GapOwner, int64_t> owners_of(const trace::RankTrace& rank) {
  const RankTimeline timeline(rank);
  const HostActivity host(rank);
  std::map<GapOwner, int64_t> out;
  for (const DeviceGap& gap : timeline.gaps) {
    TimeNs covered_ns = 0;
    for (const GapPart& part : split_gap(timeline, host, gap, gap.at)) {
      out[part.owner] += part.at.length_ns() / kNsPerUs;
      covered_ns += part.at.length_ns();
    }
    EXPECT_EQ(covered_ns, gap.at.length_ns()) << "the parts cover the gap";
  }
  return out;
}

using Owners = std::map<GapOwner, int64_t>;

// The launch call of the kernel that ends the gap stands at 90; it starts 6 us later.
TinyRank with_gap() {
  TinyRank rank;
  rank.kernel("a", 0, 6, 20).kernel("b", 90, 96, 110);
  return rank;
}

TEST(GapOwners, LoaderWaitOwnsTheTimeThatItTakes) {
  TinyRank rank = with_gap();
  rank.host(SliceKind::loader, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 25, 80);
  // 20-25 and 80-90 nothing is recorded: Python between calls.
  EXPECT_EQ(owners_of(rank.build()),
            (Owners{{GapOwner::data_loading, 55}, {GapOwner::host_dispatch, 5 + 10}, {GapOwner::launch_latency, 6}}));
}

TEST(GapOwners, WhatTheLoaderCallsBelongsToIt) {
  TinyRank rank = with_gap();
  rank.host(SliceKind::loader, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 20, 90);
  rank.host(SliceKind::host_op, "aten::stack", 30, 60).host(SliceKind::runtime, "cudaHostAlloc", 60, 80);
  EXPECT_EQ(owners_of(rank.build()), (Owners{{GapOwner::data_loading, 70}, {GapOwner::launch_latency, 6}}));
}

TEST(GapOwners, SyncThatDrainsTheQueueOwnsTheRefillToo) {
  TinyRank rank = with_gap();
  rank.host(SliceKind::runtime, "cudaStreamSynchronize", 10, 24).host(SliceKind::host_op, "aten::mul", 40, 90);
  EXPECT_EQ(owners_of(rank.build()), (Owners{{GapOwner::sync, 70}, {GapOwner::launch_latency, 6}}));
}

TEST(GapOwners, HarmlessSyncOwnsNothing) {
  TinyRank rank;
  rank.kernel("a", 0, 6, 50).kernel("b", 2, 51, 100);
  rank.host(SliceKind::runtime, "cudaStreamSynchronize", 10, 99);
  EXPECT_EQ(owners_of(rank.build()), (Owners{{GapOwner::queue_gap, 1}}));
}

TEST(GapOwners, AllocatorCallsOwnTheirTime) {
  TinyRank rank = with_gap();
  rank.host(SliceKind::runtime, "cudaFree", 15, 50).host(SliceKind::runtime, "cudaMalloc", 50, 85);
  EXPECT_EQ(owners_of(rank.build()),
            (Owners{{GapOwner::allocator, 65}, {GapOwner::host_dispatch, 5}, {GapOwner::launch_latency, 6}}));
}

TEST(GapOwners, PoolAllocationIsOrdinaryDispatch) {
  EXPECT_EQ(class_of_host(SliceKind::runtime, "cudaMallocAsync"), HostClass::dispatch);
  EXPECT_EQ(class_of_host(SliceKind::runtime, "hipMalloc"), HostClass::allocator);
}

TEST(GapOwners, CompileFramesOwnWhatRunsUnderThem) {
  TinyRank rank = with_gap();
  rank.host(SliceKind::python, "torch/_dynamo/convert_frame.py(1100): __call__", 20, 88);
  rank.host(SliceKind::host_op, "aten::empty", 30, 40);
  EXPECT_EQ(owners_of(rank.build()),
            (Owners{{GapOwner::compile, 68}, {GapOwner::host_dispatch, 2}, {GapOwner::launch_latency, 6}}));
}

TEST(GapOwners, GarbageCollectionIsNamed) {
  TinyRank rank = with_gap();
  rank.host(SliceKind::python, "<built-in function collect>", 20, 90);
  EXPECT_EQ(owners_of(rank.build()), (Owners{{GapOwner::gc, 70}, {GapOwner::launch_latency, 6}}));
}

TEST(GapOwners, LongSilenceIsOtherHostWork) {
  TinyRank rank;
  rank.kernel("a", 0, 6, 20).kernel("b", 1000, 1006, 1010);
  EXPECT_EQ(owners_of(rank.build()), (Owners{{GapOwner::host_other, 980}, {GapOwner::launch_latency, 6}}));
}

TEST(GapOwners, OneLongCpuOpIsNoDispatch) {
  TinyRank rank;
  rank.kernel("a", 0, 6, 20).kernel("b", 2000, 2006, 2010);
  rank.host(SliceKind::host_op, "aten::upsample_bilinear2d", 20, 2000);
  EXPECT_EQ(owners_of(rank.build()), (Owners{{GapOwner::host_other, 1980}, {GapOwner::launch_latency, 6}}));
}

TEST(GapOwners, LaunchedLongBeforeTheGapMeansWaitingOnTheDevice) {
  TinyRank rank;
  rank.kernel("a", 0, 100, 200).kernel("b", 2, 260, 300);
  EXPECT_EQ(owners_of(rank.build()), (Owners{{GapOwner::device_wait, 60}}));
}

TEST(GapOwners, QueueGapsAreShort) {
  TinyRank rank;
  rank.kernel("a", 0, 100, 200).kernel("b", 2, 203, 300).kernel("c", 4, 304, 400);
  EXPECT_EQ(owners_of(rank.build()), (Owners{{GapOwner::queue_gap, 3}, {GapOwner::device_wait, 4}}));
}

TEST(GapOwners, StartLongAfterItsLaunchSplitsIntoLatencyAndWait) {
  // Both kernels of the trace start 10 us or more after their launches, so 20 us count as latency.
  TinyRank rank;
  rank.kernel("a", 0, 10, 20).kernel("b", 30, 100, 110);
  EXPECT_EQ(owners_of(rank.build()),
            (Owners{{GapOwner::host_dispatch, 10}, {GapOwner::launch_latency, 20}, {GapOwner::device_wait, 50}}));
}

TEST(GapOwners, BlockingCopyThatEndsTheGapIsASync) {
  TinyRank rank;
  rank.kernel("a", 0, 5, 10).copy("Memcpy DtoH (Device -> Pageable)", 10, 90, 95, 99);
  // 10 us of launch latency (twice the 5 us that kernels take here), then the call still blocks.
  EXPECT_EQ(owners_of(rank.build()), (Owners{{GapOwner::launch_latency, 10}, {GapOwner::sync, 75}}));
}

TEST(GapOwners, ACopyToTheDeviceFromPageableMemoryIsItsOwnOwner) {
  TinyRank rank;
  rank.kernel("a", 0, 5, 10).copy("Memcpy HtoD (Pageable -> Device)", 10, 90, 95, 99);
  EXPECT_EQ(owners_of(rank.build()), (Owners{{GapOwner::launch_latency, 10}, {GapOwner::pageable_copy, 75}}));
}

TEST(GapOwners, ADebuggersHookOwnsItsTime) {
  TinyRank rank = with_gap();
  rank.host(SliceKind::python, "pydevd.py(1523): trace_dispatch", 20, 90);
  EXPECT_EQ(owners_of(rank.build()), (Owners{{GapOwner::python_hook, 70}, {GapOwner::launch_latency, 6}}));
}

TEST(GapOwners, WithoutALaunchNobodyIsBlamed) {
  TinyRank rank;
  rank.orphan("a", 0, 10).orphan("b", 12, 20).orphan("c", 50, 60);
  EXPECT_EQ(owners_of(rank.build()), (Owners{{GapOwner::queue_gap, 2}, {GapOwner::host_other, 30}}));
}

TEST(GapOwners, SilentLaunchingThreadLeavesItToTheMainOne) {
  TinyRank rank;
  const trace::TrackId autograd = rank.another_thread(101);
  rank.kernel("a", 0, 6, 20).kernel("a2", 1, 20, 30);
  rank.kernel_from(autograd, "b", 90, 96, 110);
  rank.host(SliceKind::loader, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 30, 90);
  EXPECT_EQ(owners_of(rank.build()), (Owners{{GapOwner::data_loading, 60}, {GapOwner::launch_latency, 6}}));
}

TEST(Rhythm, ByHand) {
  EXPECT_EQ(rhythm_of({100}, {1}), std::nullopt);
  EXPECT_EQ(rhythm_of({100, 90, 110, 95}, {1, 1, 1, 1}), Rhythm::each_step);
  EXPECT_EQ(rhythm_of({0, 0, 100, 0, 0, 100, 0, 0, 100}, {1, 1, 1, 1, 1, 1, 1, 1, 1}), Rhythm::every_kth);
  EXPECT_EQ(rhythm_of({0, 100, 0, 0, 100, 0}, {1, 2, 1, 1, 3, 1}), Rhythm::by_shape);
  EXPECT_EQ(rhythm_of({0, 100, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1}), Rhythm::irregular);
  // Regular so far, but the window has room for a beat that did not come.
  EXPECT_EQ(rhythm_of({0, 100, 0, 100, 0, 0, 0}, {1, 1, 1, 1, 1, 1, 1}), Rhythm::irregular);
}

TEST(Rhythm, ShapesAreEqualForEqualKernelsAndGrids) {
  TinyRank rank;
  rank.step(0, 0, 100).kernel("a", 10, 20, 90);
  rank.step(1, 100, 200).kernel("a", 110, 120, 140, 8).kernel("b", 111, 140, 190, 4);
  rank.step(2, 200, 300).kernel("b", 210, 220, 240, 4).kernel("a", 211, 240, 290, 8);
  rank.step(3, 300, 400).kernel("a", 310, 320, 340, 16).kernel("b", 311, 340, 390, 4);
  const trace::RankTrace trace = rank.build();
  const RankTimeline timeline(trace);
  const std::vector<uint64_t> shapes = step_shapes(timeline, find_steps(timeline, HostActivity(trace)));
  ASSERT_EQ(shapes.size(), 3u);
  EXPECT_EQ(shapes[0], shapes[1]);
  EXPECT_NE(shapes[1], shapes[2]);
}

}  // namespace
}  // namespace td::analysis
