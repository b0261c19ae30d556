#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"

namespace td::drill::scenario {
namespace {

// Microbatches that hide the all-reduce, at most four: more would not fit a few hundred kernels a step.
int32_t accumulation_that_hides(sim::Job job) {
  constexpr double kHiddenFrac = 0.04;
  for (int32_t factor : {2, 3, 4}) {
    sim::Job candidate = job;
    candidate.accumulation = job.accumulation * factor;
    if (sim::predicted_exposed_frac(candidate) <= kHiddenFrac || factor == 4) return candidate.accumulation;
  }
  return job.accumulation;
}

Result<Instance> draw(uint64_t seed) {
  RandomStream stream(seed, "drill.job");
  const sim::SlowFabricJob drawn = TRY(sim::draw_slow_fabric_job(stream));
  const sim::FaultInstance slow = {
      .fault = "slow_fabric", .numbers = {}, .words = {{"fabric", hardware::fabric_text(drawn.slow_fabric)}}};
  Instance instance;
  instance.job = drawn.job;
  instance.faults.push_back(slow);
  // The fix leaves the fabric as it is: fewer bytes a token.
  instance.fixed_faults.push_back(slow);
  instance.fixed_job = drawn.job;
  if (drawn.job.grad_dtype == trace::DType::float32) {
    instance.fixed_job.grad_dtype = trace::DType::bfloat16;
  } else {
    sim::Job on_slow_fabric = drawn.job;
    on_slow_fabric.fabric = drawn.slow_fabric;
    instance.fixed_job.accumulation = accumulation_that_hides(on_slow_fabric);
    instance.per_token = true;
  }
  return instance;
}

}  // namespace

// The same job on a fabric whose bandwidth backward cannot hide; the fix is fewer bytes a token.
Scenario bandwidth_fabric() {
  return {.id = "bandwidth_fabric",
          .cause = "bandwidth_bound_collective",
          .draw = draw,
          .min_win_permille = 50,
          .max_win_permille = 600};
}

}  // namespace td::drill::scenario
