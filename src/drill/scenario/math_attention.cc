#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"

namespace td::drill::scenario {
namespace {

// The scores of every layer must fit beside everything else.
bool fits_with_scores(const sim::Job& job) {
  sim::Job unfused = job;
  unfused.attention = sim::Attention::math;
  return sim::check_job(unfused).has_value();
}

Result<Instance> draw(const DrawRequest& request) {
  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  instance.job = TRY(sim::draw_job_that(job_stream, fits_with_scores));
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
          .min_win_permille = 150,
          .max_win_permille = 700};
}

}  // namespace td::drill::scenario
