#include <algorithm>

#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"
#include "sim/job/predict.h"

namespace td::drill::scenario {
namespace {

// The recommended fix and what it is predicted to win, against what a reader sees: the exposed share.
struct Fix {
  sim::Job job;
  double win_frac = 0;    // predicted, of the step
  double apart_frac = 1;  // |predicted win - exposed|, of the step
};

Result<Fix> fix_of(const sim::Job& on_slow_fabric, const sim::Outlook& traced, sim::Job fixed) {
  const sim::Outlook outlook = TRY(sim::predict(fixed));
  const double microbatches = static_cast<double>(fixed.accumulation) / on_slow_fabric.accumulation;
  const double win = 1 - static_cast<double>(outlook.step_ns) / microbatches / static_cast<double>(traced.step_ns);
  return Fix{fixed, win, win > traced.exposed_frac ? win - traced.exposed_frac : traced.exposed_frac - win};
}

// bf16 on the wire halves fp32's bytes. Where they are bf16 already, accumulate: of two, three or four microbatches the
// number whose win is nearest to what is exposed, since the optimizer's update is shared too and a rest stays exposed.
Result<Fix> recommended_fix(const sim::Job& on_slow_fabric, const sim::Outlook& traced) {
  if (on_slow_fabric.grad_dtype == trace::DType::float32) {
    sim::Job fixed = on_slow_fabric;
    fixed.compress_gradients = true;
    return fix_of(on_slow_fabric, traced, fixed);
  }
  Fix best;
  for (int32_t factor : {2, 3, 4}) {
    sim::Job fixed = on_slow_fabric;
    fixed.accumulation = on_slow_fabric.accumulation * factor;
    const Fix candidate = TRY(fix_of(on_slow_fabric, traced, fixed));
    if (factor == 2 || candidate.apart_frac < best.apart_frac) best = candidate;
  }
  return best;
}

Result<Instance> instance_of(const sim::SlowFabricJob& drawn, const Fix& fix) {
  const sim::FaultInstance slow = {
      .fault = "slow_fabric", .numbers = {}, .words = {{"fabric", hardware::fabric_text(drawn.slow_fabric)}}};
  Instance instance;
  instance.job = drawn.job;
  instance.faults.push_back(slow);
  // The fix leaves the fabric as it is: fewer bytes a token.
  instance.fixed_faults.push_back(slow);
  instance.fixed_job = drawn.job;
  instance.fixed_job.compress_gradients = fix.job.compress_gradients;
  instance.fixed_job.accumulation = fix.job.accumulation;
  instance.per_token = fix.job.accumulation != drawn.job.accumulation;
  return instance;
}

Result<Instance> draw(const DrawRequest& request) {
  // Jobs whose win could not be reckoned from the trace are passed over, cheaply, by prediction; the simulated
  // instance is held to the same by draw.cc.
  constexpr int kDraws = 8;
  constexpr double kAllowedFrac = 0.025;
  constexpr double kAllowedOfWin = 0.17;
  RandomStream stream(request.seed, "drill.job");
  for (int draws = 1;; ++draws) {
    const sim::SlowFabricJob drawn = TRY(sim::draw_slow_fabric_job(stream, request.traits));
    sim::Job on_slow_fabric = drawn.job;
    on_slow_fabric.fabric = drawn.slow_fabric;
    const sim::Outlook traced = TRY(sim::predict(on_slow_fabric));
    const Fix fix = TRY(recommended_fix(on_slow_fabric, traced));
    if (fix.apart_frac <= std::max(kAllowedFrac, kAllowedOfWin * fix.win_frac) || draws == kDraws)
      return instance_of(drawn, fix);
  }
}

}  // namespace

// The same job on a fabric whose bandwidth backward cannot hide; the fix is fewer bytes a token.
Scenario bandwidth_fabric() {
  return {.id = "bandwidth_fabric",
          .cause = "bandwidth_bound_collective",
          .draw = draw,
          .min_win_permille = 50,
          .max_win_permille = 600,
          .min_exposed_permille = 45};
}

}  // namespace td::drill::scenario
