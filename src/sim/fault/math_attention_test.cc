#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>

#include "sim/job/math_attention.h"
#include "sim/simulate.h"
#include "trace/check_trace.h"

namespace td::sim {
namespace {

Job small_job(std::string_view model) {
  Job job;
  job.gpu = hardware::find_gpu("h100_sxm");
  job.fabric = hardware::parse_fabric("2x4:ib400x4", 8, job.gpu).value_or(hardware::Fabric{});
  job.model = find_model(model);
  job.batch = 4;
  job.seq_len = 2048;
  job.recorded_steps = 2;
  return job;
}

const FaultInstance kUnfused = {.fault = "math_attention", .numbers = {}, .words = {}};

TEST(MathAttention, ScoresTakeMemoryInEachLayer) {
  Job job = small_job("gpt_760m");
  const int64_t fused = memory_needed_bytes(job);
  job.attention = Attention::math;
  // 4 x 16 x 2048^2 scores, 13 layers that keep 7 bytes each, and 12 bytes while one runs.
  EXPECT_EQ(memory_needed_bytes(job) - fused, 4LL * 16 * 2048 * 2048 * (13 * 7 + 12));
  job.seq_len = 4096;
  job.batch = 8;
  EXPECT_FALSE(check_job(job).has_value());
  job.attention = Attention::flash;
  EXPECT_TRUE(check_job(job).has_value());
}

TEST(MathAttention, AJobWhoseScoresDoNotFitIsAnError) {
  Job job = small_job("gpt_760m");
  job.seq_len = 4096;
  job.batch = 8;
  const auto done = simulate(job, {&kUnfused, 1}, 1);
  ASSERT_FALSE(done.has_value());
  EXPECT_NE(done.error().message.find("GB usable"), std::string::npos) << done.error().text();
}

// Every kernel over the scores takes at least its bytes over the label, and all together no less than the bytes that
// the model of this fault states.
TEST(MathAttention, KernelsKeepToTheMemorysRate) {
  for (const std::string_view model : {"gpt_760m", "llama_1b2"}) {
    const Job job = small_job(model);
    const auto done = simulate(job, {&kUnfused, 1}, 3);
    ASSERT_TRUE(done.has_value()) << done.error().text();
    EXPECT_TRUE(trace::check_trace(done->trace, trace::Strictness::simulated).empty());
    const trace::RankTrace& rank = done->trace.ranks[0];
    std::map<int64_t, trace::SliceId> op_of;
    for (const trace::OpArgs& op : rank.ops) {
      const bool product = rank.name_of(op.slice) == "aten::bmm";
      const std::string scores_of = std::to_string(job.model->heads) + ",2048,2048]";
      const bool square = rank.strings.view(op.shapes).find(scores_of) != std::string_view::npos;
      if (rank.kind[op.slice] == trace::SliceKind::host_op && (product || square)) op_of[op.external_id] = op.slice;
    }
    TimeNs sum_ns = 0;
    int64_t kernels = 0;
    const double scores = static_cast<double>(attention_scores(job));
    for (trace::SliceId slice = 0; slice < rank.slice_count(); ++slice) {
      const trace::OpArgs* args = rank.op_args(slice);
      if (rank.kind[slice] != trace::SliceKind::compute || args == nullptr || !op_of.contains(args->external_id))
        continue;
      // At least one BF16 tensor of scores each.
      EXPECT_GE(static_cast<double>(rank.dur_ns[slice]), 2 * scores / job.gpu->hbm_bytes_per_s * 1e9);
      sum_ns += rank.dur_ns[slice];
      ++kernels;
    }
    const int per_layer = has_attention_dropout(*job.model) ? 17 : 15;
    EXPECT_EQ(kernels, int64_t{per_layer} * job.model->layers * job.recorded_steps) << model;
    const double bytes =
        scores * static_cast<double>(bytes_per_score(*job.model)) * job.model->layers * job.recorded_steps;
    EXPECT_GE(static_cast<double>(sum_ns), bytes / job.gpu->hbm_bytes_per_s * 1e9);
    EXPECT_LE(static_cast<double>(sum_ns), bytes / job.gpu->hbm_bytes_per_s * 1e9 * 1.35);
  }
}

TEST(MathAttention, FusingNeverLengthensTheStep) {
  const Job job = small_job("llama_860m");
  const auto slow = simulate(job, {&kUnfused, 1}, 2);
  const auto fast = simulate(job, {}, 2);
  ASSERT_TRUE(slow && fast);
  EXPECT_GT(slow->mean_step_ns, fast->mean_step_ns);
}

}  // namespace
}  // namespace td::sim
