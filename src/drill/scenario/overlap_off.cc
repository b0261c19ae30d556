#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"
#include "sim/job/predict.h"

namespace td::drill::scenario {
namespace {

// Of the two forms, hooks that are off show the buckets, a huge cap shows one long bar, which is harder to tell from a
// fabric that is too slow.
constexpr int32_t kAfterBackwardPermille = 600;
constexpr int32_t kHardAfterBackwardPermille = 250;

constexpr int32_t kMinWinPermille = 50;
constexpr int32_t kMaxWinPermille = 400;

// As both forms come out.
Result<sim::Outlook> reduced_late(const sim::Job& job) {
  sim::Job traced = job;
  traced.overlap_reduction = false;
  return sim::predict(traced);
}

Result<Instance> draw(const DrawRequest& request) {
  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  instance.job = TRY(sim::draw_job(
      job_stream, request.traits,
      {.traced = reduced_late, .min_win_permille = kMinWinPermille, .max_win_permille = kMaxWinPermille}));
  instance.fixed_job = instance.job;

  RandomStream fault_stream(request.seed, "drill.fault");
  const bool after_backward =
      fault_stream.chance_permille(request.level == Level::hard ? kHardAfterBackwardPermille : kAfterBackwardPermille);
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
          .min_win_permille = kMinWinPermille,
          .max_win_permille = kMaxWinPermille,
          .min_exposed_permille = 60};
}

}  // namespace td::drill::scenario
