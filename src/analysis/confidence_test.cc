#include "analysis/confidence.h"

#include <gtest/gtest.h>

namespace td::analysis {
namespace {

TEST(Confidence, GrowsWithTheMargin) {
  EXPECT_DOUBLE_EQ(confidence_of({1.0, 1.0}), 0.5);
  EXPECT_DOUBLE_EQ(confidence_of({2.0, 1.0}), 0.875);
  EXPECT_DOUBLE_EQ(confidence_of({5.0, 1.0}), 0.98);
  EXPECT_DOUBLE_EQ(confidence_of({0.9, 1.0}), 0.0);
}

TEST(Confidence, IsThatOfTheWeakestCriterion) {
  EXPECT_DOUBLE_EQ(confidence_of({{5.0, 1.0}, {1.0, 1.0}}, 1.0), 0.5);
  EXPECT_DOUBLE_EQ(confidence_of({{5.0, 1.0}, {2.0, 1.0}}, 0.8), 0.7);
}

TEST(Confidence, FewStepsSayLess) {
  EXPECT_DOUBLE_EQ(step_evidence(0), 0.0);
  EXPECT_DOUBLE_EQ(step_evidence(1), 0.8);
  EXPECT_GT(step_evidence(10), 0.95);
}

}  // namespace
}  // namespace td::analysis
