// Jobs to given traits: model x batch x gradient type, all healthy, and those that a stated fabric makes bandwidth
// bound. The traits are drawn first (drill/composition.h) and do not tell the cause; the job is then chosen to suit
// them and the cause, by prediction.
#pragma once

#include <functional>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "sim/job/job.h"
#include "sim/job/predict.h"
#include "sim/job/traits.h"

namespace td::sim {

struct Wanted {
  // What the healthy job's step is of the traits' step: the rest is what the fault will add.
  int32_t step_permille = 1000;
  // Or else what the job will look like with its fault; its step is then the traits', and what the fault costs lies
  // within the bounds, permille of that step.
  std::function<Result<Outlook>(const Job& job)> traced = {};
  int32_t min_win_permille = 0;
  int32_t max_win_permille = 1000;
  // A longest healthy step, where the fault needs a light one; 0 is none.
  TimeNs max_step_ns = 0;
  // Another thing that the job must be; empty: nothing.
  std::function<bool(const Job& job)> also = {};
};

// A healthy job of these traits: its communication hides, its host is ahead, its batches are there in time. Its
// predicted step is within 20 % of what is wanted if there is one that suits so well, otherwise the nearest that does.
// not_found if no job of these traits is healthy.
Result<Job> draw_job(RandomStream& stream, const Traits& traits, const Wanted& wanted = {});

// The same for draw_data_parallel_traits.
Result<Job> draw_job(RandomStream& stream);

// A job that is healthy on `job.fabric`, and on the traits' fabric, `slow_fabric`, takes about the traits' step and has
// 9 to 44 % of it exposed. not_found if there is none.
struct SlowFabricJob {
  Job job;
  hardware::Fabric slow_fabric;
};
Result<SlowFabricJob> draw_slow_fabric_job(RandomStream& stream, const Traits& traits);
Result<SlowFabricJob> draw_slow_fabric_job(RandomStream& stream);

// Whether the job is healthy by prediction alone: at most 1.8 % of the step exposed, busy but for 2.5 %, no faster with
// half the bytes, an MFU under 64 % (and over 15 % for a decoder in training).
bool looks_healthy(const Job& job, const Outlook& outlook);

// Predicted share of the step with communication and no compute under it, 0..1, from the cost models alone; 1 for a
// job that cannot exist.
double predicted_exposed_frac(const Job& job);

}  // namespace td::sim
