#include "drill/allocator_gaps.h"

#include <gtest/gtest.h>

namespace td::drill {
namespace {

using trace::SliceKind;

// Compute at 0-1 ms and 5-9 ms, a collective at 2-4 ms; two cudaFree at 0.5-3 and 3-4 ms, a cudaMalloc at 4-4.5 ms,
// and one alone at 7 ms, under compute.
trace::RankTrace example() {
  trace::RankTraceBuilder builder;
  const auto host = builder.add_track({.kind = trace::TrackKind::host_thread});
  const auto stream = builder.add_track({.kind = trace::TrackKind::stream});
  const auto comm = builder.add_track({.kind = trace::TrackKind::stream});
  builder.add_slice(stream, SliceKind::compute, builder.intern("gemm"), 0, kNsPerMs);
  builder.add_slice(stream, SliceKind::compute, builder.intern("gemm"), 5 * kNsPerMs, 4 * kNsPerMs);
  builder.add_slice(comm, SliceKind::comm, builder.intern("ncclDevKernel_AllReduce"), 2 * kNsPerMs, 2 * kNsPerMs);
  builder.add_slice(host, SliceKind::runtime, builder.intern("cudaFree"), kNsPerMs / 2, 5 * kNsPerMs / 2);
  builder.add_slice(host, SliceKind::runtime, builder.intern("cudaFree"), 3 * kNsPerMs, kNsPerMs);
  builder.add_slice(host, SliceKind::runtime, builder.intern("cudaMalloc"), 4 * kNsPerMs, kNsPerMs / 2);
  builder.add_slice(host, SliceKind::runtime, builder.intern("cudaMalloc"), 7 * kNsPerMs, kNsPerMs / 2);
  return builder.finish_at(0);
}

TEST(AllocatorGaps, AreTheCallsThatTheDeviceWaitsFor) {
  const std::vector<AllocatorGap> gaps = allocator_gaps(example(), {0, 9 * kNsPerMs});
  ASSERT_EQ(gaps.size(), 1U);
  EXPECT_EQ(gaps[0].frees, 2);
  EXPECT_EQ(gaps[0].mallocs, 1);
  EXPECT_EQ(gaps[0].calls, (Interval{kNsPerMs / 2, 9 * kNsPerMs / 2}));
  EXPECT_EQ(gaps[0].dry, (Interval{kNsPerMs, 5 * kNsPerMs}));
  EXPECT_EQ(gaps[0].dry_ns, 7 * kNsPerMs / 2);
}

TEST(AllocatorGaps, BelongToTheStepThatTheyHoldUp) {
  EXPECT_TRUE(allocator_gaps(example(), {5 * kNsPerMs, 9 * kNsPerMs}).empty());
  const std::vector<AllocatorGap> part = allocator_gaps(example(), {2 * kNsPerMs, 9 * kNsPerMs});
  ASSERT_EQ(part.size(), 1U);
  EXPECT_EQ(part[0].dry_ns, 5 * kNsPerMs / 2);
}

}  // namespace
}  // namespace td::drill
