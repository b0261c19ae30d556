// What traces of each vendor and generation print.
#include "sim/job/dialect.h"

#include <gtest/gtest.h>

#include <set>

#include "sim/simulate.h"
#include "trace/check_trace.h"
#include "trace/kernel_class.h"

namespace td::sim {
namespace {

SimulatedJob run_on(std::string_view gpu, std::string_view model, int32_t batch, int32_t ranks, Execution execution) {
  Job job;
  job.gpu = hardware::find_gpu(gpu);
  const std::string_view fabric = hardware::is_amd(*job.gpu)          ? "xgmi"
                                  : job.gpu->scale_up_bytes_per_s > 0 ? "nvlink"
                                                                      : "pcie4";
  job.fabric = hardware::parse_fabric(fabric, ranks, job.gpu).value_or(hardware::Fabric{});
  job.model = find_model(model);
  job.batch = batch;
  job.seq_len = 512;
  job.execution = execution;
  auto done = simulate(job, {}, 4);
  EXPECT_TRUE(done.has_value()) << gpu << ": " << (done ? "" : done.error().text());
  return done ? std::move(*done) : SimulatedJob{};
}

std::string all_names(const trace::RankTrace& rank) {
  std::set<std::string_view> names;
  for (trace::SliceId i = 0; i < rank.slice_count(); ++i) names.insert(rank.name_of(i));
  std::string text;
  for (const std::string_view name : names) text += std::string(name) + "\n";
  return text;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Dialect, AmdPrintsHipRcclAndTensile) {
  for (const Execution execution : {Execution::eager, Execution::compiled}) {
    const SimulatedJob done = run_on("mi300x", "llama_860m", 4, 4, execution);
    ASSERT_EQ(done.trace.ranks.size(), 4U);
    EXPECT_TRUE(trace::check_trace(done.trace, trace::Strictness::simulated).empty());
    const std::string names = all_names(done.trace.ranks[0]);
    for (const std::string_view part : {"hipExtModuleLaunchKernel", "Cijk_Alik_Bljk_BBS", "ISA942", "attn_fwd",
                                        "ncclDevKernel_Generic_1", "Memcpy HtoD (Host -> Device)"}) {
      EXPECT_TRUE(has(names, part)) << part;
    }
    for (const std::string_view part : {"cudaL", "cudaS", "cudaE", "cudaM", "cudaD", "cuLaunch", "cutlass", "nvjet",
                                        "pytorch_flash", "cub::", "Pinned"}) {
      EXPECT_FALSE(has(names, part)) << part;
    }
  }
}

TEST(Dialect, TuringTakesHalfPrecision) {
  const SimulatedJob done = run_on("t4", "bert_base", 4, 2, Execution::eager);
  ASSERT_EQ(done.trace.ranks.size(), 2U);
  const std::string names = all_names(done.trace.ranks[0]);
  EXPECT_TRUE(has(names, "turing_fp16_s1688gemm"));
  EXPECT_TRUE(has(names, "fmha_cutlassF_f16_aligned_64x64_rf_sm75"));
  EXPECT_TRUE(has(names, "c10::Half"));
  EXPECT_FALSE(has(names, "BFloat16"));
  EXPECT_FALSE(has(names, "bf16"));
  for (const trace::CollectiveArgs& args : done.trace.ranks[0].collectives)
    EXPECT_EQ(args.dtype, trace::DType::float16);
}

TEST(Dialect, EveryGpuRunsAndKeepsItsGenerationsNames) {
  for (const hardware::Gpu& gpu : hardware::all_gpus()) {
    const SimulatedJob done = run_on(gpu.id, "resnet50", 16, 1, Execution::eager);
    ASSERT_EQ(done.trace.ranks.size(), 1U) << gpu.id;
    for (const trace::Violation& violation : trace::check_trace(done.trace, trace::Strictness::simulated)) {
      ADD_FAILURE() << gpu.id << ": " << violation.rule << ": " << violation.text;
    }
    const std::string names = all_names(done.trace.ranks[0]);
    EXPECT_EQ(has(names, "hip"), hardware::is_amd(gpu)) << gpu.id;
    EXPECT_EQ(has(names, "BFloat16"), hardware::has_bf16(gpu)) << gpu.id;
    EXPECT_EQ(has(names, "igemm_fwd_gtcx3"), hardware::is_amd(gpu)) << gpu.id;
  }
}

}  // namespace
}  // namespace td::sim
