#include <algorithm>
#include <optional>
#include <vector>

#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"
#include "sim/job/predict.h"

namespace td::drill::scenario {
namespace {

// The loader's period as a multiple of the GPU's own step, permille.
constexpr int64_t kStarvedLowPermille = 1110;
constexpr int64_t kStarvedHighPermille = 1700;
constexpr int64_t kHardLowPermille = 1065;
constexpr int64_t kHardHighPermille = 1130;
// At the hard level: one worker of two or three is slow, and one step in as many waits. How much longer its batch takes
// than that many steps, of one step.
constexpr int kOneWorkerPermille = 500;
constexpr int64_t kOneWorkerLowPermille = 200;
constexpr int64_t kOneWorkerHighPermille = 700;
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

// The workers of which one is slow: those whose batches two steady steps or more ask for.
std::vector<int64_t> slow_workers(const sim::Job& job, int64_t workers) {
  std::vector<int64_t> out;
  for (int64_t worker = 0; worker < workers; ++worker) {
    int64_t hit = 0;
    for (int64_t step = 1; step < job.recorded_steps; ++step) hit += (job.warmup_steps + step) % workers == worker;
    if (hit >= 2) out.push_back(worker);
  }
  return out;
}

// One slow worker; nothing if the window is too short to show its rhythm.
Result<std::optional<Instance>> draw_slow_worker(const DrawRequest& request, RandomStream& stream) {
  const int64_t workers = stream.uniform_int(2, 3);
  const int64_t more_permille = stream.uniform_int(kOneWorkerLowPermille, kOneWorkerHighPermille);
  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  const auto left_permille = static_cast<int32_t>(1'000'000 / (1000 + more_permille / workers));
  instance.job = TRY(sim::draw_job(job_stream, request.traits, {.step_permille = left_permille}));
  const TimeNs step_ns = TRY(sim::predict(instance.job)).step_ns;
  const std::vector<int64_t> slow = slow_workers(instance.job, workers);
  if (slow.empty() || instance.job.accumulation != 1) return std::nullopt;
  const int64_t worker = slow[static_cast<size_t>(stream.uniform_int(0, std::ssize(slow) - 1))];
  instance.job.loader.workers = static_cast<int32_t>(workers);
  instance.job.loader.batch_ns = step_ns * kFedPermille / 1000 * workers;
  instance.fixed_job = instance.job;
  instance.faults.push_back(
      {.fault = "slow_loader",
       .numbers = {{"slow_worker", worker}, {"slow_batch_ns", step_ns * workers + step_ns * more_permille / 1000}},
       .words = {}});
  return instance;
}

Result<Instance> draw(const DrawRequest& request) {
  RandomStream stream(request.seed, "drill.fault");
  const bool hard = request.level == Level::hard;
  if (hard && stream.chance_permille(kOneWorkerPermille)) {
    std::optional<Instance> instance = TRY(draw_slow_worker(request, stream));
    if (instance) return *std::move(instance);
  }
  const int64_t permille = hard ? stream.uniform_int(kHardLowPermille, kHardHighPermille)
                                : stream.uniform_int(kStarvedLowPermille, kStarvedHighPermille);
  const auto fed_permille = static_cast<int32_t>(1'000'000 / permille);

  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  instance.job = TRY(sim::draw_job(job_stream, request.traits, {.step_permille = fed_permille}));
  const TimeNs step_ns = TRY(sim::predict(instance.job)).step_ns / instance.job.accumulation;  // a batch's share
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
          .min_win_permille = 50,
          .max_win_permille = 450};
}

}  // namespace td::drill::scenario
