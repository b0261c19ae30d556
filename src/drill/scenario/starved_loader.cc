#include <algorithm>

#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"
#include "sim/job/predict.h"

namespace td::drill::scenario {
namespace {

// The loader's period as a multiple of the GPU's own step, permille.
constexpr int64_t kStarvedLowPermille = 1110;
constexpr int64_t kStarvedHighPermille = 1700;
// A loader that keeps up has this period at most.
constexpr int64_t kFedPermille = 720;
constexpr int64_t kMostWorkers = 3;
constexpr int kOneRankPermille = 350;
constexpr int kFewWorkersPermille = 500;

// As few workers as keep up.
int64_t workers_that_feed(TimeNs batch_ns, TimeNs step_ns) {
  const TimeNs period_ns = step_ns * kFedPermille / 1000;
  return (batch_ns + period_ns - 1) / period_ns;
}

Result<Instance> draw(const DrawRequest& request) {
  RandomStream stream(request.seed, "drill.fault");
  const int64_t permille = stream.uniform_int(kStarvedLowPermille, kStarvedHighPermille);
  const auto fed_permille = static_cast<int32_t>(1'000'000 / permille);

  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  instance.job = TRY(sim::draw_job(job_stream, request.traits, {.step_permille = fed_permille}));
  const TimeNs step_ns = TRY(sim::predict(instance.job)).step_ns;
  const int64_t workers = stream.uniform_int(1, kMostWorkers);
  const TimeNs batch_ns = step_ns * permille / 1000 * workers;
  const int64_t feeding = workers_that_feed(batch_ns, step_ns);
  const bool few_workers = stream.chance_permille(kFewWorkersPermille);
  const bool one_rank = stream.chance_permille(kOneRankPermille);
  const int64_t drawn_rank = stream.uniform_int(0, instance.job.fabric.world_size() - 1);

  // Either the workers are too few for such batches, or the batches became too dear for the workers there are.
  instance.job.loader.workers = static_cast<int32_t>(few_workers ? feeding : workers);
  instance.job.loader.batch_ns = few_workers ? batch_ns : step_ns * kFedPermille / 1000 * workers;
  sim::FaultInstance fault = {.fault = "slow_loader", .numbers = {}, .words = {}};
  if (few_workers) fault.numbers.emplace_back("workers", workers);
  if (!few_workers) fault.numbers.emplace_back("batch_ns", batch_ns);
  if (one_rank) fault.numbers.emplace_back("rank", drawn_rank);
  instance.faults.push_back(fault);
  // The fix is workers, in both cases: it leaves a batch as dear as it is.
  instance.fixed_job = instance.job;
  instance.fixed_job.loader.workers = static_cast<int32_t>(feeding);
  instance.fixed_job.loader.batch_ns = batch_ns;
  return instance;
}

}  // namespace

// Loader workers make batches more slowly than the GPUs use them up: on all ranks, or on one, for which the others then
// wait in their collectives.
Scenario starved_loader() {
  return {.id = "starved_loader",
          .cause = "input_starvation",
          .draw = draw,
          .min_win_permille = 70,
          .max_win_permille = 450};
}

}  // namespace td::drill::scenario
