#include <algorithm>

#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"

namespace td::drill::scenario {
namespace {

struct Excess {
  int64_t low_permille;
  int64_t high_permille;
};
constexpr Excess kStandard = {120, 400};
constexpr Excess kHard = {60, 140};

// One sequence more must be no more than the largest excess, and must fit the memory.
bool can_be_heavier(const sim::Job& job) {
  sim::Job heavy = job;
  heavy.batch = job.batch + std::max(1, job.batch * 4 / 10);
  return job.batch >= 4 && job.parallelism.kind != sim::Parallelism::Kind::pipeline &&
         sim::check_job(heavy).has_value();
}

Result<Instance> draw(const DrawRequest& request) {
  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  instance.job = TRY(sim::draw_job(job_stream, request.traits, {.step_permille = 850, .also = can_be_heavier}));
  instance.fixed_job = instance.job;

  RandomStream stream(request.seed, "drill.fault");
  const int64_t rank = stream.uniform_int(0, instance.job.fabric.world_size() - 1);
  const Excess& excess = request.level == Level::hard ? kHard : kStandard;
  const int64_t permille = stream.uniform_int(excess.low_permille, excess.high_permille);
  const int64_t more =
      std::clamp<int64_t>(instance.job.batch * permille / 1000, 1, std::max(1, instance.job.batch * 4 / 10));
  instance.faults.push_back(
      {.fault = "heavy_batch", .numbers = {{"rank", rank}, {"batch", instance.job.batch + more}}, .words = {}});
  return instance;
}

}  // namespace

// One rank gets more sequences than the others in every step; they wait for it inside the all-reduce.
Scenario straggler_data() {
  return {.id = "straggler_data",
          .cause = "straggler",
          .draw = draw,
          .min_win_permille = 50,
          .max_win_permille = 400,
          .min_exposed_permille = 45};
}

}  // namespace td::drill::scenario
