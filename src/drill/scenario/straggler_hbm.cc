#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"

namespace td::drill::scenario {
namespace {

struct Factor {
  int64_t low_permille;
  int64_t high_permille;
};
constexpr Factor kStandard = {450, 720};
constexpr Factor kHard = {680, 830};

Result<Instance> draw(const DrawRequest& request) {
  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  instance.job = TRY(sim::draw_job(job_stream, request.traits, {.step_permille = 870}));
  instance.fixed_job = instance.job;

  RandomStream stream(request.seed, "drill.fault");
  const int64_t rank = stream.uniform_int(0, instance.job.fabric.world_size() - 1);
  const Factor& factor = request.level == Level::hard ? kHard : kStandard;
  instance.faults.push_back(
      {.fault = "slow_hbm",
       .numbers = {{"rank", rank}, {"factor_permille", stream.uniform_int(factor.low_permille, factor.high_permille)}},
       .words = {}});
  return instance;
}

}  // namespace

// One rank's memory is slow; every other rank waits for it inside the all-reduce. Its matrix products are as fast as
// theirs.
Scenario straggler_hbm() {
  return {.id = "straggler_hbm",
          .cause = "straggler",
          .draw = draw,
          .min_win_permille = 50,
          .max_win_permille = 400,
          .min_exposed_permille = 45};
}

}  // namespace td::drill::scenario
