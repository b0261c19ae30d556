#include "sim/job/job.h"

#include <gtest/gtest.h>

#include "sim/job/catalogue.h"
#include "sim/job/model_writer.h"
#include "sim/job/predict.h"

namespace td::sim {
namespace {

Job job_of(std::string_view gpu, std::string_view fabric, std::string_view model, int32_t batch = 4) {
  Job job;
  job.gpu = hardware::find_gpu(gpu);
  job.fabric = hardware::parse_fabric(fabric, 8, job.gpu).value_or(hardware::Fabric{});
  job.model = find_model(model);
  job.batch = batch;
  return job;
}

TEST(Model, ParametersByHand) {
  // llama_1b2: 10 layers of q,k,v 3072 x 5120, out 3072 x 3072, gate, up, down 3 x 3072 x 8192, two norms of 3072;
  // the final norm; two embeddings of 32000 x 3072.
  const int64_t layer = 3072LL * 5120 + 3072LL * 3072 + 3LL * 3072 * 8192 + 2 * 3072;
  EXPECT_EQ(parameter_count(*find_model("llama_1b2")), 10 * layer + 3072 + 2LL * 32000 * 3072);
  for (const Model& model : all_models()) {
    int64_t sum = 0;
    for (const Parameter& parameter : parameters_of(model)) sum += parameter.count();
    EXPECT_EQ(sum, parameter_count(model)) << model.id;
    EXPECT_EQ(find_model(model.id), &model);
  }
}

TEST(Model, FlopPerTokenByHand) {
  // 6 x parameters without the looked-up embedding, plus 6 x 10 layers x 2048 x 24 heads x 128.
  const Model& model = *find_model("llama_1b2");
  const double dense = 6.0 * static_cast<double>(parameter_count(model) - 32000LL * 3072);
  EXPECT_DOUBLE_EQ(training_flop_per_token(model, 2048), dense + 6.0 * 10 * 2048 * 24 * 128);
}

TEST(Job, MustFitTheMemory) {
  EXPECT_TRUE(check_job(job_of("h100_sxm", "nvlink", "llama_1b2")).has_value());
  const Status status = check_job(job_of("a100_40gb", "nvlink", "gpt_2b1", 16));
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::invalid_argument);
  EXPECT_NE(status.error().message.find("A100 40GB SXM has 39 GB usable"), std::string::npos) << status.error().text();
  EXPECT_GT(memory_needed_bytes(job_of("a100_40gb", "nvlink", "gpt_2b1", 16)), 42'000'000'000);
}

TEST(Job, ImpossibleOnesAreErrors) {
  Job job = job_of("h100_sxm", "nvlink", "llama_1b2");
  job.batch = 0;
  EXPECT_FALSE(check_job(job).has_value());
  EXPECT_FALSE(check_job(Job{}).has_value());
  job = job_of("h100_sxm", "nvlink", "llama_1b2");
  job.grad_dtype = trace::DType::int8;
  EXPECT_FALSE(check_job(job).has_value());
  job = job_of("h100_sxm", "nvlink", "llama_1b2");
  job.recorded_steps = 0;
  EXPECT_FALSE(check_job(job).has_value());
}

TEST(Job, KernelsPerStepFollowFromTheProgram) {
  // A microbatch more: forward and backward again, and an add for each parameter.
  Job job = job_of("h100_sxm", "nvlink", "llama_1b2");
  const int64_t one = kernels_per_step(job);
  job.accumulation = 2;
  EXPECT_GT(kernels_per_step(job), one + 350);
  EXPECT_LT(kernels_per_step(job), 2 * one);
}

TEST(Catalogue, EveryDrawIsHealthyAndBounded) {
  for (uint64_t seed = 0; seed < 25; ++seed) {
    RandomStream stream(seed, "drill.job");
    const auto job = draw_job(stream);
    ASSERT_TRUE(job.has_value()) << job.error().text();
    const auto outlook = predict(*job);
    ASSERT_TRUE(outlook.has_value());
    EXPECT_LE(outlook->exposed_frac, 0.018);
    EXPECT_GT(outlook->busy_frac, 0.97);
    EXPECT_LT(outlook->mfu, 0.65);
    EXPECT_LE(outlook->kernels, 900);
    EXPECT_EQ(job->fabric.world_size(), 8);
  }
}

TEST(Catalogue, SlowFabricsExposeCommunication) {
  for (uint64_t seed = 0; seed < 25; ++seed) {
    RandomStream stream(seed, "drill.job");
    const auto drawn = draw_slow_fabric_job(stream);
    ASSERT_TRUE(drawn.has_value()) << drawn.error().text();
    EXPECT_LE(predicted_exposed_frac(drawn->job), 0.018);
    Job slow = drawn->job;
    slow.fabric = drawn->slow_fabric;
    EXPECT_GE(predicted_exposed_frac(slow), 0.08);
    EXPECT_LE(predicted_exposed_frac(slow), 0.45);
  }
}

TEST(Catalogue, JobsHaveTheStepThatIsWanted) {
  int near = 0;
  int found = 0;
  constexpr int kSeeds = 25;
  for (uint64_t seed = 100; seed < 100 + kSeeds; ++seed) {
    RandomStream stream(seed, "drill.job");
    const auto traits = draw_data_parallel_traits(stream);
    ASSERT_TRUE(traits.has_value());
    const auto job = draw_job(stream, *traits, {.step_permille = 800});
    const auto bound = draw_slow_fabric_job(stream, *traits);
    if (!job || !bound) continue;
    ++found;
    Job slow = bound->job;
    slow.fabric = bound->slow_fabric;
    EXPECT_EQ(fabric_text(job->fabric), fabric_text(bound->slow_fabric));
    const auto step = static_cast<double>(traits->step_ns);
    const double healthy = static_cast<double>(predict(*job)->step_ns) / (0.8 * step);
    const double exposed = static_cast<double>(predict(slow)->step_ns) / step;
    near += healthy > 0.75 && healthy < 1.33 && exposed > 0.75 && exposed < 1.33 ? 1 : 0;
  }
  EXPECT_GE(found, kSeeds * 7 / 10);
  EXPECT_GE(near, found * 7 / 10);
}

TEST(Catalogue, WhatNoJobHasIsNotFound) {
  RandomStream stream(1, "drill.job");
  const auto traits = draw_data_parallel_traits(stream);
  ASSERT_TRUE(traits.has_value());
  const auto job = draw_job(stream, *traits, {.also = [](const Job&) { return false; }});
  ASSERT_FALSE(job.has_value());
  EXPECT_EQ(job.error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace td::sim
