#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"
#include "sim/job/predict.h"

namespace td::drill::scenario {
namespace {

constexpr int32_t kMinWinPermille = 50;
constexpr int32_t kMaxWinPermille = 440;

// Healthy as it is in BF16; what FP32 gradients make of it.
Result<sim::Outlook> in_fp32(const sim::Job& job) {
  sim::Job wide = job;
  wide.grad_dtype = trace::DType::float32;
  return sim::predict(wide);
}

bool is_bf16(const sim::Job& job) { return job.grad_dtype != trace::DType::float32; }

Result<Instance> draw(const DrawRequest& request) {
  RandomStream stream(request.seed, "drill.job");
  Instance instance;
  instance.job = TRY(sim::draw_job(stream, request.traits,
                                   {.traced = in_fp32,
                                    .min_win_permille = kMinWinPermille + 30,
                                    .max_win_permille = kMaxWinPermille - 20,
                                    .also = is_bf16}));
  instance.fixed_job = instance.job;
  instance.faults.push_back({.fault = "fp32_gradients", .numbers = {}, .words = {}});
  // The fix halves the bytes on the wire and leaves the gradients as they are: kernels over them take what they took.
  instance.fixed_faults = instance.faults;
  instance.fixed_job.compress_gradients = true;
  return instance;
}

}  // namespace

// The fabric is the one that the job is healthy on; gradients in FP32 put twice the bytes on it.
Scenario bandwidth_fp32() {
  return {.id = "bandwidth_fp32",
          .cause = "bandwidth_bound_collective",
          .draw = draw,
          .min_win_permille = kMinWinPermille,
          .max_win_permille = kMaxWinPermille,
          .min_exposed_permille = 45};
}

}  // namespace td::drill::scenario
