#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"

namespace td::drill::scenario {
namespace {

Result<Instance> draw(const DrawRequest& request) {
  RandomStream stream(request.seed, "drill.job");
  Instance instance;
  instance.job = TRY(sim::draw_job(stream, request.traits));
  instance.fixed_job = instance.job;
  return instance;
}

}  // namespace

// Nothing is wrong: the job as drawn.
Scenario healthy() { return {.id = "healthy", .cause = "healthy", .draw = draw}; }

}  // namespace td::drill::scenario
