#include <algorithm>

#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"

namespace td::drill::scenario {
namespace {

// A guard-fail recompile takes 0.3 s at least; here at most what leaves the steps beside it to be seen, permille of the
// window.
constexpr TimeNs kShortestNs = 300 * kNsPerMs;
constexpr int64_t kLowPermille = 250;
constexpr int64_t kHighPermille = 650;
constexpr int64_t kHardLowPermille = 90;
constexpr int64_t kHardHighPermille = 200;
constexpr int64_t kLeastLeftPermille = 350;
constexpr int kOneRankPermille = 400;
// At the hard level: a guard that fails in every step, with artefacts from the caches; it loses so much of the step.
constexpr int kEveryStepPermille = 500;
constexpr int64_t kEveryStepLowPermille = 70;
constexpr int64_t kEveryStepHighPermille = 160;

Result<Instance> draw_guard_miss(const DrawRequest& request, RandomStream& stream) {
  const int64_t permille = stream.uniform_int(kEveryStepLowPermille, kEveryStepHighPermille);
  const bool one_rank = stream.chance_permille(kOneRankPermille);
  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  const auto left_permille = static_cast<int32_t>(1000 - permille);
  instance.job = TRY(sim::draw_job(job_stream, request.traits, {.step_permille = left_permille}));
  instance.job.execution = sim::Execution::compiled;
  // A host that runs ahead from step to step would compile under queued work.
  instance.job.sync_every_step = true;
  instance.fixed_job = instance.job;
  const TimeNs step_ns = TRY(sim::predict(instance.job)).step_ns;
  const int64_t rank = stream.uniform_int(0, instance.job.fabric.world_size() - 1);
  instance.faults.push_back(
      {.fault = "guard_miss", .numbers = {{"compile_ns", step_ns * permille / (1000 - permille)}}, .words = {}});
  if (one_rank) instance.faults.back().numbers.emplace_back("rank", rank);
  return instance;
}

Result<Instance> draw(const DrawRequest& request) {
  // What the compile takes of all recorded steps together: they last as long as those of another cause.
  RandomStream stream(request.seed, "drill.fault");
  const bool hard = request.level == Level::hard;
  if (hard && stream.chance_permille(kEveryStepPermille)) return draw_guard_miss(request, stream);
  const sim::Traits& traits = request.traits;
  const TimeNs window_ns = traits.step_ns * traits.recorded_steps;
  const TimeNs compile_ns = std::max(kShortestNs, window_ns *
                                                      (hard ? stream.uniform_int(kHardLowPermille, kHardHighPermille)
                                                            : stream.uniform_int(kLowPermille, kHighPermille)) /
                                                      1000);
  const int64_t left_permille = 1000 - compile_ns * 1000 / window_ns;

  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  const auto step_permille = static_cast<int32_t>(std::max(left_permille, kLeastLeftPermille));
  instance.job = TRY(sim::draw_job(job_stream, traits, {.step_permille = step_permille}));
  instance.job.execution = sim::Execution::compiled;  // also where the deck draws eager jobs only
  // Not the first shown step: a compile before any other step has been seen is a warm-up.
  instance.job.reshaped_step = static_cast<int32_t>(stream.uniform_int(2, instance.job.recorded_steps - 1));
  instance.fixed_job = instance.job;
  const bool one_rank = stream.chance_permille(kOneRankPermille);
  const int64_t drawn_rank = stream.uniform_int(0, instance.job.fabric.world_size() - 1);
  instance.faults.push_back({.fault = "recompile", .numbers = {{"compile_ns", compile_ns}}, .words = {}});
  if (one_rank) instance.faults.back().numbers.emplace_back("rank", drawn_rank);
  return instance;
}

}  // namespace

// A batch of another shape fails a guard in one step, and the host compiles while the GPU idles: on all ranks, or on
// one, for which the others wait. The fix marks the shape dynamic: the batch stays, nothing is compiled for it.
Scenario recompile_shape() {
  return {
      .id = "recompile_shape", .cause = "recompilation", .draw = draw, .min_win_permille = 50, .max_win_permille = 800};
}

}  // namespace td::drill::scenario
