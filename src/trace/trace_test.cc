#include "trace/trace.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace td::trace {
namespace {

Track host(int64_t tid) { return {.kind = TrackKind::host_thread, .pid = 1, .tid = tid}; }
Track stream(int64_t id) { return {.kind = TrackKind::stream, .tid = id, .device = 0}; }

TEST(RankTraceBuilder, SortsByTrackThenStartThenLongerFirst) {
  RankTraceBuilder builder;
  const TrackId second = builder.add_track(host(1));
  const TrackId first = builder.add_track(host(2));
  const StringId name = builder.intern("op");
  builder.add_slice(first, SliceKind::host_op, name, 130, 10);
  builder.add_slice(second, SliceKind::host_op, name, 110, 5);
  builder.add_slice(second, SliceKind::host_op, name, 110, 50);
  builder.add_slice(second, SliceKind::host_op, name, 100, 1);
  const RankTrace t = builder.finish();
  EXPECT_EQ(t.start_ns, (std::vector<TimeNs>{0, 10, 10, 30}));
  EXPECT_EQ(t.dur_ns, (std::vector<TimeNs>{1, 50, 5, 10}));
  EXPECT_EQ(t.tracks[0].begin, 0u);
  EXPECT_EQ(t.tracks[0].end, 3u);
  EXPECT_EQ(t.tracks[1].begin, 3u);
  EXPECT_EQ(t.tracks[1].end, 4u);
  EXPECT_EQ(t.file_origin_ns, 100);
  EXPECT_EQ(t.end_ns(3), 40);
}

TEST(RankTraceBuilder, RenumbersSideTablesAndFlows) {
  RankTraceBuilder builder;
  const TrackId track = builder.add_track(stream(7));
  const StringId name = builder.intern("k");
  const SliceId late = builder.add_slice(track, SliceKind::compute, name, 50, 1);
  const SliceId early = builder.add_slice(track, SliceKind::copy, name, 20, 1);
  builder.add(KernelArgs{.slice = late, .grid = {4, 1, 1}});
  builder.add(CopyArgs{.slice = early, .kind = CopyKind::h2d, .size_bytes = 8});
  builder.add(Flow{.from = early, .to = late});
  const RankTrace t = builder.finish();
  ASSERT_NE(t.kernel_args(1), nullptr);
  EXPECT_EQ(t.kernel_args(1)->grid[0], 4u);
  EXPECT_EQ(t.kernel_args(0), nullptr);
  ASSERT_NE(t.copy_args(0), nullptr);
  EXPECT_EQ(t.copy_args(0)->size_bytes, 8);
  EXPECT_EQ(t.op_args(0), nullptr);
  EXPECT_EQ(t.collective_args(1), nullptr);
  EXPECT_EQ(t.flows[0].from, 0u);
  EXPECT_EQ(t.flows[0].to, 1u);
}

TEST(RankTraceBuilder, KeepsTracksWithoutSlicesAndTheChosenZero) {
  RankTraceBuilder builder;
  builder.add_track(stream(7));
  const TrackId track = builder.add_track(stream(9));
  builder.add_track(stream(11));
  builder.add_slice(track, SliceKind::compute, builder.intern("k"), 150, 1);
  builder.add(CounterSample{.track = track, .at_ns = 160, .value_millionths = 5});
  const RankTrace t = builder.finish_at(100);
  ASSERT_EQ(t.tracks.size(), 3u);
  EXPECT_EQ(t.tracks[0].begin, t.tracks[0].end);
  EXPECT_EQ(t.tracks[2].begin, t.tracks[2].end);
  EXPECT_EQ(t.start_ns[0], 50);
  EXPECT_EQ(t.counters[0].at_ns, 60);
  EXPECT_EQ(t.file_origin_ns, 100);
}

TEST(RankTraceBuilder, AnEmptyTraceIsFinishedToo) {
  RankTraceBuilder builder;
  const RankTrace t = builder.finish();
  EXPECT_EQ(t.slice_count(), 0u);
  EXPECT_EQ(t.file_origin_ns, 0);
}

RankTrace rank_at(int32_t rank, TimeNs base_ns, TimeNs origin_ns) {
  RankTrace t;
  t.rank = rank;
  t.base_time_ns = base_ns;
  t.file_origin_ns = origin_ns;
  return t;
}

std::vector<RankTrace> list_of(RankTrace a, RankTrace b, RankTrace c) {
  std::vector<RankTrace> ranks;
  ranks.push_back(std::move(a));
  ranks.push_back(std::move(b));
  ranks.push_back(std::move(c));
  return ranks;
}

TEST(Assemble, SortsByRankAndAlignsClocks) {
  const Trace trace = assemble(list_of(rank_at(2, 1000, 5), rank_at(0, 1000, 25), rank_at(1, 990, 40)));
  ASSERT_EQ(trace.ranks.size(), 3u);
  EXPECT_EQ(trace.ranks[0].rank, 0);
  EXPECT_EQ(trace.ranks[0].clock_offset_ns, 20);  // 1025 - 1005
  EXPECT_EQ(trace.ranks[1].clock_offset_ns, 25);  // 1030 - 1005
  EXPECT_EQ(trace.ranks[2].clock_offset_ns, 0);
}

TEST(Assemble, RanksWithoutANumberGetTheLowestFreeOnes) {
  const Trace trace = assemble(list_of(rank_at(-1, 0, 7), rank_at(1, 0, 8), rank_at(-1, 0, 9)));
  EXPECT_EQ(trace.ranks[0].file_origin_ns, 7);
  EXPECT_EQ(trace.ranks[1].file_origin_ns, 8);
  EXPECT_EQ(trace.ranks[2].rank, 2);
  EXPECT_EQ(trace.ranks[2].file_origin_ns, 9);
}

// A search of all numbers for each rank would take minutes here.
TEST(Assemble, NumbersManyRanks) {
  std::vector<RankTrace> ranks;
  for (int i = 0; i < 100'000; ++i) ranks.push_back(rank_at(i % 2 == 0 ? -1 : i, 0, i));
  const Trace trace = assemble(std::move(ranks));
  EXPECT_EQ(trace.ranks.front().rank, 0);
  EXPECT_EQ(trace.ranks.back().rank, 99'999);
  for (size_t i = 1; i < trace.ranks.size(); ++i) ASSERT_EQ(trace.ranks[i].rank, trace.ranks[i - 1].rank + 1);
}

TEST(LaunchIndex, JoinsLaunchesAndWorkByCorrelation) {
  RankTraceBuilder builder;
  const TrackId thread = builder.add_track(host(1));
  const TrackId gpu = builder.add_track(stream(7));
  const StringId name = builder.intern("x");
  builder.add_slice(thread, SliceKind::runtime, name, 0, 5, 11);   // slice 0: one kernel
  builder.add_slice(thread, SliceKind::host_op, name, 6, 1, 12);   // slice 1: an op's own number is not a launch
  builder.add_slice(thread, SliceKind::runtime, name, 10, 5, 13);  // slice 2: a graph of two kernels
  builder.add_slice(gpu, SliceKind::compute, name, 20, 5, 11);     // slice 3
  builder.add_slice(gpu, SliceKind::compute, name, 40, 5, 13);     // slice 4
  builder.add_slice(gpu, SliceKind::comm, name, 50, 5, 13);        // slice 5
  builder.add_slice(gpu, SliceKind::compute, name, 60, 5, 12);     // slice 6: its launch was not recorded
  builder.add_slice(gpu, SliceKind::compute, name, 70, 5);         // slice 7: no correlation
  const RankTrace t = builder.finish();
  const LaunchIndex index(t);
  EXPECT_EQ(index.launch_of(3), 0u);
  EXPECT_EQ(index.launch_of(4), 2u);
  EXPECT_EQ(index.launch_of(5), 2u);
  EXPECT_EQ(index.launch_of(6), kNoSlice);
  EXPECT_EQ(index.launch_of(7), kNoSlice);
  EXPECT_EQ(index.gpu_slices_of(13), (std::vector<SliceId>{4, 5}));
  EXPECT_TRUE(index.gpu_slices_of(99).empty());
}

TEST(SizeBytes, IsTheWholeBuffer) {
  // all_gather over 8 ranks: the shard goes in, the whole comes out.
  CollectiveArgs args{.dtype = DType::bfloat16, .in_count = 1024, .out_count = 8192};
  EXPECT_EQ(size_bytes(args), 16'384);
  args.dtype = DType::unknown;
  EXPECT_EQ(size_bytes(args), -1);
  EXPECT_EQ(size_bytes(CollectiveArgs{.dtype = DType::float32}), -1);
  EXPECT_EQ(size_bytes(CollectiveArgs{.dtype = DType::float64, .in_count = std::numeric_limits<int64_t>::max()}), -1);
}

TEST(SliceKinds, AreHostOrGpuOrNeither) {
  for (int i = 0; i <= static_cast<int>(SliceKind::other); ++i) {
    const auto kind = static_cast<SliceKind>(i);
    EXPECT_FALSE(is_gpu_work(kind) && is_host(kind)) << to_string(kind);
  }
  EXPECT_TRUE(is_gpu_work(SliceKind::memset));
  EXPECT_FALSE(is_gpu_work(SliceKind::gpu_annotation));
  EXPECT_TRUE(is_host(SliceKind::loader));
  EXPECT_EQ(to_string(SliceKind::comm), "comm");
  EXPECT_EQ(to_string(TrackKind::loader_worker), "loader_worker");
}

}  // namespace
}  // namespace td::trace
