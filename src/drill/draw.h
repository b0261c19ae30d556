// From a seed to a simulated instance with and without its fix.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "drill/composition.h"
#include "drill/deck.h"
#include "drill/measure.h"
#include "drill/scenario.h"
#include "drill/truth.h"

namespace td::drill {

// One of the cause's scenario files, by the seed. not_found lists the valid ids.
Result<const Scenario*> draw_scenario(std::string_view cause, uint64_t seed);

// `id` is a cause (one of its scenarios is drawn) or a scenario. not_found lists both.
Result<const Scenario*> scenario_by_id(std::string_view id, uint64_t seed);

inline constexpr int32_t kMaxTries = 80;

struct SimulatedInstance {
  const Scenario* scenario = nullptr;
  Level level = Level::standard;
  sim::Traits traits;  // what was drawn before the job
  Instance instance;
  sim::Job job;           // as run: with the fabric that its faults leave it
  uint64_t run_seed = 0;  // what the simulation was given
  int32_t tries = 1;      // how many draws it took to meet the scenario's bounds
  sim::SimulatedJob run;
  sim::SimulatedJob fixed;  // the same seed with the fix applied
  Measured traced_measure;
  Measured fixed_measure;
};

// Draws until the simulated win lies within the scenario's bounds, the arithmetic that the truth writes out agrees with
// it (by what grading calls right), and the job without its fault is healthy. Each try has its own seed, derived from
// `seed`, so the same seed always ends at the same instance; the traits stay unless no job of theirs can do. internal
// after `max_tries`.
Result<SimulatedInstance> simulate_instance(const Scenario& scenario, uint64_t seed, Level level = Level::standard,
                                            Composition composition = Composition::all, int32_t max_tries = kMaxTries);

// An instance of the cause: of the scenario that the seed draws, or, where that one seldom suits the drawn jobs and has
// not in ten tries, of the cause's next one.
Result<SimulatedInstance> simulate_cause(std::string_view cause, uint64_t seed, Level level = Level::standard,
                                         Composition composition = Composition::all);

// A job with what its faults make of it: a slow fabric, other settings. internal if a fault is unknown.
Result<sim::Job> job_as_run(sim::Job job, std::span<const sim::FaultInstance> faults);

// The truth of an instance, by the explainer of its cause.
Truth make_truth(const SimulatedInstance& instance);

// The share of the mean step that the fix wins, permille; per token where the fix changes the work.
int64_t win_permille(const Measured& traced, const Measured& fixed);

// The standard of a healthy run: exposed communication and idle each at most 2 % of the step on every rank, no rank
// ready more than 1 % of the step after the median. So no fix of either can win over 2 %.
bool looks_healthy(const Measured& measured);
// The same of a pipeline: no rank waits or idles more than its ideal bubble and a little.
bool looks_fed(const Measured& measured, const sim::Job& job);

}  // namespace td::drill
