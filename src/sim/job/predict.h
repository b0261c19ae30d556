// What a job will look like, from one noiseless rank: to choose jobs, not to time them.
#pragma once

#include "base/result.h"
#include "sim/job/job.h"

namespace td::sim {

struct Outlook {
  TimeNs step_ns = 0;
  double busy_frac = 0;     // GPU busy, of the step
  double exposed_frac = 0;  // communication with no compute under it, of the step; the ideal bubble apart
  double bubble_frac = 0;   // the ideal bubble of a pipeline, of the step
  double mfu = 0;
  int64_t kernels = 0;  // a step
};

// Runs two steps of one rank without jitter, with the collectives' times of the whole fabric. invalid_argument if the
// job cannot exist.
//   host_speed  of the launching threads, 1 = nominal
Result<Outlook> predict(const Job& job, double host_speed);
Result<Outlook> predict(const Job& job);

}  // namespace td::sim
