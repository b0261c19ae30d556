// Reports decided by kernels, or by what the trace lacks: O3, O17, O18.
#include <gtest/gtest.h>

#include "case_job.h"

namespace td::cases {
namespace {

std::string step_name(int i) { return "ProfilerStep#" + std::to_string(i); }

// A product of one row with `rows x columns` weights in BF16 at a memory rate.
void gemv(CaseRank& rank, int64_t rows, int64_t columns, double bytes_per_s) {
  const double us = static_cast<double>(rows * columns * 2) / bytes_per_s * 1e6;
  const std::string r = std::to_string(rows);
  const std::string c = std::to_string(columns);
  rank.kernel("std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, __nv_bfloat16>", us,
              {.op = "aten::mm",
               .host_us = 9,
               .shapes = "[[1," + r + "],[" + r + "," + c + "]]",
               .types = R"(["c10::BFloat16","c10::BFloat16"])"});
}

// O3, ninfer-3090 PR 72: decode under a power cap; the SM clock is 0.89 of its best, the memory clock never moves, and
// 854 GB/s of the label's 936 are reached. Assumed: an 8B model's layers.
TEST(OpenCases, O3DecodeAtTheMemorysLimit) {
  CaseJob job(1, "NVIDIA GeForce RTX 3090");
  for (int i = 0; i < 6; ++i) {
    job.step("decode " + std::to_string(i));
    CaseRank& rank = job.rank(0);
    for (int layer = 0; layer < 32; ++layer) {
      gemv(rank, 4096, 6144, 854e9);
      gemv(rank, 4096, 4096, 854e9);
      gemv(rank, 4096, 28672, 854e9);
      gemv(rank, 14336, 4096, 854e9);
      rank.kernel("void rms_norm_kernel<c10::BFloat16>", 4, {.op = "aten::rms_norm", .host_us = 9});
    }
  }
  const trace::Trace trace = job.build();
  analysis::Facts facts;
  static hardware::Gpu rtx3090;  // stated by hand: 936 GB/s, 71 TFLOP/s dense
  rtx3090.id = "rtx_3090";
  rtx3090.hbm_bytes_per_s = 936e9;
  rtx3090.bf16_flop_per_s = 71e12;
  rtx3090.fp32_flop_per_s = 35.6e12;
  rtx3090.compute_major = 8;
  facts.gpu = &rtx3090;
  expect_reading(trace,
                 {.first = {"memory_bound_kernel"},
                  .forbidden = {"uniform_throttle", "launch_bound", "healthy", "fallback_kernel", "op_storm"}},
                 facts);
}

// O17, DiffSynth-Studio 1687 (8 B200): a FlashAttention kernel built for sm80 was picked; with the GPU's own 6.32 s
// became 3.80 s a step. A hundredth of it. Assumed: attention 3.8 s of the 6.32.
TEST(OpenCases, O17TheWrongAttentionKernel) {
  CaseJob job(1, "NVIDIA B200");
  for (int i = 0; i < 5; ++i) {
    job.step(step_name(i));
    CaseRank& rank = job.rank(0);
    for (int layer = 0; layer < 30; ++layer) {
      rank.kernel("void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<128, 128, 64, 4>>",
                  1'267);
      for (int k = 0; k < 4; ++k) rank.kernel("nvjet_tst_256x128_64x6_2x1_2cta_v_bz_TNT", 210);
    }
  }
  expect_reading(job.build(), {.first = {"fallback_kernel"},
                               .forbidden = {"healthy", "launch_bound", "memory_bound_kernel", "precision_fallback"}});
}

// O18, TraceLens 728: graph decode on MI300X reads as 26 % idle and is 99 % active. Assumed: 120 nodes of 80 us, of
// which the trace lacks every fourth.
TEST(OpenCases, O18IdleThatNeverWas) {
  CaseJob job(1, "AMD Instinct MI300X");
  const std::vector<std::string> names(120, "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT64x16x64");
  std::vector<bool> lost(120, false);
  for (size_t i = 3; i < lost.size(); i += 4) lost[i] = true;
  for (int i = 0; i < 8; ++i) {
    job.step("step[DECODE bs=" + std::to_string(16 + i) + "]");
    job.rank(0).graph(names, 80, lost, "hipGraphLaunch");
    job.rank(0).sync("hipStreamSynchronize");
  }
  const trace::Trace trace = job.build();
  expect_reading(trace,
                 {.first = {"inconclusive"},
                  .forbidden = {"launch_bound", "sync_stalls", "healthy", "graph_break", "memory_bound_kernel"}});
  EXPECT_NE(reading_of(trace).trust.verdict, analysis::Verdict::ok);
}

// Kin of O18, Hyperloom PR 1047: 99 % idle on a saturated GPU, for graphs without any of their kernels.
TEST(OpenCases, O18GraphsWithoutKernels) {
  CaseJob job(1, "AMD Instinct MI300X");
  const std::vector<std::string> names(50, "node");
  for (int i = 0; i < 8; ++i) {
    job.step("step[DECODE bs=16]");
    CaseRank& rank = job.rank(0);
    rank.graph(names, 200, std::vector<bool>(50, true), "hipGraphLaunch");
    rank.kernel("reduce_kernel<argmax>", 20);
    rank.sync("hipStreamSynchronize");
  }
  const trace::Trace trace = job.build();
  const analysis::Reading reading = reading_of(trace);
  EXPECT_EQ(reading.trust.verdict, analysis::Verdict::unreadable);
  EXPECT_EQ(reading.findings.front().cause, "inconclusive");
  EXPECT_FALSE(reading.whole.idle_ns);
}

}  // namespace
}  // namespace td::cases
