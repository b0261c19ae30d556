#include "base/intervals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"

namespace td {
namespace {

TEST(Unite, MergesWhatOverlapsOrTouches) {
  EXPECT_EQ(unite({{5, 9}, {0, 2}, {2, 4}, {8, 12}}), (IntervalSet{{0, 4}, {5, 12}}));
}

TEST(Unite, LeavesOutEmptyAndNegativeIntervals) {
  EXPECT_EQ(unite({{3, 3}, {9, 4}}), IntervalSet{});
  EXPECT_EQ(unite({{3, 3}, {1, 2}}), (IntervalSet{{1, 2}}));
}

TEST(Unite, AnIntervalInsideAnotherDoesNotShortenIt) {
  EXPECT_EQ(unite({{0, 100}, {10, 20}, {30, 40}}), (IntervalSet{{0, 100}}));
}

TEST(Intersect, KeepsWhatBothCover) {
  const IntervalSet a = {{0, 10}, {20, 30}};
  EXPECT_EQ(intersect(a, {{5, 25}}), (IntervalSet{{5, 10}, {20, 25}}));
  EXPECT_EQ(intersect(a, {{10, 20}}), IntervalSet{});
  EXPECT_EQ(intersect(a, {}), IntervalSet{});
}

TEST(Subtract, KeepsWhatOnlyTheFirstCovers) {
  EXPECT_EQ(subtract({{0, 10}}, {{2, 3}, {5, 7}}), (IntervalSet{{0, 2}, {3, 5}, {7, 10}}));
  EXPECT_EQ(subtract({{0, 10}, {20, 30}}, {{5, 25}}), (IntervalSet{{0, 5}, {25, 30}}));
  EXPECT_EQ(subtract({{0, 10}}, {{0, 10}}), IntervalSet{});
  EXPECT_EQ(subtract({{0, 10}}, {}), (IntervalSet{{0, 10}}));
}

TEST(Clip, CutsAtTheWindow) {
  EXPECT_EQ(clip({{0, 10}, {20, 30}}, {8, 22}), (IntervalSet{{8, 10}, {20, 22}}));
  EXPECT_EQ(clip({{0, 10}}, {4, 4}), IntervalSet{});
}

TEST(TotalNs, AddsLengths) {
  EXPECT_EQ(total_ns({{0, 4}, {10, 11}}), 5);
  EXPECT_EQ(total_ns({}), 0);
}

// The laws against a brute-force model: one flag a nanosecond.
class IntervalLaws : public testing::TestWithParam<int> {
 protected:
  static constexpr TimeNs kEnd = 60;

  static std::vector<Interval> draw(RandomStream& stream) {
    std::vector<Interval> out;
    const int64_t count = stream.uniform_int(0, 8);
    for (int64_t i = 0; i < count; ++i) {
      const TimeNs begin_ns = stream.uniform_int(0, kEnd);
      const TimeNs length_ns = stream.uniform_int(0, 12);
      out.push_back({begin_ns, std::min(kEnd, begin_ns + length_ns)});
    }
    return out;
  }
  static bool covers(const std::vector<Interval>& set, TimeNs at_ns) {
    for (const Interval& i : set)
      if (i.begin_ns <= at_ns && at_ns < i.end_ns) return true;
    return false;
  }
  static void expect_canonical(const IntervalSet& set) {
    for (size_t i = 0; i < set.size(); ++i) {
      EXPECT_LT(set[i].begin_ns, set[i].end_ns);
      if (i == 0) continue;
      EXPECT_LT(set[i - 1].end_ns, set[i].begin_ns);
    }
  }
};

TEST_P(IntervalLaws, OperationsAgreeWithABruteForceModel) {
  RandomStream stream(static_cast<uint64_t>(GetParam()), "intervals");
  const std::vector<Interval> raw_a = draw(stream);
  const std::vector<Interval> raw_b = draw(stream);
  const IntervalSet a = unite(raw_a);
  const IntervalSet b = unite(raw_b);
  for (const IntervalSet& set : {a, b, unite(a, b), intersect(a, b), subtract(a, b)}) expect_canonical(set);
  TimeNs both_ns = 0;
  for (TimeNs at = 0; at < kEnd; ++at) {
    const bool in_a = covers(raw_a, at);
    const bool in_b = covers(raw_b, at);
    both_ns += in_a && in_b ? 1 : 0;
    EXPECT_EQ(covers(a, at), in_a);
    EXPECT_EQ(covers(unite(a, b), at), in_a || in_b);
    EXPECT_EQ(covers(intersect(a, b), at), in_a && in_b);
    EXPECT_EQ(covers(subtract(a, b), at), in_a && !in_b);
  }
  EXPECT_EQ(total_ns(intersect(a, b)), both_ns);
  EXPECT_EQ(total_ns(unite(a, b)) + total_ns(intersect(a, b)), total_ns(a) + total_ns(b));
}

INSTANTIATE_TEST_SUITE_P(Seeds, IntervalLaws, testing::Range(0, 50));

}  // namespace
}  // namespace td
