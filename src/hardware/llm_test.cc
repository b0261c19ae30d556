#include "hardware/llm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hardware/spec.h"

namespace td::hardware {
namespace {

TEST(Llm, TheShapeGivesThePublishedNumberOfParameters) {
  for (const Llm& llm : all_llms()) {
    const double counted_b = static_cast<double>(parameter_count(llm)) / 1e9;
    EXPECT_NEAR(counted_b / llm.parameters_b, 1.0, 0.005) << llm.title << " counts " << counted_b;
    EXPECT_EQ(find_llm(llm.id), &llm);
  }
}

// The active parameters of a mixture: all but the experts that a token does not visit.
TEST(Llm, ActiveParametersLeaveOutTheIdleExperts) {
  for (const Llm& llm : all_llms()) {
    if (llm.experts == 0) {
      EXPECT_EQ(llm.active_parameters_b, llm.parameters_b) << llm.title;
      continue;
    }
    const double idle = 3.0 * llm.hidden * llm.ffn_hidden * (llm.experts - llm.experts_per_token) * llm.layers;
    const double active_b = (static_cast<double>(parameter_count(llm)) - idle) / 1e9;
    EXPECT_NEAR(active_b / llm.active_parameters_b, 1.0, 0.01) << llm.title << " counts " << active_b;
  }
}

// Worked by hand: Llama-3.1-70B keeps 2 x 80 x 8 x 128 = 163,840 values, 320 KiB at two bytes.
TEST(Llm, KeysAndValuesOfOneToken) {
  EXPECT_EQ(kv_values_per_token(*find_llm("llama_3_1_70b")) * 2, 320 * 1024);
  EXPECT_EQ(kv_values_per_token(*find_llm("llama_3_1_8b")) * 2, 128 * 1024);
  EXPECT_EQ(kv_values_per_token(*find_llm("llama_2_7b")) * 2, 512 * 1024);
}

TEST(ChipSpec, EachIsInTheCatalogueAndAgreesWithIt) {
  for (const ChipSpec& spec : all_chip_specs()) {
    const Gpu* gpu = find_gpu(spec.gpu);
    ASSERT_NE(gpu, nullptr) << spec.gpu;
    EXPECT_EQ(find_chip_spec(spec.gpu), &spec);
    EXPECT_FALSE(spec.source.empty());
    // A label is within 8 % of what the device reports: GB or GiB.
    EXPECT_NEAR(static_cast<double>(gpu->memory_bytes) / (spec.memory_label_gb * 1e9), 1.03, 0.05) << spec.gpu;
    if (spec.fp8_flop_per_s > 0) {
      EXPECT_NEAR(spec.fp8_flop_per_s / gpu->bf16_flop_per_s, 2.0, 0.03) << spec.gpu;
    }
  }
}

}  // namespace
}  // namespace td::hardware
