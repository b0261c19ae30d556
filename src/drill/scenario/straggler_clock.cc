#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"

namespace td::drill::scenario {
namespace {

// Clocks are locked in steps of 15 MHz, as nvidia-smi -q -d SUPPORTED_CLOCKS lists them.
constexpr int64_t kClockStepMhz = 15;

Result<Instance> draw(const DrawRequest& request) {
  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  instance.job = TRY(sim::draw_job(job_stream, request.traits, {.step_permille = 830}));
  instance.fixed_job = instance.job;

  RandomStream fault_stream(request.seed, "drill.fault");
  const int64_t rank = fault_stream.uniform_int(0, instance.job.fabric.world_size() - 1);
  const int64_t wanted_permille =
      request.level == Level::hard ? fault_stream.uniform_int(880, 930) : fault_stream.uniform_int(700, 890);
  const int64_t max_mhz = instance.job.gpu->max_sm_mhz;
  const int64_t mhz = max_mhz * wanted_permille / 1000 / kClockStepMhz * kClockStepMhz;
  instance.faults.push_back({.fault = "slow_clock",
                             .numbers = {{"rank", rank}, {"factor_permille", mhz * 1000 / max_mhz}, {"mhz", mhz}},
                             .words = {}});
  return instance;
}

}  // namespace

// One rank's SM clock is held low; every other rank waits for it inside the all-reduce.
Scenario straggler_clock() {
  return {.id = "straggler_clock",
          .cause = "straggler",
          .draw = draw,
          .min_win_permille = 50,
          .max_win_permille = 400,
          .min_exposed_permille = 45};
}

}  // namespace td::drill::scenario
