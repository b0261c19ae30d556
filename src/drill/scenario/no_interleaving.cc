#include "base/random.h"
#include "drill/scenario.h"
#include "hardware/formula/pipeline.h"
#include "sim/job/pipeline_catalogue.h"

namespace td::drill::scenario {
namespace {

// Of the step; the hard level takes what is left between this and the scenario's least win.
constexpr double kStandardWin = 0.08;
constexpr double kLeastWin = 0.052;

double win_of(const sim::Job& job) {
  const sim::Parallelism& shape = job.parallelism;
  const double plain = hardware::bubble_frac(shape.stages, job.accumulation, 1);
  const double interleaved = hardware::bubble_frac(shape.stages, job.accumulation, shape.virtual_stages);
  return 1 - (1 - plain) / (1 - interleaved);
}

Result<Instance> draw(const DrawRequest& request) {
  constexpr int kDraws = 40;
  RandomStream stream(request.seed, "drill.job");
  for (int draws = 0; draws < kDraws; ++draws) {
    Instance instance;
    instance.job = TRY(sim::draw_pipeline_job(stream, {.interleaved_only = true}));
    instance.job.execution = request.traits.execution;
    instance.job.warmup_steps = request.traits.warmup_steps;
    instance.job.recorded_steps = request.traits.recorded_steps;
    const double win = win_of(instance.job);
    if (request.level == Level::hard ? win < kLeastWin || win > 1.5 * kStandardWin : win < kStandardWin) continue;
    instance.faults.push_back({.fault = "no_interleaving", .numbers = {}, .words = {}});
    instance.fixed_job = instance.job;
    return instance;
  }
  return fail(ErrorCode::internal, "no_interleaving: no pipeline gains enough by interleaving");
}

}  // namespace

// A pipeline whose stages hold one chunk each; the fix is to interleave several.
Scenario no_interleaving() {
  return {.id = "no_interleaving",
          .cause = "pipeline_bubbles",
          .draw = draw,
          .min_win_permille = 50,
          .max_win_permille = 450,
          .min_exposed_permille = 60};
}

}  // namespace td::drill::scenario
