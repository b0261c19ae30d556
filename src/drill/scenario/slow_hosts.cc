#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"

namespace td::drill::scenario {
namespace {

// Cores that turbo to 3.8 GHz, capped at a low multiple of 100 MHz, as a power test or an asserted PROCHOT leaves them.
constexpr int64_t kFullMhz = 3'800;
constexpr int64_t kCapStepMhz = 100;
// With more work a step than this the device is the slower one, even so.
constexpr TimeNs kMaxStepNs = 34 * kNsPerMs;

Result<Instance> draw(const DrawRequest& request) {
  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  instance.job = TRY(sim::draw_light_job(job_stream, kMaxStepNs));
  instance.fixed_job = instance.job;

  RandomStream fault_stream(request.seed, "drill.fault");
  const int64_t mhz = fault_stream.uniform_int(4, 7) * kCapStepMhz;
  instance.faults.push_back(
      {.fault = "slow_host",
       .numbers = {{"factor_permille", mhz * 1000 / kFullMhz}, {"mhz", mhz}, {"full_mhz", kFullMhz}},
       .words = {}});
  return instance;
}

}  // namespace

// The hosts' cores are capped at a fraction of their clock, on all nodes alike: launching takes longer than the
// kernels.
Scenario slow_hosts() {
  return {.id = "slow_hosts", .cause = "launch_bound", .draw = draw, .min_win_permille = 340, .max_win_permille = 760};
}

}  // namespace td::drill::scenario
