#include "analysis/motif.h"

#include <gtest/gtest.h>

namespace td::analysis {
namespace {

std::vector<uint32_t> repeat(const std::vector<uint32_t>& part, size_t times) {
  std::vector<uint32_t> out;
  for (size_t i = 0; i < times; ++i) out.insert(out.end(), part.begin(), part.end());
  return out;
}

TEST(Motif, PlainRepetition) {
  const auto motif = find_motif(repeat({1, 2, 3, 4}, 5));
  ASSERT_TRUE(motif);
  EXPECT_EQ(motif->period, 4u);
  EXPECT_EQ(motif->first, 0u);
  EXPECT_EQ(motif->count, 5u);
}

TEST(Motif, StepOfLayersIsTheStep) {
  // embed, then four times (norm, mm, mm), then head: the step repeats after 14 kernels, the layer after 3.
  std::vector<uint32_t> step = {9};
  for (int layer = 0; layer < 4; ++layer) step.insert(step.end(), {1, 2, 2});
  step.push_back(8);
  const auto motif = find_motif(repeat(step, 4));
  ASSERT_TRUE(motif);
  EXPECT_EQ(motif->period, 14u);
  EXPECT_EQ(motif->count, 4u);
}

TEST(Motif, ManyLayersDoNotHideTheStep) {
  // 36 layers of five kernels repeat after 5 in 97 of 100 places; the step of 182 in all of them.
  std::vector<uint32_t> step = {90};
  for (int layer = 0; layer < 36; ++layer) step.insert(step.end(), {1, 2, 3, 2, 4});
  step.push_back(91);
  const auto motif = find_motif(repeat(step, 10));
  ASSERT_TRUE(motif);
  EXPECT_EQ(motif->period, 182u);
}

TEST(Motif, PrologueIsLeftOut) {
  std::vector<uint32_t> names = {70, 71};
  const std::vector<uint32_t> body = repeat({1, 2, 3, 4, 5}, 6);
  names.insert(names.end(), body.begin(), body.end());
  const auto motif = find_motif(names);
  ASSERT_TRUE(motif);
  EXPECT_EQ(motif->first, 2u);
  EXPECT_EQ(motif->count, 6u);
}

TEST(Motif, TwiceIsNotEnoughAndNoiseIsNone) {
  EXPECT_FALSE(find_motif(repeat({1, 2, 3, 4}, 2)));
  EXPECT_FALSE(find_motif({}));
  EXPECT_FALSE(find_motif({1}));
  std::vector<uint32_t> noise;
  uint32_t x = 1;
  for (int i = 0; i < 500; ++i) noise.push_back((x = x * 1664525u + 1013904223u) >> 28);
  EXPECT_FALSE(find_motif(noise));
}

}  // namespace
}  // namespace td::analysis
