// The families against what is known of such models, and each as a job that runs.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sim/job/graph.h"
#include "sim/job/predict.h"
#include "sim/simulate.h"
#include "trace/check_trace.h"

namespace td::sim {
namespace {

Job job_of(std::string_view model, int32_t batch, int32_t ranks = 1) {
  Job job;
  job.gpu = hardware::find_gpu("h100_sxm");
  job.fabric = hardware::parse_fabric("nvlink", ranks, job.gpu).value_or(hardware::Fabric{});
  job.model = find_model(model);
  job.batch = batch;
  job.seq_len = 512;
  return job;
}

// One batch a family that an H100 holds.
struct Case {
  std::string_view model;
  int32_t batch;
};
constexpr Case kCases[] = {{"bert_large", 32},   {"vit_l16", 128},   {"resnet50", 128},  {"dit_l", 64},
                           {"dlrm_large", 8192}, {"sage_512", 1024}, {"speech_300m", 12}};

TEST(Families, ParametersAndFlopAsPublished) {
  // ResNet-50: 25.6 M parameters, 4.1 G multiply-adds an image (x 2 FLOP x 3 for training).
  const Model& resnet = *find_model("resnet50");
  EXPECT_NEAR(static_cast<double>(parameter_count(resnet)), 25.6e6, 0.1e6);
  EXPECT_NEAR(training_flop_per_token(resnet, 1), 3 * 2 * 4.1e9, 1.0e9);
  // ViT-B/16: 86 M parameters, 17.6 G multiply-adds an image.
  const Model& vit = *find_model("vit_b16");
  EXPECT_NEAR(static_cast<double>(parameter_count(vit)), 86.5e6, 1.5e6);
  EXPECT_NEAR(training_flop_per_token(vit, 1), 3 * 2 * 17.6e9, 3 * 2 * 0.6e9);
  // BERT base: 110 M.
  EXPECT_NEAR(static_cast<double>(parameter_count(*find_model("bert_base"))), 110e6, 2e6);
}

TEST(Families, GradientsBecomeReadyOnceEachInReverse) {
  for (const Case& one : kCases) {
    const Job job = job_of(one.model, one.batch);
    Program program;
    ProgramWriter writer(program);
    const auto model = make_model_writer(job, {}, writer);
    program.segments.resize(2);
    writer.write_to(program.segments[0]);
    model->forward(0, model->block_count());
    writer.write_to(program.segments[1]);
    std::set<int32_t> ready;
    int32_t block_end = static_cast<int32_t>(model->parameters().size());
    for (int32_t block = model->block_count() - 1; block >= 0; --block) {
      model->backward(block, block + 1, [&](int32_t parameter) {
        EXPECT_TRUE(ready.insert(parameter).second) << one.model;
        EXPECT_GE(parameter, model->first_parameter(block)) << one.model;
        EXPECT_LT(parameter, block_end) << one.model;
      });
      block_end = model->first_parameter(block);
    }
    EXPECT_EQ(ready.size(), model->parameters().size()) << one.model;
  }
}

TEST(Families, RunSoundlyAndBelowThePeak) {
  for (const Case& one : kCases) {
    for (const Execution execution : {Execution::eager, Execution::compiled}) {
      Job job = job_of(one.model, one.batch, 2);
      job.execution = execution;
      const auto done = simulate(job, {}, 7);
      ASSERT_TRUE(done.has_value()) << one.model << ": " << done.error().text();
      for (const trace::Violation& violation : trace::check_trace(done->trace, trace::Strictness::simulated)) {
        ADD_FAILURE() << one.model << ": " << violation.rule << ": " << violation.text;
      }
      const auto outlook = predict(job);
      ASSERT_TRUE(outlook.has_value());
      EXPECT_LT(outlook->mfu, 0.65) << one.model;
      EXPECT_GT(outlook->mfu, 0.001) << one.model;
      EXPECT_LE(outlook->kernels, 1500) << one.model;
    }
  }
}

TEST(Families, CompilingFusesAndNeverSlows) {
  for (const Case& one : kCases) {
    Job job = job_of(one.model, one.batch);
    const auto eager = predict(job);
    job.execution = Execution::compiled;
    const auto compiled = predict(job);
    ASSERT_TRUE(eager && compiled) << one.model;
    EXPECT_LT(compiled->kernels, eager->kernels) << one.model;
    EXPECT_LE(compiled->step_ns, eager->step_ns * 101 / 100) << one.model;
  }
}

}  // namespace
}  // namespace td::sim
