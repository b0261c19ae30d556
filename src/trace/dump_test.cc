#include "trace/dump.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace td::trace {
namespace {

// The same trace built in one of two orders of tracks, strings and slices.
RankTrace build(bool reversed) {
  RankTraceBuilder builder;
  RankTrace& header = builder.header();
  header.rank = 3;
  header.world_size = 8;
  header.device_name = "NVIDIA H100 80GB HBM3";
  header.groups.push_back({.name = "0", .description = "default_pg", .ranks = {0, 3}});
  header.problems.push_back({.id = "truncated", .text = "ends in event 9", .count = 1});
  header.file = reversed ? "a.json" : "b.json";
  if (reversed) builder.intern("never used");
  const Track thread{.kind = TrackKind::host_thread, .pid = 10, .tid = 11, .name = builder.intern("main")};
  const Track stream{.kind = TrackKind::stream, .tid = 7, .device = 0};
  const TrackId b = builder.add_track(reversed ? stream : thread);
  const TrackId a = builder.add_track(reversed ? thread : stream);
  const TrackId host = reversed ? a : b;
  const TrackId gpu = reversed ? b : a;
  SliceId launch = 0;
  SliceId kernel = 0;
  const auto add_launch = [&] {
    launch = builder.add_slice(host, SliceKind::runtime, builder.intern("cudaLaunchKernel"), 100, 5, 42);
  };
  const auto add_kernel = [&] {
    kernel = builder.add_slice(gpu, SliceKind::comm, builder.intern("nccl\"x\""), 120, 30, 42);
  };
  if (reversed) {
    add_kernel();
    add_launch();
  } else {
    add_launch();
    add_kernel();
  }
  builder.add(KernelArgs{.slice = kernel, .grid = {8, 1, 1}, .block = {512, 1, 1}, .registers_per_thread = 96});
  builder.add(CollectiveArgs{.slice = kernel,
                             .kind = CollectiveKind::all_reduce,
                             .dtype = DType::bfloat16,
                             .in_count = 100,
                             .out_count = 100,
                             .group = builder.intern("0")});
  builder.add(OpArgs{.slice = launch, .external_id = 5, .shapes = builder.intern("[[2,2]]")});
  builder.add(CounterSample{.track = host, .at_ns = 130, .value_millionths = 1'500'000});
  builder.add(Flow{.from = launch, .to = kernel});
  return builder.finish();
}

constexpr const char* kExpected =
    R"(rank rank=3 world_size=8 device="NVIDIA H100 80GB HBM3" file_origin_ns=100
group "0" description="default_pg" ranks="0,3"
problem "truncated" count=1 text="ends in event 9"
track host_thread pid=10 tid=11 name="main"
  0 +5 runtime "cudaLaunchKernel" correlation=42 external_id=5 shapes="[[2,2]]"
  30 counter millionths=1500000
track stream pid=0 tid=7 device=0
  20 +30 comm "nccl\"x\"" correlation=42 grid=8x1x1 block=512x1x1 registers=96 collective=all_reduce dtype=bfloat16 in=100 out=100 group="0"
flow 10/11 0 "cudaLaunchKernel" -> 0/7 20 "nccl\"x\""
)";

TEST(Dump, PrintsTracksSlicesArgsAndFlows) { EXPECT_EQ(dump(build(false)), kExpected); }

TEST(Dump, IsTheSameForEqualTracesBuiltInAnotherOrder) { EXPECT_EQ(dump(build(true)), kExpected); }

TEST(HashOf, ChangesWithAnyColumn) {
  const auto hash = [](auto change) {
    std::vector<RankTrace> ranks;
    ranks.push_back(build(false));
    change(ranks[0]);
    return hash_of(Trace{std::move(ranks)});
  };
  const uint64_t plain = hash([](RankTrace&) {});
  EXPECT_EQ(plain, hash([](RankTrace& t) { t.file = "elsewhere.json"; }));
  EXPECT_NE(plain, hash([](RankTrace& t) { t.dur_ns[1] += 1; }));
  EXPECT_NE(plain, hash([](RankTrace& t) { t.start_ns[0] += 1; }));
  EXPECT_NE(plain, hash([](RankTrace& t) { t.kind[1] = SliceKind::compute; }));
  EXPECT_NE(plain, hash([](RankTrace& t) { t.correlation[0] = 43; }));
  EXPECT_NE(plain, hash([](RankTrace& t) { t.collectives[0].in_count = 99; }));
  EXPECT_NE(plain, hash([](RankTrace& t) { t.clock_offset_ns = 1; }));
  EXPECT_EQ(hash_of(Trace{}), 0xcbf29ce484222325ULL);  // FNV-1a of nothing
}

}  // namespace
}  // namespace td::trace
