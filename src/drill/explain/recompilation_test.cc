#include <gtest/gtest.h>

#include <algorithm>

#include "drill/explain/explain_fixture.h"
#include "drill/host_hold.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 12;

// One shown step waits for the compiler, on the ranks that were meant; the compile takes as long as was drawn, and the
// win is the idle time over the steps.
TEST(Recompilation, HitsOneStepOnTheRanksThatWereMeant) {
  int64_t on_one_rank = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const SimulatedInstance instance = drawn("recompile_shape", seed);
    const sim::FaultInstance& fault = instance.instance.faults.front();
    const int64_t only = fault.number("rank", -1);
    on_one_rank += only >= 0 ? 1 : 0;
    // As told, in millionths of a second; the warm-up may have compiled for longer.
    const TimeNs longest_ns = make_truth(instance).number.value_or(DecidingNumber{}).value_millionths * 1000;
    TimeNs idle_ns = 0;
    for (size_t rank = 0; rank < instance.traced_measure.ranks(); ++rank) {
      int64_t hits = 0;
      for (const Interval& step : instance.traced_measure.steps) {
        const HostHold hold = hold_of(instance.run.trace.ranks[rank], step, compiles);
        // A host that is ahead compiles beside earlier steps; the pauses between their queued kernels do not count.
        hits += hold.idle_ns * 20 > step.length_ns() ? 1 : 0;
        idle_ns = std::max(idle_ns, hold.idle_ns);
        EXPECT_EQ(hold_of(instance.fixed.trace.ranks[rank], step, compiles).call_ns, 0);
      }
      EXPECT_EQ(hits, only < 0 || static_cast<int64_t>(rank) == only ? 1 : 0) << rank;
    }
    EXPECT_NEAR(static_cast<double>(longest_ns), static_cast<double>(fault.number("compile_ns")),
                static_cast<double>(longest_ns) * 0.1);
    EXPECT_GE(longest_ns, 270 * kNsPerMs);
    const auto steps = static_cast<TimeNs>(instance.traced_measure.steps.size());
    const TimeNs win_ns = instance.traced_measure.mean_step_ns - instance.fixed_measure.mean_step_ns;
    EXPECT_NEAR(static_cast<double>(win_ns), static_cast<double>(idle_ns / steps),
                static_cast<double>(instance.traced_measure.mean_step_ns) * 0.02);
  }
  EXPECT_GE(on_one_rank, 2);
}

// What the explanation says, answered back, is graded right in every part.
TEST(Recompilation, ItsOwnAnswerIsGradedRight) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    expect_own_answer_right(make_truth(drawn("recompile_shape", seed)), "input_starvation");
  }
}

}  // namespace
}  // namespace td::drill
