// Kinds that the open reports do not stand for, each as a trace with its cause and the readings it must not give. All
// numbers are assumed, within the ranges of the detectors' sources.
#include <gtest/gtest.h>

#include "case_job.h"

namespace td::cases {
namespace {

using trace::CollectiveKind;
using trace::SliceKind;

constexpr std::string_view kH100 = "NVIDIA H100 80GB HBM3";
constexpr const char* kGemm = "nvjet_tst_192x192_64x4_2x1_v_bz_coopB_TNN";

std::string step_name(int i) { return "ProfilerStep#" + std::to_string(i); }

void products(CaseRank& rank, int count, double us) {
  for (int k = 0; k < count; ++k) rank.kernel(kGemm, us);
}

TEST(FurtherKinds, BatchesFromPageableMemory) {
  CaseJob job(1, kH100);
  for (int i = 0; i < 5; ++i) {
    job.step(step_name(i));
    job.rank(0).copy("Memcpy HtoD (Pageable -> Device)", 154'000'000, 9e9, true);
    products(job.rank(0), 60, 1'000);
    job.rank(0).sync();
  }
  expect_reading(job.build(),
                 {.first = {"pageable_copy"}, .forbidden = {"input_starvation", "sync_stalls", "healthy"}});
}

TEST(FurtherKinds, PinnedBatchesBesideComputeAreHealthy) {
  CaseJob job(1, kH100);
  for (int i = 0; i < 5; ++i) {
    job.step(step_name(i));
    job.rank(0).copy("Memcpy HtoD (Pinned -> Device)", 20'000'000, 50e9, false);
    products(job.rank(0), 60, 1'000);
  }
  expect_reading(job.build(), {.first = {"healthy"}});
}

TEST(FurtherKinds, SamplesOfUnequalLength) {
  CaseJob job(4, kH100);
  for (int i = 0; i < 8; ++i) {
    job.step(step_name(i));
    job.each([&](CaseRank& rank, size_t r) {
      const bool longer = r == static_cast<size_t>(i * 7 % 4);
      for (int k = 0; k < 60; ++k) rank.kernel(kGemm, longer ? 700 : 500, {.grid = longer ? 150U : 108U});
    });
    job.collective(CollectiveKind::all_reduce, 500, {.bytes = 60'000'000, .compute_waits = true});
    job.each([](CaseRank& rank) { rank.kernel("multi_tensor_apply_kernel", 500); });
  }
  expect_reading(job.build(),
                 {.first = {"data_skew"},
                  .forbidden = {"straggler", "bandwidth_bound_collective", "unoverlapped_allreduce", "healthy"}});
}

TEST(FurtherKinds, ARankWithMoreTokensForItsExperts) {
  CaseJob job(4, kH100);
  for (int i = 0; i < 5; ++i) {
    job.step(step_name(i));
    for (int layer = 0; layer < 12; ++layer) {
      job.each([](CaseRank& rank) { products(rank, 4, 300); });
      job.collective(CollectiveKind::all_to_all, 150, {.bytes = 30'000'000, .compute_waits = true});
      job.each([&](CaseRank& rank, size_t r) {
        const bool hot = r == 1;
        for (int k = 0; k < 3; ++k)
          rank.kernel("void cutlass::device_kernel<grouped_gemm::GemmKernel>", hot ? 900 : 400,
                      {.grid = hot ? 240U : 110U});
      });
      job.collective(CollectiveKind::all_to_all, 150, {.bytes = 30'000'000, .compute_waits = true});
    }
  }
  expect_reading(job.build(),
                 {.first = {"expert_imbalance"}, .forbidden = {"straggler", "transport_fallback", "healthy"}});
}

// The bucket's bytes at 6 GB/s where NVLink carries hundreds.
TEST(FurtherKinds, SocketsInsteadOfPeerAccess) {
  CaseJob job(4, kH100);
  for (int i = 0; i < 5; ++i) {
    job.step(step_name(i));
    for (int bucket = 0; bucket < 6; ++bucket) {
      job.each([](CaseRank& rank) { products(rank, 10, 900); });
      job.collective(CollectiveKind::all_reduce, 12'500, {.bytes = 50'000'000});
    }
    job.each([](CaseRank& rank) {
      rank.wait(7, 20);
      rank.kernel("multi_tensor_apply_kernel", 1'000);
    });
  }
  const trace::Trace trace = job.build();
  expect_reading(trace,
                 {.first = {"transport_fallback"}, .forbidden = {"bandwidth_bound_collective", "straggler", "healthy"}},
                 facts_with_fabric(trace, "nvlink"));
  // Without the fabric, no trace can tell a slow path from a slow fabric.
  expect_reading(trace, {.forbidden = {"transport_fallback", "bandwidth_bound_collective", "straggler", "healthy"}});
}

TEST(FurtherKinds, ProductsWithoutTensorCores) {
  CaseJob job(1, "NVIDIA A100-SXM4-80GB");
  for (int i = 0; i < 5; ++i) {
    job.step(step_name(i));
    for (int k = 0; k < 60; ++k) job.rank(0).kernel("ampere_sgemm_128x64_tn", 1'000);
    for (int k = 0; k < 60; ++k) job.rank(0).kernel("void at::native::vectorized_elementwise_kernel<4>(int)", 50);
  }
  expect_reading(job.build(),
                 {.first = {"precision_fallback"}, .forbidden = {"healthy", "launch_bound", "fallback_kernel"}});
}

// Every product 1.22x as long as in the reference, elementwise kernels as long as there.
TEST(FurtherKinds, AWholeNodeUnderAPowerCap) {
  const auto run = [](double factor) {
    CaseJob job(2, kH100);
    for (int i = 0; i < 5; ++i) {
      job.step(step_name(i));
      job.each([&](CaseRank& rank) {
        for (int k = 0; k < 40; ++k) {
          rank.kernel(kGemm, 500 * factor);
          rank.kernel("nvjet_tst_192x208_64x4_1x1_h_bz_coopB_bias_TNT", 700 * factor);
          rank.kernel("void flash::compute_attn_ws<Flash_fwd_kernel_traits<128>>", 300 * factor);
          rank.kernel("void at::native::vectorized_elementwise_kernel<4>(int)", 60);
        }
      });
      job.collective(CollectiveKind::all_reduce, 500, {.bytes = 60'000'000, .compute_waits = true});
    }
    return job.build();
  };
  const trace::Trace good = run(1);
  const trace::Trace slow = run(1.22);
  analysis::Facts facts;
  facts.reference = &good;
  expect_reading(slow, {.first = {"uniform_throttle"}, .forbidden = {"straggler", "memory_bound_kernel"}}, facts);
  expect_reading(good, {.forbidden = {"uniform_throttle"}}, facts);
  expect_reading(slow, {.first = {"healthy"}});  // alone it looks well: nothing in it says how fast it could be
}

TEST(FurtherKinds, GradientsReducedOnTheComputeStream) {
  CaseJob job(2, kH100);
  for (int i = 0; i < 5; ++i) {
    job.step(step_name(i));
    job.each([](CaseRank& rank) { products(rank, 40, 500); });
    std::vector<double> begin_us;
    job.each([&](CaseRank& rank) { begin_us.push_back(rank.now_us()); });
    for (int layer = 0; layer < 10; ++layer) {
      job.each([](CaseRank& rank) { products(rank, 6, 500); });
      job.collective(CollectiveKind::all_reduce, 900, {.stream = 7, .bytes = 60'000'000, .after_compute = false});
    }
    job.each([&](CaseRank& rank, size_t r) { rank.mark("backward", begin_us[r]); });
  }
  expect_reading(job.build(), {.first = {"comm_on_compute_stream"},
                               .forbidden = {"straggler", "bandwidth_bound_collective", "healthy"}});
}

TEST(FurtherKinds, HundredsOfElementwiseKernels) {
  CaseJob job(1, kH100);
  for (int i = 0; i < 5; ++i) {
    job.step(step_name(i));
    for (int layer = 0; layer < 30; ++layer) {
      products(job.rank(0), 2, 400);
      for (int k = 0; k < 10; ++k)
        job.rank(0).kernel(k % 2 == 0 ? "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add>"
                                      : "void at::native::elementwise_kernel<128, 4, direct_copy_kernel_cuda>",
                           120);
    }
  }
  expect_reading(job.build(), {.first = {"op_storm"}, .forbidden = {"launch_bound", "healthy"}});
}

TEST(FurtherKinds, StepsThatMissTheirGraph) {
  CaseJob job(1, kH100);
  const std::vector<std::string> names(200, "nvjet_tst_64x64_64x16_2x1_2cta_v_bz_TNT");
  for (int i = 0; i < 12; ++i) {
    job.step("decode " + std::to_string(i));
    if (i % 4 == 2) {
      for (int k = 0; k < 200; ++k) job.rank(0).kernel(names[0], 20, {.host_us = 60});
    } else {
      job.rank(0).graph(names, 20);
    }
    job.rank(0).sync();
  }
  expect_reading(job.build(),
                 {.first = {"graph_break"}, .forbidden = {"recompilation", "gc_pauses", "healthy", "sync_stalls"}});
}

TEST(FurtherKinds, APromptBetweenTokens) {
  CaseJob job(1, kH100);
  for (int i = 0; i < 20; ++i) {
    const bool prompt = i % 9 == 5;
    job.step(prompt ? "execute_context_1(8192)_generation_37(37)" : "execute_context_0(0)_generation_37(37)");
    for (int k = 0; k < 60; ++k) {
      job.rank(0).kernel("kernel_unified_attention_2d", prompt ? 5'000 : 100);
      job.rank(0).kernel("nvjet_tst_64x64_64x16_2x1_2cta_v_bz_TNT", prompt ? 10'000 : 220);
    }
  }
  expect_reading(job.build(),
                 {.first = {"prefill_blocks_decode"}, .forbidden = {"gc_pauses", "recompilation", "healthy"}});
}

TEST(FurtherKinds, ACheckpointEveryFifthStep) {
  CaseJob job(1, kH100);
  for (int i = 0; i < 16; ++i) {
    job.step(step_name(i));
    products(job.rank(0), 60, 1'000);
    job.rank(0).sync();
    if (i % 5 != 4) continue;
    for (int k = 0; k < 10; ++k) job.rank(0).copy("Memcpy DtoH (Device -> Pageable)", 100'000'000, 10e9, true);
    job.rank(0).silence(400'000);
  }
  expect_reading(job.build(), {.first = {"checkpoint_stall"},
                               .forbidden = {"gc_pauses", "recompilation", "sync_stalls", "healthy"}});
}

TEST(FurtherKinds, TheFirstStepsOfAProcess) {
  CaseJob job(1, kH100);
  for (int i = 0; i < 3; ++i) {
    job.step(step_name(i));
    CaseRank& rank = job.rank(0);
    for (int k = 0; k < 60; ++k) {
      if (k % 3 == 0) rank.host(SliceKind::runtime, "cudaMalloc", 900);
      if (k % 2 == 0) rank.host(SliceKind::runtime, "cuModuleLoadData", 1'500);
      rank.kernel(kGemm, 500);
    }
  }
  expect_reading(job.build(), {.first = {"warmup_capture"}, .forbidden = {"healthy", "launch_bound", "recompilation"}});
}

TEST(FurtherKinds, TheProfilersOwnRows) {
  CaseJob job(1, kH100);
  for (int i = 0; i < 5; ++i) {
    job.step(step_name(i));
    products(job.rank(0), 60, 500);
    job.rank(0).sync();
    job.rank(0).overhead("Buffer Flush", 6'000);
  }
  expect_reading(job.build(), {.first = {"profiler_overhead"}, .forbidden = {"healthy", "launch_bound", "gc_pauses"}});
}

}  // namespace
}  // namespace td::cases
