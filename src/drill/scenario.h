// One scenario = one file that declares its cause and what is drawn. It says nothing of how that is simulated, graded
// or drawn on screen. Each file scenario/ID.cc defines `Scenario td::drill::scenario::ID()`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "drill/level.h"
#include "sim/fault/fault.h"
#include "sim/job/job.h"
#include "sim/job/traits.h"

namespace td::drill {

// What one seed of a scenario comes to: a healthy job, what goes wrong with it, and the job with the recommended fix.
struct Instance {
  sim::Job job;
  std::vector<sim::FaultInstance> faults;
  sim::Job fixed_job;
  std::vector<sim::FaultInstance> fixed_faults;
  bool per_token = false;  // the fix changes the work in a step: compare time per token
};

// What a scenario draws from. Every draw belongs to a stream of `seed`.
struct DrawRequest {
  uint64_t seed = 0;
  Level level = Level::standard;
  sim::Traits traits = {};  // of the job that is to be drawn
};

struct Scenario {
  std::string_view id;     // "straggler_clock"
  std::string_view cause;  // catalogue id "straggler"
  Result<Instance> (*draw)(const DrawRequest& request) = nullptr;
  // Bounds of the simulated win, permille of the mean step; an instance outside is drawn again.
  int32_t min_win_permille = 0;
  int32_t max_win_permille = 0;
  // Least exposed communication on some rank, permille of the step: what does not show cannot be read.
  int32_t min_exposed_permille = 0;
  // Longest median run-ahead of the first rank, and then no rank whose host is ahead for a step; 0: any. A host that is
  // ahead is not what the step waits for.
  TimeNs max_run_ahead_ns = 0;
};

std::span<const Scenario> all_scenarios();
const Scenario* find_scenario(std::string_view id);

}  // namespace td::drill
