#include <algorithm>
#include <vector>

#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"
#include "sim/job/predict.h"

namespace td::drill::scenario {
namespace {

// What the misses cost, of the traced step.
struct Loss {
  int64_t low_permille;
  int64_t high_permille;
};
constexpr Loss kStandard = {110, 300};
constexpr Loss kHard = {60, 115};
// One retry frees this many segments, and unmapping one takes so long (timing: 0.1 to 1 ms, 10 to 500 ms in all).
constexpr int64_t kFewestSegments = 12;
constexpr int64_t kMostSegments = 240;
constexpr TimeNs kFreeLowNs = 150'000;
constexpr TimeNs kFreeHighNs = 1'000'000;
constexpr TimeNs kMostHeldNs = 500 * kNsPerMs;
// A new segment is a GB or a few.
constexpr int64_t kMapLowBytes = 400'000'000;
constexpr int64_t kMapHighBytes = 4'000'000'000;
constexpr int kOneRankPermille = 350;
constexpr int kBackwardPermille = 450;

struct Place {
  int64_t step = 0;
  int64_t permille = 0;
  bool in_backward = false;
};

// Misses in some of the steady steps, where requests of an unusual size come. Not in the first of them: allocations
// before any other step has been seen are a warm-up.
std::vector<Place> draw_places(RandomStream& stream, const sim::Job& job, int64_t least) {
  std::vector<int64_t> steps;
  for (int64_t step = 2; step < job.recorded_steps; ++step) steps.push_back(step);
  const int64_t hit = stream.uniform_int(1, std::max<int64_t>(1, std::ssize(steps)));
  while (static_cast<int64_t>(steps.size()) > hit) {
    steps.erase(steps.begin() + stream.uniform_int(0, std::ssize(steps) - 1));
  }
  std::vector<Place> places;
  const int64_t a_step = std::max(stream.uniform_int(1, 3), (least + hit - 1) / hit);
  for (const int64_t step : steps) {
    for (int64_t i = 0; i < a_step; ++i) {
      places.push_back({step, stream.uniform_int(40, 960), stream.chance_permille(kBackwardPermille)});
    }
  }
  return places;
}

sim::FaultInstance miss_at(const Place& place, RandomStream& stream, TimeNs held_ns, int64_t rank) {
  const TimeNs map_ns = std::min(held_ns / 2, sim::malloc_ns(stream.uniform_int(kMapLowBytes, kMapHighBytes)));
  const TimeNs drawn_free_ns = stream.uniform_int(kFreeLowNs, kFreeHighNs);
  const int64_t segments = std::clamp((held_ns - map_ns) / drawn_free_ns, kFewestSegments, kMostSegments);
  sim::FaultInstance miss = {.fault = "allocator_miss",
                             .numbers = {{"step", place.step},
                                         {"permille", place.permille},
                                         {"segments", segments},
                                         {"free_ns", (held_ns - map_ns) / segments},
                                         {"map_ns", map_ns}},
                             .words = {{"in", place.in_backward ? "backward" : "main"}}};
  if (rank >= 0) miss.numbers.emplace_back("rank", rank);
  return miss;
}

Result<Instance> draw(const DrawRequest& request) {
  RandomStream stream(request.seed, "drill.fault");
  const Loss& loss = request.level == Level::hard ? kHard : kStandard;
  const int64_t loss_permille = stream.uniform_int(loss.low_permille, loss.high_permille);

  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  const auto left_permille = static_cast<int32_t>(1000 - loss_permille);
  instance.job = TRY(sim::draw_job(job_stream, request.traits, {.step_permille = left_permille}));
  instance.fixed_job = instance.job;
  const TimeNs step_ns = TRY(sim::predict(instance.job)).step_ns;
  const TimeNs lost_ns = step_ns * loss_permille / (1000 - loss_permille) * (instance.job.recorded_steps - 1);
  const std::vector<Place> places = draw_places(stream, instance.job, (lost_ns + kMostHeldNs - 1) / kMostHeldNs);
  const bool one_rank = stream.chance_permille(kOneRankPermille);
  const int64_t rank = stream.uniform_int(0, instance.job.fabric.world_size() - 1);
  // No two retries find the same number of segments.
  std::vector<int64_t> weights;
  int64_t sum = 0;
  for (size_t i = 0; i < places.size(); ++i) sum += weights.emplace_back(stream.uniform_int(60, 140));
  for (size_t i = 0; i < places.size(); ++i) {
    instance.faults.push_back(miss_at(places[i], stream, lost_ns * weights[i] / sum, one_rank ? rank : -1));
  }
  return instance;
}

}  // namespace

// Memory is nearly full and cut into pieces: in some steps a request finds no block, and the allocator frees what it
// has cached before it can map a new segment, on all ranks or on one. The fix lets segments grow instead.
Scenario fragmented_pool() {
  return {.id = "fragmented_pool",
          .cause = "allocator_stalls",
          .draw = draw,
          .min_win_permille = 50,
          .max_win_permille = 450};
}

}  // namespace td::drill::scenario
