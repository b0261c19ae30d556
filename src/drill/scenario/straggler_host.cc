#include <algorithm>

#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"
#include "sim/job/predict.h"

namespace td::drill::scenario {
namespace {

// As slow_hosts has them, for the cores of one rank.
constexpr int64_t kFullMhz = 3'800;
constexpr int64_t kCapStepMhz = 100;
constexpr int64_t kLeastClock = 4;
constexpr int64_t kMostClock = 11;
constexpr TimeNs kClocksNs = 38 * 8 * kNsPerMs;
constexpr TimeNs kMaxStepNs = 60 * kNsPerMs;

struct Wins {
  int32_t low_permille;
  int32_t high_permille;
};
constexpr Wins kStandard = {200, 650};
constexpr Wins kHard = {80, 300};

Result<Instance> draw(const DrawRequest& request) {
  RandomStream stream(request.seed, "drill.fault");
  const int64_t suits = kClocksNs / request.traits.step_ns + stream.uniform_int(-1, 1);
  const int64_t mhz = std::clamp(suits, kLeastClock, kMostClock) * kCapStepMhz;
  const auto capped = [mhz](const sim::Job& job) {
    return sim::predict(job, static_cast<double>(mhz) / static_cast<double>(kFullMhz));
  };
  const Wins& wins = request.level == Level::hard ? kHard : kStandard;

  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  instance.job = TRY(sim::draw_job(job_stream, request.traits,
                                   {.traced = capped,
                                    .min_win_permille = wins.low_permille,
                                    .max_win_permille = wins.high_permille,
                                    .max_step_ns = kMaxStepNs}));
  instance.fixed_job = instance.job;
  const int64_t rank = stream.uniform_int(0, instance.job.fabric.world_size() - 1);
  instance.faults.push_back(
      {.fault = "slow_host",
       .numbers = {{"rank", rank}, {"factor_permille", mhz * 1000 / kFullMhz}, {"mhz", mhz}, {"full_mhz", kFullMhz}},
       .words = {}});
  return instance;
}

}  // namespace

// The cores of one rank are capped: its GPU is as fast as the others, and waits for its launches; they wait for it.
Scenario straggler_host() {
  return {.id = "straggler_host",
          .cause = "straggler",
          .draw = draw,
          .min_win_permille = 70,
          .max_win_permille = 700,
          .min_exposed_permille = 45};
}

}  // namespace td::drill::scenario
