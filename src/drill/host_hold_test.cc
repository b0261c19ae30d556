#include "drill/host_hold.h"

#include <gtest/gtest.h>

namespace td::drill {
namespace {

using trace::SliceKind;

// Device work at 0-100 and 300-500; the host waits for a batch at 80-280 and, for a moment, at 350-360.
trace::RankTrace example() {
  trace::RankTraceBuilder builder;
  const auto host = builder.add_track({.kind = trace::TrackKind::host_thread});
  const auto stream = builder.add_track({.kind = trace::TrackKind::stream});
  builder.add_slice(stream, SliceKind::compute, builder.intern("gemm"), 0, 100);
  builder.add_slice(stream, SliceKind::compute, builder.intern("gemm"), 300, 200);
  builder.add_slice(host, SliceKind::loader, builder.intern("__next__"), 80, 200);
  builder.add_slice(host, SliceKind::loader, builder.intern("__next__"), 350, 10);
  return builder.finish_at(0);
}

TEST(HostHold, IsTheIdleUnderTheCallsThatAreMeant) {
  const HostHold hold = hold_of(example(), {0, 500}, waits_for_batch);
  EXPECT_EQ(hold.thread, 0U);
  EXPECT_EQ(hold.call, (Interval{80, 280}));
  EXPECT_EQ(hold.idle, (Interval{100, 300}));
  EXPECT_EQ(hold.call_ns, 210);
  EXPECT_EQ(hold.idle_ns, 180);  // 100 to 280; the second call has work under it
}

TEST(HostHold, IsClippedToTheStep) {
  const HostHold hold = hold_of(example(), {150, 250}, waits_for_batch);
  EXPECT_EQ(hold.call, (Interval{150, 250}));
  EXPECT_EQ(hold.idle_ns, 100);
  const HostHold later = hold_of(example(), {400, 500}, waits_for_batch);
  EXPECT_EQ(later.call_ns, 0);
  EXPECT_EQ(later.idle_ns, 0);
}

}  // namespace
}  // namespace td::drill
