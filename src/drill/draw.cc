#include "drill/draw.h"

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "drill/explain.h"
#include "drill/grade.h"
#include "drill/reading_order.h"
#include "drill/text.h"
#include "hardware/formula/pipeline.h"

namespace td::drill {
namespace {

constexpr int32_t kTriesBeforeTheNext = 10;
constexpr int32_t kTriesPerTraits = 8;
// Harmless background (sim/job/background.h), the same for every cause.
constexpr int32_t kNoisePercent = 100;
constexpr int32_t kHardNoisePercent = 170;
constexpr int64_t kHealthyPermille = 20;
constexpr int64_t kAgreeMillionths = 20'000;
constexpr int64_t kHealthyLatenessPermille = 10;
// A pipeline's messages and the tail of its reduction.
constexpr double kBesideBubble = 0.035;

std::string scenario_ids() {
  std::string out;
  for (const Scenario& scenario : all_scenarios()) out += (out.empty() ? "" : ", ") + std::string(scenario.id);
  return out;
}

std::string cause_ids() {
  std::string out;
  for (const Scenario& scenario : all_scenarios()) {
    if (out.find(scenario.cause) == std::string::npos) out += (out.empty() ? "" : ", ") + std::string(scenario.cause);
  }
  return out;
}

Result<SimulatedInstance> simulate_once(const Scenario& scenario, const DrawRequest& request) {
  SimulatedInstance out;
  out.scenario = &scenario;
  out.level = request.level;
  out.traits = request.traits;
  out.run_seed = request.seed;
  out.instance = TRY(scenario.draw(request));
  const int32_t noise_percent = request.level == Level::hard ? kHardNoisePercent : kNoisePercent;
  out.instance.job.noise_percent = noise_percent;
  out.instance.fixed_job.noise_percent = noise_percent;
  out.job = TRY(job_as_run(out.instance.job, out.instance.faults));
  out.run = TRY(sim::simulate(out.instance.job, out.instance.faults, request.seed));
  out.traced_measure = TRY(measure(out.run));
  if (scenario.max_win_permille == 0) {
    out.fixed = out.run;
    out.fixed_measure = out.traced_measure;
    return out;
  }
  out.fixed = TRY(sim::simulate(out.instance.fixed_job, out.instance.fixed_faults, request.seed));
  out.fixed_measure = TRY(measure(out.fixed));
  return out;
}

// Halving the bytes must not pay either: contention makes hidden communication cost something.
Result<bool> compression_pays(const SimulatedInstance& drawn) {
  if (drawn.instance.job.grad_dtype != trace::DType::float32) return false;
  sim::Job compressed = drawn.instance.job;
  compressed.compress_gradients = true;
  const sim::SimulatedJob run = TRY(sim::simulate(compressed, {}, drawn.run_seed));
  const Measured measured = TRY(measure(run));
  const Measured& base = drawn.instance.fixed_faults.empty() ? drawn.fixed_measure : drawn.traced_measure;
  return win_permille(base, measured) > kHealthyPermille;
}

int64_t most_exposed_permille(const Measured& measured) {
  TimeNs most = 0;
  for (size_t rank = 0; rank < measured.ranks(); ++rank) {
    most = std::max(most, measured.mean_of(rank, &RankStep::exposed_ns));
  }
  return most * 1000 / measured.mean_step_ns;
}

// A win that the sums written out do not come to makes no exercise: they agree within 2 % of the step.
bool arithmetic_agrees(const SimulatedInstance& drawn) {
  const Win win = make_truth(drawn).win;
  const int64_t reckoned = share_millionths(win.reckoned_ns, win.step_ns);
  const int64_t apart = reckoned > win.win_millionths ? reckoned - win.win_millionths : win.win_millionths - reckoned;
  return apart <= kAgreeMillionths;
}

// Whether some host is ahead of its device for a step: by the first rank's median, or because on some rank fewer than
// one kernel in five stands behind a gap that its launch ends (a rank that waited for another's pause is ahead for
// long).
bool host_gets_ahead(const Measured& measured, TimeNs max_run_ahead_ns) {
  if (measured.median_run_ahead_ns > max_run_ahead_ns) return true;
  for (const std::vector<LaunchGaps>& rank : measured.launches)
    for (const LaunchGaps& step : rank)
      if (std::ssize(step.gaps) * 5 <= step.kernels) return true;
  return false;
}

Result<bool> in_bounds(const SimulatedInstance& drawn) {
  const Scenario& scenario = *drawn.scenario;
  const int64_t win = win_permille(drawn.traced_measure, drawn.fixed_measure);
  if (win < scenario.min_win_permille || win > scenario.max_win_permille) return false;
  if (most_exposed_permille(drawn.traced_measure) < scenario.min_exposed_permille) return false;
  if (scenario.max_run_ahead_ns > 0 && host_gets_ahead(drawn.traced_measure, scenario.max_run_ahead_ns)) return false;
  if (scenario.max_win_permille > 0 && !arithmetic_agrees(drawn)) return false;
  // A fix that leaves a fault in place (a slow fabric) ends at a job that is better, not at the healthy one.
  if (!drawn.instance.fixed_faults.empty()) return true;
  if (drawn.instance.fixed_job.parallelism.kind == sim::Parallelism::Kind::pipeline) {
    return looks_fed(drawn.fixed_measure, drawn.instance.fixed_job);
  }
  if (!looks_healthy(drawn.fixed_measure)) return false;
  return !TRY(compression_pays(drawn));
}

}  // namespace

Result<sim::Job> job_as_run(sim::Job job, std::span<const sim::FaultInstance> faults) {
  sim::Machine machine;
  machine.ranks.resize(static_cast<size_t>(job.fabric.world_size()));
  for (const sim::FaultInstance& instance : faults) {
    const sim::Fault* fault = sim::find_fault(instance.fault);
    if (fault == nullptr) return fail(ErrorCode::internal, "no fault \"" + instance.fault + "\"");
    TRY_OK(fault->apply(instance, machine, job));
  }
  return job;
}

Truth make_truth(const SimulatedInstance& instance) {
  const Explainer* explainer = find_explainer(instance.scenario->cause);
  if (explainer == nullptr) return {};
  const ExplainInput input = {.scenario = *instance.scenario,
                              .instance = instance.instance,
                              .job = instance.job,
                              .traced = instance.traced_measure,
                              .fixed = instance.fixed_measure,
                              .run = instance.run};
  Truth truth = explainer->explain(input);
  place_reading_order(input, truth);
  return truth;
}

Result<const Scenario*> draw_scenario(std::string_view cause, uint64_t seed) {
  std::vector<const Scenario*> candidates;
  for (const Scenario& scenario : all_scenarios()) {
    if (scenario.cause == cause) candidates.push_back(&scenario);
  }
  if (candidates.empty()) {
    return fail(ErrorCode::not_found, "no scenario of cause " + quote_short(cause) + "; causes: " + cause_ids());
  }
  RandomStream stream(seed, "drill.scenario");
  return candidates[static_cast<size_t>(stream.uniform_int(0, static_cast<int64_t>(candidates.size()) - 1))];
}

Result<const Scenario*> scenario_by_id(std::string_view id, uint64_t seed) {
  if (const Scenario* scenario = find_scenario(id)) {
    // "healthy" names both; a cause with several scenarios is never the id of one of them alone.
    if (scenario->cause != id) return scenario;
  }
  for (const Scenario& scenario : all_scenarios()) {
    if (scenario.cause == id) return draw_scenario(id, seed);
  }
  return fail(ErrorCode::not_found, "no cause or scenario " + quote_short(id) + "; causes: " + cause_ids() +
                                        "; scenarios: " + scenario_ids());
}

int64_t win_permille(const Measured& traced, const Measured& fixed) {
  // Both for the tokens of one traced step.
  const auto fixed_ns =
      static_cast<TimeNs>(static_cast<__int128>(fixed.mean_step_ns) * traced.tokens_per_step / fixed.tokens_per_step);
  return (traced.mean_step_ns - fixed_ns) * 1000 / traced.mean_step_ns;
}

bool looks_fed(const Measured& measured, const sim::Job& job) {
  const sim::Parallelism& shape = job.parallelism;
  const double ideal = hardware::bubble_frac(shape.stages, job.accumulation, shape.virtual_stages);
  for (size_t rank = 0; rank < measured.ranks(); ++rank) {
    const auto lost_ns =
        static_cast<double>(measured.mean_of(rank, &RankStep::exposed_ns) + measured.mean_of(rank, &RankStep::idle_ns));
    const double lost = lost_ns / static_cast<double>(measured.mean_step_ns);
    if (lost > ideal + kBesideBubble) return false;
  }
  return true;
}

bool looks_healthy(const Measured& measured) {
  const TimeNs allowed = measured.mean_step_ns * kHealthyPermille / 1000;
  for (size_t rank = 0; rank < measured.ranks(); ++rank) {
    if (measured.mean_of(rank, &RankStep::exposed_ns) > allowed) return false;
    if (measured.mean_of(rank, &RankStep::idle_ns) > allowed) return false;
    if (measured.lateness_ns(rank) > measured.mean_step_ns * kHealthyLatenessPermille / 1000) return false;
  }
  return true;
}

Result<SimulatedInstance> simulate_instance(const Scenario& scenario, uint64_t seed, Level level,
                                            Composition composition, int32_t max_tries) {
  DrawRequest request{.seed = seed, .level = level};
  int32_t of_traits = 0;
  request.traits = TRY(draw_traits(scenario.cause, seed, composition));
  for (int32_t attempt = 0, of_these = 0; attempt < max_tries; ++attempt, ++of_these) {
    if (attempt > 0) {
      RandomStream stream(seed, "drill.redraw", attempt);
      request.seed = stream.next_u64();
    }
    Result<SimulatedInstance> drawn = simulate_once(scenario, request);
    if (!drawn && drawn.error().code != ErrorCode::not_found) return std::unexpected(drawn.error());
    if (drawn && TRY(in_bounds(*drawn))) {
      drawn->tries = attempt + 1;
      return drawn;
    }
    if (drawn && of_these + 1 < kTriesPerTraits) continue;
    request.traits = TRY(draw_traits(scenario.cause, seed, composition, ++of_traits));
    of_these = -1;
  }
  return fail(ErrorCode::internal, "scenario \"" + std::string(scenario.id) + "\" met its bounds in none of " +
                                       std::to_string(max_tries) + " draws for seed " + std::to_string(seed));
}

Result<SimulatedInstance> simulate_cause(std::string_view cause, uint64_t seed, Level level, Composition composition) {
  const Scenario* drawn = TRY(draw_scenario(cause, seed));
  std::vector<const Scenario*> others;
  for (const Scenario& scenario : all_scenarios()) {
    if (scenario.cause == cause && &scenario != drawn) others.push_back(&scenario);
  }
  if (others.empty()) return simulate_instance(*drawn, seed, level, composition);
  Result<SimulatedInstance> instance = simulate_instance(*drawn, seed, level, composition, kTriesBeforeTheNext);
  for (const Scenario* other : others) {
    if (instance) return instance;
    instance = simulate_instance(*other, seed, level, composition, kTriesBeforeTheNext);
  }
  // None in ten tries each: then the drawn one as long as it takes.
  return instance ? std::move(instance) : simulate_instance(*drawn, seed, level, composition);
}

}  // namespace td::drill
