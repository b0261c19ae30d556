#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/intervals.h"
#include "sim/simulate.h"
#include "trace/check_trace.h"

namespace td::sim {
namespace {

Job small_job() {
  Job job;
  job.gpu = hardware::find_gpu("h100_sxm");
  job.fabric = hardware::parse_fabric("2x4:ib200x4", 8, job.gpu).value_or(hardware::Fabric{});
  job.model = find_model("llama_860m");
  job.batch = 8;
  return job;
}

FaultInstance overlap_off(std::string form) {
  return {.fault = "overlap_off", .numbers = {}, .words = {{"form", std::move(form)}}};
}

struct Seen {
  size_t collectives = 0;   // of rank 0
  TimeNs beside_ns = 0;     // compute that stands under them
  int64_t size_bytes = 0;   // reduced in the window
  TimeNs mean_step_ns = 0;  // of the job
};

Seen seen_in(const Job& job, std::vector<FaultInstance> faults) {
  const auto done = simulate(job, faults, 5);
  EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().text());
  if (!done) return {};
  for (const trace::Violation& violation : trace::check_trace(done->trace, trace::Strictness::simulated)) {
    ADD_FAILURE() << violation.rule << ": " << violation.text;
  }
  const trace::RankTrace& rank = done->trace.ranks[0];
  std::vector<Interval> compute;
  std::vector<Interval> comm;
  for (trace::SliceId i = 0; i < rank.slice_count(); ++i) {
    if (rank.kind[i] == trace::SliceKind::compute) compute.push_back({rank.start_ns[i], rank.end_ns(i)});
    if (rank.kind[i] == trace::SliceKind::comm) comm.push_back({rank.start_ns[i], rank.end_ns(i)});
  }
  Seen seen{.collectives = comm.size(), .mean_step_ns = done->mean_step_ns};
  const IntervalSet communicating = unite(std::move(comm));
  seen.beside_ns = total_ns(communicating) - total_ns(subtract(communicating, unite(std::move(compute))));
  for (const trace::CollectiveArgs& args : rank.collectives) seen.size_bytes += trace::size_bytes(args);
  return seen;
}

TEST(OverlapOff, ReducesTheSameBytesWithNothingBeside) {
  const Seen healthy = seen_in(small_job(), {});
  const Seen late = seen_in(small_job(), {overlap_off("after_backward")});
  const Seen huge = seen_in(small_job(), {overlap_off("one_bucket")});
  EXPECT_GT(healthy.beside_ns, 0);
  EXPECT_EQ(late.beside_ns, 0);
  EXPECT_EQ(huge.beside_ns, 0);
  EXPECT_EQ(late.collectives, healthy.collectives);
  EXPECT_EQ(huge.collectives, 4U);  // one a recorded step
  EXPECT_EQ(late.size_bytes, healthy.size_bytes);
  EXPECT_EQ(huge.size_bytes, healthy.size_bytes);
  EXPECT_GT(late.mean_step_ns, healthy.mean_step_ns);
  EXPECT_GT(huge.mean_step_ns, healthy.mean_step_ns);
}

TEST(OverlapOff, MicrobatchesAreReducedOnce) {
  Job job = small_job();
  job.batch = 4;
  job.accumulation = 2;
  EXPECT_EQ(seen_in(job, {overlap_off("one_bucket")}).collectives, 4U);
  EXPECT_EQ(seen_in(job, {overlap_off("after_backward")}).collectives, seen_in(job, {}).collectives);
}

TEST(OverlapOff, AnUnknownFormIsAnError) {
  const FaultInstance bad = overlap_off("sideways");
  const auto done = simulate(small_job(), {&bad, 1}, 1);
  ASSERT_FALSE(done.has_value());
  EXPECT_NE(done.error().message.find("expected after_backward or one_bucket"), std::string::npos);
}

}  // namespace
}  // namespace td::sim
