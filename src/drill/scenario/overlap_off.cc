#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"

namespace td::drill::scenario {
namespace {

// Of the two forms, hooks that are off show the buckets, a huge cap shows one long bar.
constexpr int32_t kAfterBackwardPermille = 600;

Result<Instance> draw(const DrawRequest& request) {
  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  instance.job = TRY(sim::draw_job(job_stream));
  instance.fixed_job = instance.job;

  RandomStream fault_stream(request.seed, "drill.fault");
  const bool after_backward = fault_stream.chance_permille(kAfterBackwardPermille);
  instance.faults.push_back(
      {.fault = "overlap_off", .numbers = {}, .words = {{"form", after_backward ? "after_backward" : "one_bucket"}}});
  return instance;
}

}  // namespace

// The same job, its gradients reduced after backward instead of inside it.
Scenario overlap_off() {
  return {.id = "overlap_off",
          .cause = "unoverlapped_allreduce",
          .draw = draw,
          .min_win_permille = 50,
          .max_win_permille = 400,
          .min_exposed_permille = 60};
}

}  // namespace td::drill::scenario
