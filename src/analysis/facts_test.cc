#include "analysis/facts.h"

#include <gtest/gtest.h>

#include "analysis/testing/tiny_trace.h"

namespace td::analysis {
namespace {

Result<Facts> parsed(std::string_view text) { return facts_from_json(*parse_json(text)); }

TEST(Facts, OfADrill) {
  const Result<Facts> facts = parsed(R"({"gpu":"h100_sxm","fabric":"2x4:eth100x1","world_size":8,"model":"x"})");
  ASSERT_TRUE(facts) << facts.error().text();
  ASSERT_TRUE(facts->gpu);
  EXPECT_EQ(facts->gpu->id, "h100_sxm");
  ASSERT_TRUE(facts->fabric);
  EXPECT_EQ(facts->fabric->nodes, 2);
  EXPECT_EQ(facts->fabric->world_size(), 8);
}

TEST(Facts, WhatIsNotSaidStaysUnknown) {
  const Result<Facts> facts = parsed(R"({"gpu":null})");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->gpu, nullptr);
  EXPECT_FALSE(facts->fabric);
}

TEST(Facts, UnknownHardwareIsRefusedByName) {
  const Result<Facts> gpu = parsed(R"({"gpu":"h100_pcie9"})");
  ASSERT_FALSE(gpu);
  EXPECT_NE(gpu.error().text().find("h100_pcie9"), std::string::npos);
  EXPECT_FALSE(parsed(R"({"fabric":"string and cans","world_size":8})"));
}

TEST(Facts, FabricTextTakesSizeAndGpuFromTheTrace) {
  testing::TinyRank rank(0, 4);
  const trace::Trace trace = testing::job(rank.kernel("a", 0, 5, 10).build());
  Facts facts;
  ASSERT_TRUE(add_fabric(facts, "nvlink", trace));
  EXPECT_EQ(facts.fabric->world_size(), 4);
  EXPECT_FALSE(add_fabric(facts, "carrier_pigeon", trace));
}

}  // namespace
}  // namespace td::analysis
