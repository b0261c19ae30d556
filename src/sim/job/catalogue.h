// Which jobs drills run: model x GPU x fabric x batch x gradient type, all healthy, and the slower fabrics that make
// one bandwidth bound. The fabric that a prompt states is drawn first and from the same weights for every cause, so it
// does not tell the cause; the job is then drawn to suit it.
#pragma once

#include <optional>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "sim/job/job.h"

namespace td::sim {

// A healthy multi-GPU DDP job of 8 ranks: its communication hides behind backward.
Result<Job> draw_job(RandomStream& stream);

// The same, with a step of at most `max_step_ns` as predicted: short kernels, so that the host is not far ahead. Such
// jobs need a fast fabric; on what it cannot have, another GPU is drawn.
Result<Job> draw_light_job(RandomStream& stream, TimeNs max_step_ns);

// The same, of the jobs that also pass `also`; GPU and fabric are drawn again where there is none.
Result<Job> draw_job_that(RandomStream& stream, bool (*also)(const Job& job));

// A job that is healthy on `job.fabric` and whose communication is exposed for 8 to 45 % of the step on `slow_fabric`.
// The slow one is what a prompt states; it has the distribution of draw_job's fabrics (multi-node ones).
struct SlowFabricJob {
  Job job;
  hardware::Fabric slow_fabric;
};
Result<SlowFabricJob> draw_slow_fabric_job(RandomStream& stream);

// A fabric of the catalogue on which `job` has 8 to 45 % exposed, or nothing if there is none. Prefer
// draw_slow_fabric_job: drawing the job first biases the stated fabric.
std::optional<hardware::Fabric> draw_slow_fabric(RandomStream& stream, const Job& job);

// Every job that draw_job can give (tests and tables).
std::vector<Job> healthy_jobs();

// Predicted share of the step with communication and no compute under it, 0..1, from the cost models alone.
double predicted_exposed_frac(const Job& job);

}  // namespace td::sim
