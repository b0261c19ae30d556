#include "hardware/formula/kernel_time.h"

#include <gtest/gtest.h>

namespace td::hardware {
namespace {

const Gpu& h100() { return *find_gpu("h100_sxm"); }
const Gpu& a100() { return *find_gpu("a100_80gb"); }

TEST(KernelTime, GemmByHand) {
  // 8192 x 8192 x 4096 on an A100: 64 x 64 tiles of 128 x 128 = 4096, over 108 SMs 37.93 -> 38 waves, filled 0.99805;
  // 128 x 256: 2048 tiles, 18.96 -> 19 waves, the same. e = 0.87 x 0.90 x 0.99805 x 4096 / 4224 = 0.75779.
  // 2 x 8192 x 8192 x 4096 = 549.76 GFLOP over 312 TFLOP/s x e = 2.32525 ms, plus 1.5 us.
  const KernelTime time = gemm_time(8192, 8192, 4096, 2, a100());
  EXPECT_NEAR(gemm_efficiency(8192, 8192, 4096, a100()), 0.75779, 1e-5);
  EXPECT_NEAR(static_cast<double>(time.total_ns()), 2'325'260 + 1'500, 200);
}

TEST(KernelTime, GemmsOfPublicTraces) {
  // H100 timesformer and Qwen forward passes: M, N, K and the time read in the trace.
  const struct {
    int64_t m, n, k;
    double us;
  } kRead[] = {{25088, 3072, 768, 164},
               {25088, 768, 3072, 158},
               {25088, 768, 768, 46},
               {8944, 2816, 1024, 84},
               {8944, 1024, 1024, 31.5}};
  for (const auto& read : kRead) {
    const double us = static_cast<double>(gemm_time(read.m, read.n, read.k, 2, h100()).total_ns()) / 1000;
    EXPECT_NEAR(us / read.us, 1.0, 0.12) << read.m << " x " << read.n << " x " << read.k;
  }
}

TEST(KernelTime, ABatchIsItsMembersTogether) {
  // 64 of 2048 x 2048 x 128 on an A100: 64 x 2 x 2048^2 x 128 FLOP; rows together 1024 x 16 tiles = 16384, 151.7 -> 152
  // waves, filled 0.998; e = 0.87 x 0.90 x 0.998 x 0.5 = 0.3907. 68.72 GFLOP / (312 TFLOP/s x e) = 0.5637 ms.
  const KernelTime time = batched_gemm_time(64, 2048, 2048, 128, 2, a100());
  EXPECT_NEAR(time.compute_ns, 563'700, 500);
  EXPECT_DOUBLE_EQ(time.memory_ns, 64 * gemm_time(2048, 2048, 128, 2, a100()).memory_ns);
  EXPECT_EQ(batched_gemm_time(1, 4096, 4096, 1024, 2, a100()).total_ns(),
            gemm_time(4096, 4096, 1024, 2, a100()).total_ns());
  EXPECT_EQ(batched_gemm_time(0, 1, 1, 1, 2, a100()).total_ns(), 0);
}

TEST(KernelTime, ThinGemmIsMemoryBound) {
  // 1 x 25136 x 2880: 145 MB of weights at 0.92 x 3.35 TB/s = 47 us.
  const KernelTime time = gemm_time(1, 25136, 2880, 2, h100());
  EXPECT_GT(time.memory_ns, time.compute_ns);
  EXPECT_NEAR(time.memory_ns, 47'000, 300);
}

TEST(KernelTime, StreamByHand) {
  // 1 GB at 0.88 x 3.35 TB/s = 339.2 us; in the L2 (10 MB of 50) 1.5 times faster: 10e6 / 4.422e12 = 2.261 us.
  EXPECT_NEAR(stream_time(1e9, h100()).memory_ns, 339'213, 1);
  EXPECT_NEAR(stream_time(10e6, h100()).memory_ns, 2'261.4, 0.1);
  EXPECT_EQ(stream_time(0, h100()).total_ns(), 1500);
}

TEST(KernelTime, AttentionByHand) {
  // B 8, 16 heads, S 2048, d 128: 4 x 128 x 2048^2 x 128 / 2 = 137.4 GFLOP; over 989 x 0.42 = 330.9 us.
  EXPECT_NEAR(attention_forward_flop(8, 16, 2048, 128), 137.439e9, 1e6);
  EXPECT_NEAR(attention_forward_time(8, 16, 2048, 128, h100()).compute_ns, 330'873, 10);
  EXPECT_NEAR(attention_backward_time(8, 16, 2048, 128, h100()).compute_ns, 330'873 * 2.5 / 0.85, 30);
}

TEST(KernelTime, AdamByHand) {
  // 1e9 parameters x 28 B over 0.85 x 3.35 TB/s = 9.833 ms.
  EXPECT_NEAR(adam_time(1'000'000'000, h100()).memory_ns, 9'833'187, 10);
}

TEST(KernelTime, SlowClockStretchesComputeOnly) {
  const KernelTime gemm = gemm_time(8192, 8192, 4096, 2, h100());
  const KernelTime norm = stream_time(1e9, h100());
  EXPECT_NEAR(static_cast<double>(gemm.total_ns(0.5)), 2 * gemm.compute_ns + 1500, 1);
  EXPECT_EQ(norm.total_ns(0.5), norm.total_ns());
  EXPECT_GT(norm.total_ns(1.0, 0.5), norm.total_ns());
}

TEST(KernelTime, NeverFasterThanTheRoofline) {
  for (const Gpu& gpu : all_gpus()) {
    for (int64_t size : {64, 1000, 4096, 32768}) {
      const double flop = 2.0 * static_cast<double>(size) * 2048 * 2048;
      EXPECT_GE(gemm_time(size, 2048, 2048, 2, gpu).compute_ns, flop / gpu.bf16_flop_per_s * 1e9) << gpu.id;
      EXPECT_LT(gemm_efficiency(size, 2048, 2048, gpu), gpu.matmul_efficiency_max) << gpu.id;
    }
  }
}

}  // namespace
}  // namespace td::hardware
