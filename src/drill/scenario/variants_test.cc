// Every form of a cause keeps what its drill promises, at both levels: the win, the arithmetic that is written out, and
// an answer that repeats the truth is right in every part.
#include <gtest/gtest.h>

#include "drill/explain/explain_fixture.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 3;

void expect_consistent(const char* id, Level level) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(std::string(id) + " " + std::string(to_string(level)) + " " + std::to_string(seed));
    const Truth truth = make_truth(drawn(id, seed, level));
    EXPECT_GE(truth.win.win_millionths, 49'000);
    ASSERT_FALSE(truth.places.empty());
    expect_all_right(truth, answer_of(truth));
  }
}

TEST(Variants, StragglerHbm) {
  expect_consistent("straggler_hbm", Level::standard);
  expect_consistent("straggler_hbm", Level::hard);
}
TEST(Variants, StragglerData) {
  expect_consistent("straggler_data", Level::standard);
  expect_consistent("straggler_data", Level::hard);
}
TEST(Variants, StragglerClock) { expect_consistent("straggler_clock", Level::hard); }
TEST(Variants, BandwidthFp32) { expect_consistent("bandwidth_fp32", Level::standard); }
TEST(Variants, HardOnes) {
  for (const char* id : {"starved_loader", "recompile_shape", "fragmented_pool", "sync_metrics", "overlap_off"}) {
    expect_consistent(id, Level::hard);
  }
}

}  // namespace
}  // namespace td::drill
