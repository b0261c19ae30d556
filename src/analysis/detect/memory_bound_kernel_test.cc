#include <gtest/gtest.h>

#include "analysis/read.h"
#include "analysis/testing/tiny_trace.h"

namespace td::analysis {
namespace {

using testing::TinyRank;

// 190e6 elements cast from bf16 to fp32: 1.14 GB, 340 us at an H100's 3.35 TB/s.
constexpr std::string_view kShapes = "[[190000,1000],[190000,1000],[]]";
constexpr std::string_view kTypes = R"(["float","c10::BFloat16","Scalar"])";
constexpr std::string_view kCast = "void at::native::unrolled_elementwise_kernel<direct_copy_kernel_cuda>";

struct Steps {
  std::string_view shapes = kShapes;
  std::string_view device = "NVIDIA H100 80GB HBM3";
  int64_t cast_us = 400;
  int64_t gemm_us = 500;
};

// Four steps of one cast and one GEMM, launched in time, with 2 us between the kernels.
Reading reading_of(const Steps& steps) {
  TinyRank rank;
  rank.header().device_name = steps.device;
  const int64_t step_us = steps.cast_us + steps.gemm_us + 4;
  for (int64_t i = 0; i < 4; ++i) {
    const int64_t at = 100 + i * step_us;
    const int64_t gemm_at = at + steps.cast_us + 2;
    rank.step(i, at - 60, at - 60 + step_us - 1);
    rank.kernel_of("aten::copy_", steps.shapes, kTypes, kCast, at - 50, at, at + steps.cast_us);
    rank.kernel("gemm", at - 40, gemm_at, gemm_at + steps.gemm_us);
  }
  return read(testing::job(rank.build()), {});
}

TEST(DetectMemoryBound, AtTheMemorysRateAndAThirdOfTheCompute) {
  const Reading reading = reading_of({});
  ASSERT_FALSE(reading.findings.empty());
  const Finding& finding = reading.findings.front();
  EXPECT_EQ(finding.cause, "memory_bound_kernel");
  EXPECT_NE(finding.evidence[1].text.find("2850.0 GB/s, 85.1 % of the memory's"), std::string::npos)
      << finding.evidence[1].text;
  // One kernel a run has nothing to be fused with.
  ASSERT_TRUE(finding.what_if.has_value());
  EXPECT_EQ(finding.what_if->win_frac, 0);
}

TEST(DetectMemoryBound, NotBelowTheMemorysRateNorAbove) {
  // 0.43 of the label; and 1.14, which no memory gives: the tensor was in cache, or is not what the shapes say.
  for (const int64_t cast_us : {800, 300}) {
    const Reading reading = reading_of({.cast_us = cast_us, .gemm_us = 300});
    EXPECT_NE(reading.findings.front().cause, "memory_bound_kernel") << cast_us;
  }
}

TEST(DetectMemoryBound, NotWhereItIsASmallPart) {
  EXPECT_NE(reading_of({.gemm_us = 900}).findings.front().cause, "memory_bound_kernel");
}

TEST(DetectMemoryBound, WithoutShapesOrGpuItCannotTell) {
  for (const Steps& steps : {Steps{.shapes = "", .gemm_us = 300}, Steps{.device = "Some GPU", .gemm_us = 300}}) {
    const Reading reading = reading_of(steps);
    EXPECT_EQ(reading.findings.front().cause, "inconclusive");
    EXPECT_NE(reading.findings.front().evidence[0].text.find("They may be bound by memory"), std::string::npos)
        << reading.findings.front().evidence[0].text;
  }
}

}  // namespace
}  // namespace td::analysis
