#include <algorithm>

#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"
#include "sim/job/predict.h"

namespace td::drill::scenario {
namespace {

// Cores that turbo to 3.8 GHz, capped at a low multiple of 100 MHz, as a power test or an asserted PROCHOT leaves them.
constexpr int64_t kFullMhz = 3'800;
constexpr int64_t kCapStepMhz = 100;
constexpr int64_t kLeastClock = 4;
constexpr int64_t kMostClock = 11;
// Launching some 530 kernels takes 8 ms at the full clock, 38 times 100 MHz.
constexpr TimeNs kClocksNs = int64_t{38} * 8 * kNsPerMs;
// With more work a step than this the device is the slower one, even so.
constexpr TimeNs kMaxStepNs = 46 * kNsPerMs;

constexpr int32_t kMinWinPermille = 340;
constexpr int32_t kMaxWinPermille = 700;

Result<Instance> draw(const DrawRequest& request) {
  RandomStream fault_stream(request.seed, "drill.fault");
  // What makes the launches of an ordinary program take the step that is wanted, and a little to either side.
  const int64_t suits = kClocksNs / request.traits.step_ns + fault_stream.uniform_int(-1, 1);
  const int64_t mhz = std::clamp(suits, kLeastClock, kMostClock) * kCapStepMhz;
  const auto capped = [mhz](const sim::Job& job) {
    return sim::predict(job, static_cast<double>(mhz) / static_cast<double>(kFullMhz));
  };

  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  instance.job = TRY(sim::draw_job(job_stream, request.traits,
                                   {.traced = capped,
                                    .min_win_permille = kMinWinPermille + 20,
                                    .max_win_permille = kMaxWinPermille - 20,
                                    .max_step_ns = kMaxStepNs}));
  instance.fixed_job = instance.job;
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
  return {.id = "slow_hosts",
          .cause = "launch_bound",
          .draw = draw,
          .min_win_permille = kMinWinPermille,
          .max_win_permille = kMaxWinPermille,
          .max_run_ahead_ns = 30 * kNsPerUs};
}

}  // namespace td::drill::scenario
