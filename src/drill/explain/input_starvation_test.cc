#include <gtest/gtest.h>

#include <algorithm>

#include "drill/explain/explain_fixture.h"
#include "drill/host_hold.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 12;

// step = max(GPU, worker time / workers), as far as few batches tell; the rank that is named is starved in every step.
TEST(InputStarvation, FollowsTheLoadersArithmetic) {
  int64_t on_one_rank = 0;
  for (uint64_t seed = 0; seed < 2 * kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const SimulatedInstance instance = drawn("starved_loader", seed);
    const sim::FaultInstance& fault = instance.instance.faults.front();
    const int64_t workers = fault.number("workers", instance.instance.job.loader.workers);
    const int64_t batch_ns = fault.number("batch_ns", instance.instance.job.loader.batch_ns);
    const TimeNs step_ns = instance.traced_measure.mean_step_ns;
    const int64_t batches = instance.instance.job.accumulation;  // one a microbatch
    const TimeNs formula_ns = std::max(instance.fixed_measure.mean_step_ns, batches * batch_ns / workers);
    // Batches vary (lognormal, a few steps are shown), and a pipeline has to fill besides: it only gets slower.
    const double step = static_cast<double>(step_ns);
    const bool pipeline = instance.instance.job.parallelism.kind == sim::Parallelism::Kind::pipeline;
    EXPECT_NEAR(step, static_cast<double>(formula_ns), step * (pipeline ? 0.08 : 0.03));

    const int64_t only = fault.number("rank", -1);
    on_one_rank += only >= 0 ? 1 : 0;
    // Of a pipeline the first stage alone has a loader; the others wait for it in SendRecv.
    for (size_t rank = 0; rank < instance.traced_measure.ranks() && !pipeline; ++rank) {
      const bool starved = only < 0 || static_cast<int64_t>(rank) == only;
      for (const Interval& step : instance.traced_measure.steps) {
        const HostHold hold = hold_of(instance.run.trace.ranks[rank], step, waits_for_batch);
        EXPECT_EQ(hold.idle_ns * 100 > step.length_ns() * 3, starved) << rank;
      }
    }
    const Truth truth = make_truth(instance);
    EXPECT_TRUE(truth.number.has_value());
    EXPECT_LT(truth.number.value_or(DecidingNumber{}).slack_millionths, step_ns);
    EXPECT_EQ(truth.places.front().rank, only);
  }
  EXPECT_GE(on_one_rank, 3);
}

// What the explanation says, answered back, is graded right in every part.
TEST(InputStarvation, ItsOwnAnswerIsGradedRight) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    expect_own_answer_right(make_truth(drawn("starved_loader", seed)), "straggler");
  }
}

}  // namespace
}  // namespace td::drill
