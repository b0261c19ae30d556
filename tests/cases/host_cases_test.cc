// Reports in which the host is late: O1, O2, O4, O5, O6, O11, O13, O16.
#include <gtest/gtest.h>

#include "case_job.h"

namespace td::cases {
namespace {

using trace::SliceKind;

constexpr std::string_view kA100 = "NVIDIA A100-SXM4-40GB";
constexpr std::string_view kH100 = "NVIDIA H100 80GB HBM3";

std::string step_name(int i) { return "ProfilerStep#" + std::to_string(i); }

// O1, keys_values PR 105: one forward of 691 ms, kernels 388 ms, idle 303 ms in 18,012 kernels; fused kernels and fewer
// syncs gave 420 ms. A tenth of it a step. Assumed: 30 blocks of 50 small and 8 large kernels, one sync each.
TEST(OpenCases, O1LongContextIsLaunchBoundAndSyncs) {
  CaseJob job(1, kA100);
  for (int i = 0; i < 4; ++i) {
    job.step(step_name(i));
    CaseRank& rank = job.rank(0);
    for (int block = 0; block < 30; ++block) {
      for (int k = 0; k < 50; ++k)
        rank.kernel("void at::native::vectorized_elementwise_kernel<4>(int)", 10, {.op = "aten::mul", .host_us = 24});
      for (int k = 0; k < 8; ++k)
        rank.kernel("ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn", 100,
                    {.op = "aten::mm", .host_us = 24});
      rank.item();
      rank.silence(300);
    }
  }
  expect_reading(job.build(), {.first = {"launch_bound"},
                               .also = {"sync_stalls"},
                               .forbidden = {"healthy", "memory_bound_kernel", "input_starvation", "cpu_contention"}});
}

// O2, open_clip 703 and 899: training freezes every num_workers steps; a slow disk. Assumed: 4 workers, 16 steps of
// 500 ms, 2 s of waiting.
TEST(OpenCases, O2LoaderFreezesEveryFourthStep) {
  CaseJob job(2, "Tesla V100-SXM2-16GB");
  for (int i = 0; i < 16; ++i) {
    job.step(step_name(i));
    job.each([&](CaseRank& rank) {
      rank.host(SliceKind::host_op, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
                i % 4 == 3 ? 2'000'000 : 300);
      for (int k = 0; k < 50; ++k) rank.kernel("volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn", 9'500);
    });
    job.collective(trace::CollectiveKind::all_reduce, 20'000, {.bytes = 600'000'000, .compute_waits = true});
    job.each([](CaseRank& rank) {
      rank.kernel("multi_tensor_apply_kernel", 3'000);
      rank.sync();
    });
  }
  const trace::Trace trace = job.build();
  expect_reading(trace, {.first = {"input_starvation"},
                         .forbidden = {"recompilation", "gc_pauses", "checkpoint_stall", "straggler", "healthy"}});
  const analysis::Reading reading = reading_of(trace);
  ASSERT_FALSE(reading.ledgers[0].gaps.empty());
  EXPECT_EQ(reading.ledgers[0].gaps[0].owner, analysis::GapOwner::data_loading);
  EXPECT_EQ(reading.ledgers[0].gaps[0].rhythm, analysis::Rhythm::every_kth);
}

// The same with 8 workers and a window that shows their rhythm only once.
TEST(OpenCases, O2FreezeSeenOnce) {
  CaseJob job(1, kA100);
  for (int i = 0; i < 11; ++i) {
    job.step(step_name(i));
    job.rank(0).host(SliceKind::host_op, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
                     i == 7 ? 2'000'000 : 300);
    for (int k = 0; k < 50; ++k)
      job.rank(0).kernel("ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn", 9'500);
    job.rank(0).sync();
  }
  expect_reading(job.build(), {.first = {"input_starvation"}, .forbidden = {"recompilation", "gc_pauses", "healthy"}});
}

// O4, torchtitan 4038: OMP_NUM_THREADS unset, each process takes every core; 112 s to 87 s a step with unchanged
// kernels. Assumed: ops of 25 us of which every seventh is preempted for 250 us, kernels of 30 us.
TEST(OpenCases, O4PreemptedHostIsContention) {
  CaseJob job(1, kH100);
  for (int i = 0; i < 5; ++i) {
    job.step(step_name(i));
    CaseRank& rank = job.rank(0);
    for (int k = 0; k < 700; ++k) {
      const bool preempted = (k * 37 + i * 11) % 7 == 0;
      rank.kernel("nvjet_tst_192x192_64x4_2x1_v_bz_coopB_TNN", 30,
                  {.op = k % 2 == 0 ? "aten::mm" : "aten::add", .host_us = preempted ? 275.0 : 25.0});
    }
    rank.sync();
  }
  expect_reading(job.build(),
                 {.first = {"cpu_contention"},
                  .forbidden = {"launch_bound", "healthy", "memory_bound_kernel", "gc_pauses", "sync_stalls"}});
}

// O5, pytorch 134191: AdamW under FSDP2 takes 33 % of the step; a debugger's hook made it 6 to 187 ms of host time.
// A tenth of it. Assumed: 300 launches, 40 ms of forward and backward in large kernels.
TEST(OpenCases, O5OptimizerUnderADebugger) {
  CaseJob job(1, kH100);
  for (int i = 0; i < 5; ++i) {
    job.step(step_name(i));
    CaseRank& rank = job.rank(0);
    for (int k = 0; k < 80; ++k)
      rank.kernel("nvjet_tst_192x192_64x4_2x1_v_bz_coopB_TNN", 480, {.op = "aten::mm", .host_us = 40});
    rank.sync();
    rank.range("Optimizer.step#AdamW.step", SliceKind::annotation, [&] {
      for (int k = 0; k < 300; ++k) {
        rank.host(SliceKind::python, "pydevd.py(1523): trace_dispatch", 45);
        rank.kernel("void at::native::vectorized_elementwise_kernel<4>(int)", 5,
                    {.op = "aten::addcmul_", .host_us = 17});
      }
    });
  }
  expect_reading(job.build(), {.first = {"per_tensor_optimizer", "launch_bound", "profiler_overhead"},
                               .also = {"per_tensor_optimizer", "profiler_overhead"},
                               .forbidden = {"healthy", "memory_bound_kernel", "input_starvation"}});
}

// O6, kekzl/imp PR 1367 and 1378: a token of 40 ms, 3,091 launches of 4.58 us and 632 copies of 8.4 us of host work;
// the top kernel has 47 % of the GPU's time, and halving it moved nothing. A quarter of it. Assumed: 12 us from launch
// to launch, so that the device idles half of the time.
TEST(OpenCases, O6TheTopKernelDoesNotMatter) {
  CaseJob job(1, "NVIDIA GeForce RTX 4090");
  for (int i = 0; i < 6; ++i) {
    job.step("decode token " + std::to_string(i));
    CaseRank& rank = job.rank(0);
    for (int k = 0; k < 158; ++k) {
      rank.kernel("void gemv_q4_kernel<__half>(void*)", 13, {.op = "", .host_us = 12});
      for (int s = 0; s < 4; ++s) rank.kernel("void rms_norm_f16(void*)", 3.5, {.op = "", .host_us = 12});
      rank.copy("Memcpy DtoD (Device -> Device)", 8192, 20e9, false);
    }
    rank.sync();
  }
  expect_reading(job.build(),
                 {.first = {"launch_bound"},
                  .forbidden = {"memory_bound_kernel", "fallback_kernel", "op_storm", "healthy", "sync_stalls"}});
}

// O11, LANfactory PR 120: 0.106 ms of GPU work in a 17 ms step with one float(loss); an 85 % win was announced, 4 % (in
// production under 1 %) measured. Assumed: 20 kernels of 5.3 us, the rest Python that calls nothing.
TEST(OpenCases, O11TheInnocentSync) {
  CaseJob job(1, "NVIDIA A10");
  for (int i = 0; i < 8; ++i) {
    job.step(step_name(i));
    CaseRank& rank = job.rank(0);
    rank.silence(8'000);
    for (int k = 0; k < 20; ++k) rank.kernel("ampere_sgemm_32x32_sliced1x4_tn", 5.3, {.op = "aten::mm", .host_us = 20});
    rank.item();
    rank.silence(8'500);
  }
  expect_reading(job.build(),
                 {.first = {"inconclusive", "launch_bound"},
                  .forbidden = {"sync_stalls", "memory_bound_kernel", "gc_pauses", "precision_fallback", "healthy"}});
}

// O13, sglang PR 28067 (TP8, B300): one rank collects for up to 41 s while its peers stand in the all-reduce. Assumed:
// 4 ranks, decode steps of 30 ms, pauses of 7 s and 41 s in which nothing is recorded.
TEST(OpenCases, O13CollectorOnOneRank) {
  CaseJob job(4, "NVIDIA B200");
  for (int i = 0; i < 14; ++i) {
    job.step("step[DECODE bs=64]");
    job.each([&](CaseRank& rank, size_t r) {
      if (r == 2 && i == 4) rank.silence(7'000'000);
      if (r == 2 && i == 9) rank.silence(41'170'000);
    });
    for (int layer = 0; layer < 20; ++layer) {
      job.each([](CaseRank& rank) { rank.kernel("nvjet_tst_64x64_64x16_2x1_2cta_v_bz_TNT", 1'300); });
      job.collective(trace::CollectiveKind::all_reduce, 40, {.bytes = 2'000'000, .compute_waits = true});
    }
    job.each([](CaseRank& rank) { rank.sync(); });
  }
  expect_reading(job.build(), {.first = {"gc_pauses"},
                               .forbidden = {"straggler", "bandwidth_bound_collective", "transport_fallback",
                                             "recompilation", "data_skew", "healthy"}});
}

// O13's smaller kin, sglang 30596: pauses of 400 to 430 ms, a third of the throughput; here with stacks, so that the
// collector has a name. Assumed: 12 steps of 250 ms, every third one hit on some rank.
TEST(OpenCases, O13NamedCollections) {
  CaseJob job(2, kH100);
  for (int i = 0; i < 13; ++i) {
    job.step("step[DECODE bs=32]");
    job.each([&](CaseRank& rank, size_t r) {
      if (i % 3 == 1 && r == static_cast<size_t>(i / 3 % 2))
        rank.host(SliceKind::python, "<built-in function collect>", 415'000);
      for (int k = 0; k < 100; ++k) rank.kernel("nvjet_tst_64x64_64x16_2x1_2cta_v_bz_TNT", 2'500);
    });
    job.collective(trace::CollectiveKind::all_reduce, 100, {.bytes = 8'000'000, .compute_waits = true});
    job.each([](CaseRank& rank) { rank.sync(); });
  }
  expect_reading(job.build(), {.first = {"gc_pauses"}, .forbidden = {"straggler", "recompilation", "healthy"}});
}

// O16, pytorch 107076 and kin: a guard fails in every step. Assumed: 1.2 s in Dynamo a step of 150 ms.
TEST(OpenCases, O16RecompilesInEveryStep) {
  CaseJob job(1, kH100);
  for (int i = 0; i < 6; ++i) {
    job.step(step_name(i));
    CaseRank& rank = job.rank(0);
    rank.range("torch/_dynamo/convert_frame.py(1104): _compile_inner", SliceKind::python,
               [&] { rank.silence(1'200'000); });
    for (int k = 0; k < 100; ++k)
      rank.kernel("triton_poi_fused_add_mul_0", 1'500, {.op = "CompiledFunction", .host_us = 60});
    rank.sync();
  }
  expect_reading(job.build(),
                 {.first = {"recompilation"},
                  .forbidden = {"input_starvation", "launch_bound", "gc_pauses", "warmup_capture", "healthy"}});
}

}  // namespace
}  // namespace td::cases
