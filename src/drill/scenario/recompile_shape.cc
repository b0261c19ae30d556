#include <algorithm>

#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"
#include "sim/job/predict.h"

namespace td::drill::scenario {
namespace {

// A guard-fail recompile takes 0.3 s at least; here at most what leaves the steps beside it to be seen.
constexpr TimeNs kShortestNs = 300 * kNsPerMs;
constexpr int64_t kLowPermille = 400;
constexpr int64_t kHighPermille = 6500;
constexpr int kOneRankPermille = 400;

Result<Instance> draw(const DrawRequest& request) {
  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  instance.job = TRY(sim::draw_job(job_stream));
  const TimeNs step_ns = TRY(sim::predict(instance.job)).step_ns;

  RandomStream stream(request.seed, "drill.fault");
  instance.job.execution = sim::Execution::compiled;
  // Not the first shown step: a compile before any other step has been seen is a warm-up.
  instance.job.reshaped_step = static_cast<int32_t>(stream.uniform_int(2, instance.job.recorded_steps - 1));
  instance.fixed_job = instance.job;
  const TimeNs wanted_ns = step_ns * stream.uniform_int(kLowPermille, kHighPermille) / 1000;
  const bool one_rank = stream.chance_permille(kOneRankPermille);
  const int64_t drawn_rank = stream.uniform_int(0, instance.job.fabric.world_size() - 1);
  instance.faults.push_back(
      {.fault = "recompile", .numbers = {{"compile_ns", std::max(kShortestNs, wanted_ns)}}, .words = {}});
  if (one_rank) instance.faults.back().numbers.emplace_back("rank", drawn_rank);
  return instance;
}

}  // namespace

// A batch of another shape fails a guard in one step, and the host compiles while the GPU idles: on all ranks, or on
// one, for which the others wait. The fix marks the shape dynamic: the batch stays, nothing is compiled for it.
Scenario recompile_shape() {
  return {
      .id = "recompile_shape", .cause = "recompilation", .draw = draw, .min_win_permille = 70, .max_win_permille = 800};
}

}  // namespace td::drill::scenario
