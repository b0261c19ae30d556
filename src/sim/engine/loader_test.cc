#include "sim/engine/loader.h"

#include <gtest/gtest.h>

namespace td::sim {
namespace {

constexpr TimeNs kMs = kNsPerMs;
constexpr TimeNs kCall = 2 * kMs;  // a call and the hand-over, generously

// Asks for batches that are used up in `step_ns` each; returns when each was in hand.
std::vector<TimeNs> run(const LoaderSpec& spec, TimeNs step_ns, int batches, uint64_t seed = 1) {
  Loader loader(spec, seed, 0);
  std::vector<TimeNs> taken;
  TimeNs now_ns = 0;
  for (int i = 0; i < batches; ++i) {
    now_ns = loader.next(now_ns);
    taken.push_back(now_ns);
    now_ns += step_ns;
  }
  return taken;
}

TimeNs mean_step_ns(const std::vector<TimeNs>& taken, size_t from) {
  return (taken.back() - taken[from]) / static_cast<TimeNs>(taken.size() - 1 - from);
}

TEST(Loader, TheStepIsTheLongerOfConsumerAndSupply) {
  for (const int32_t workers : {1, 2, 3, 8}) {
    const LoaderSpec spec = {.workers = workers, .batch_ns = 240 * kMs};
    const TimeNs supply_ns = spec.period_ns();
    for (const TimeNs step_ns : {10 * kMs, 100 * kMs, 400 * kMs}) {
      const TimeNs expected_ns = std::max(supply_ns, step_ns);
      const TimeNs mean_ns = mean_step_ns(run(spec, step_ns, 200), 20);
      EXPECT_NEAR(static_cast<double>(mean_ns), static_cast<double>(expected_ns),
                  static_cast<double>(expected_ns) * 0.02 + static_cast<double>(kCall) / 10)
          << workers << " workers, step " << step_ns;
    }
  }
}

TEST(Loader, AStarvedConsumerWaitsInEveryStep) {
  const LoaderSpec spec = {.workers = 3, .batch_ns = 300 * kMs};
  const std::vector<TimeNs> taken = run(spec, 60 * kMs, 30);
  for (size_t i = 1; i < taken.size(); ++i) {
    EXPECT_GT(taken[i] - taken[i - 1], 80 * kMs) << i;
    EXPECT_LT(taken[i] - taken[i - 1], 120 * kMs) << i;
  }
}

TEST(Loader, AFastLoaderIsNeverWaitedFor) {
  const LoaderSpec spec = {.workers = 4, .batch_ns = 240 * kMs};
  const std::vector<TimeNs> taken = run(spec, 100 * kMs, 60);
  for (size_t i = 1; i < taken.size(); ++i) {
    EXPECT_GE(taken[i] - taken[i - 1], 100 * kMs + 60'000) << i;
    EXPECT_LE(taken[i] - taken[i - 1], 100 * kMs + 150'000) << i;
  }
}

// The queue is bounded: after a long pause no more than prefetch_factor x W batches are there at once.
TEST(Loader, WorksAheadByAsMuchAsItsQueueHolds) {
  const LoaderSpec spec = {.workers = 2, .batch_ns = 100 * kMs};
  Loader loader(spec, 3, 0);
  TimeNs now_ns = 10'000 * kMs;
  int at_once = 0;
  for (int i = 0; i < 20; ++i) {
    const TimeNs taken_ns = loader.next(now_ns);
    if (taken_ns - now_ns > kMs) break;
    now_ns = taken_ns;
    ++at_once;
  }
  EXPECT_EQ(at_once, 4);
}

TEST(Loader, BatchesComeInOrderAndTheSameForTheSameSeed) {
  const LoaderSpec spec = {.workers = 4, .batch_ns = 200 * kMs, .sigma = 0.5};
  const std::vector<TimeNs> taken = run(spec, 20 * kMs, 40, 9);
  for (size_t i = 1; i < taken.size(); ++i) EXPECT_GT(taken[i], taken[i - 1]);
  EXPECT_EQ(taken, run(spec, 20 * kMs, 40, 9));
  EXPECT_NE(taken, run(spec, 20 * kMs, 40, 10));
}

// One slow worker of W: batches are handed out in order, so one step in W waits, by what its batch takes beyond W
// steps.
TEST(Loader, OneSlowWorkerHoldsUpOneStepInTurn) {
  const LoaderSpec spec = {
      .workers = 3, .batch_ns = 150 * kMs, .sigma = 0.001, .slow_worker = 1, .slow_batch_ns = 360 * kMs};
  const std::vector<TimeNs> taken = run(spec, 100 * kMs, 60);
  for (size_t i = 30; i + 1 < taken.size(); ++i) {
    const TimeNs waited_ns = taken[i + 1] - taken[i] - 100 * kMs;
    EXPECT_NEAR(static_cast<double>(waited_ns), (i + 1) % 3 == 1 ? 60.0 * kMs : 0.0, 4.0 * kMs) << i;
  }
}

// A batch that comes late, and workers that stand still beside it: what follows is as if nothing had been.
TEST(Loader, AHoldFillsNoQueue) {
  const LoaderSpec spec = {.workers = 2, .batch_ns = 300 * kMs};
  Loader loader(spec, 1, 0);
  TimeNs now_ns = 0;
  for (int i = 0; i < 20; ++i) now_ns = loader.next(now_ns) + 100 * kMs;
  const TimeNs asked_ns = now_ns;
  now_ns = loader.next(now_ns);
  now_ns = loader.hold(2'000 * kMs, 500 * kMs);
  EXPECT_GE(now_ns, asked_ns + 2'000 * kMs);
  now_ns += 600 * kMs;  // the host was busy for 500 ms
  const TimeNs begin_ns = now_ns;
  for (int i = 0; i < 20; ++i) now_ns = loader.next(now_ns) + 100 * kMs;
  EXPECT_NEAR(static_cast<double>(now_ns - begin_ns), 20.0 * 150 * kMs, 100.0 * kMs);
}

}  // namespace
}  // namespace td::sim
