#include <vector>

#include "base/random.h"
#include "drill/scenario.h"
#include "hardware/formula/pipeline.h"
#include "sim/job/pipeline_catalogue.h"

namespace td::drill::scenario {
namespace {

// What the ideal bubble must cost beyond that of the healthy job, permille of the step.
struct Bounds {
  double low;
  double high;
};
constexpr Bounds kStandard = {0.09, 0.40};
constexpr Bounds kHard = {0.055, 0.11};

// The same batch in fewer, larger pieces, where they fit.
constexpr int32_t kLargerPermille = 350;

double win_of(const sim::Job& job, int32_t microbatches) {
  const sim::Parallelism& shape = job.parallelism;
  const double few = hardware::bubble_frac(shape.stages, microbatches, shape.virtual_stages);
  const double many = hardware::bubble_frac(shape.stages, job.accumulation, shape.virtual_stages);
  return 1 - (1 - few) / (1 - many);
}

std::vector<int32_t> candidates(const sim::Job& job, const Bounds& bounds) {
  std::vector<int32_t> out;
  for (int32_t microbatches = 2; microbatches < job.accumulation; ++microbatches) {
    if (job.parallelism.virtual_stages > 1 && microbatches % job.parallelism.stages != 0) continue;
    const double win = win_of(job, microbatches);
    if (win >= bounds.low && win <= bounds.high) out.push_back(microbatches);
  }
  return out;
}

// The number of sequences that keeps the batch, or 0 if it does not come out even or does not fit.
int32_t larger_batch(const sim::Job& job, int32_t microbatches) {
  if (job.accumulation % microbatches != 0) return 0;
  sim::Job larger = job;
  larger.batch = job.batch * (job.accumulation / microbatches);
  larger.accumulation = microbatches;
  return sim::check_job(larger) ? larger.batch : 0;
}

Result<Instance> draw(const DrawRequest& request) {
  constexpr int kDraws = 20;
  RandomStream job_stream(request.seed, "drill.job");
  RandomStream fault_stream(request.seed, "drill.fault");
  const Bounds& bounds = request.level == Level::hard ? kHard : kStandard;
  for (int draws = 0; draws < kDraws; ++draws) {
    Instance instance;
    instance.job = TRY(sim::draw_pipeline_job(job_stream));
    instance.job.execution = request.traits.execution;
    instance.job.warmup_steps = request.traits.warmup_steps;
    instance.job.recorded_steps = request.traits.recorded_steps;
    const std::vector<int32_t> fits = candidates(instance.job, bounds);
    if (fits.empty()) continue;
    const int32_t microbatches =
        fits[static_cast<size_t>(fault_stream.uniform_int(0, static_cast<int64_t>(fits.size()) - 1))];
    sim::FaultInstance fault = {.fault = "few_microbatches", .numbers = {{"microbatches", microbatches}}, .words = {}};
    const int32_t batch = fault_stream.chance_permille(kLargerPermille) ? larger_batch(instance.job, microbatches) : 0;
    if (batch > 0) fault.numbers.emplace_back("batch", batch);
    instance.faults.push_back(fault);
    instance.fixed_job = instance.job;
    instance.per_token = batch == 0;
    return instance;
  }
  return fail(ErrorCode::internal, "few_microbatches: no pipeline has a number of microbatches that costs enough");
}

}  // namespace

// A well-fed pipeline with fewer microbatches a step; the fix is to have more of them again.
Scenario few_microbatches() {
  return {.id = "few_microbatches",
          .cause = "pipeline_bubbles",
          .draw = draw,
          .min_win_permille = 50,
          .max_win_permille = 450,
          .min_exposed_permille = 60};
}

}  // namespace td::drill::scenario
