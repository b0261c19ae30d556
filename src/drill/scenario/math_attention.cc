#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"
#include "sim/job/predict.h"

namespace td::drill::scenario {
namespace {

constexpr int32_t kMinWinPermille = 150;
constexpr int32_t kMaxWinPermille = 700;

// invalid_argument where the scores of every layer do not fit beside everything else.
Result<sim::Outlook> unfused(const sim::Job& job) {
  sim::Job traced = job;
  traced.attention = sim::Attention::math;
  return sim::predict(traced);
}

Result<Instance> draw(const DrawRequest& request) {
  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  instance.job =
      TRY(sim::draw_job(job_stream, request.traits,
                        {.traced = unfused, .min_win_permille = kMinWinPermille, .max_win_permille = kMaxWinPermille}));
  instance.fixed_job = instance.job;
  instance.faults.push_back({.fault = "math_attention", .numbers = {}, .words = {}});
  return instance;
}

}  // namespace

// The same job with attention written by hand instead of fused: kernels over the scores hold the step.
Scenario math_attention() {
  return {.id = "math_attention",
          .cause = "memory_bound_kernel",
          .draw = draw,
          .min_win_permille = kMinWinPermille,
          .max_win_permille = kMaxWinPermille};
}

}  // namespace td::drill::scenario
