#include <vector>

#include "base/random.h"
#include "drill/scenario.h"
#include "sim/job/catalogue.h"
#include "sim/job/predict.h"

namespace td::drill::scenario {
namespace {

// What the host does after each read, from a formatted line to a write to a file.
constexpr TimeNs kHostWorkLowNs = 100'000;
constexpr TimeNs kHostWorkHighNs = 3'000'000;
// Waking up, the way to the next launch and its latency.
constexpr TimeNs kBareGapNs = 40'000;

TimeNs host_work_for(const sim::Job& job, TimeNs loss_ns) { return loss_ns / sim::metrics_per_step(job) - kBareGapNs; }

// Metrics of one kind whose reading, with host work of an ordinary length, loses so much of a step.
std::vector<sim::Metrics> that_lose(sim::Job job, sim::Metrics::Of of, TimeNs loss_ns) {
  std::vector<sim::Metrics> out;
  const int32_t most = of == sim::Metrics::Of::activations ? 2 : 6;
  for (int32_t per_layer = 1; per_layer <= most; ++per_layer) {
    job.metrics = {.of = of, .per_layer = per_layer};
    const TimeNs host_work_ns = host_work_for(job, loss_ns);
    if (host_work_ns >= kHostWorkLowNs && host_work_ns <= kHostWorkHighNs) out.push_back(job.metrics);
  }
  return out;
}

Result<Instance> draw(const DrawRequest& request) {
  RandomStream fault_stream(request.seed, "drill.fault");
  const bool gradients = fault_stream.chance_permille(500);
  const sim::Metrics::Of of = gradients ? sim::Metrics::Of::gradients : sim::Metrics::Of::activations;
  // Of the traced step; less where reads of an ordinary length cannot lose so much.
  int64_t wanted_permille =
      request.level == Level::hard ? fault_stream.uniform_int(65, 110) : fault_stream.uniform_int(100, 320);

  RandomStream job_stream(request.seed, "drill.job");
  Instance instance;
  const auto left_permille = static_cast<int32_t>(1000 - wanted_permille);
  instance.job = TRY(sim::draw_job(job_stream, request.traits, {.step_permille = left_permille}));
  const sim::Outlook healthy = TRY(sim::predict(instance.job));
  TimeNs loss_ns = 0;
  std::vector<sim::Metrics> metrics;
  for (; metrics.empty() && wanted_permille > 0; wanted_permille -= 10) {
    loss_ns = healthy.step_ns * wanted_permille / (1000 - wanted_permille);
    metrics = that_lose(instance.job, of, loss_ns);
  }
  if (metrics.empty()) return fail(ErrorCode::internal, "sync_metrics: no metrics suit the job");
  instance.job.metrics = metrics[static_cast<size_t>(fault_stream.uniform_int(0, std::ssize(metrics) - 1))];
  instance.fixed_job = instance.job;
  instance.faults.push_back(
      {.fault = "item_per_layer", .numbers = {{"host_work_ns", host_work_for(instance.job, loss_ns)}}, .words = {}});
  return instance;
}

}  // namespace

// Norms of every layer are read on the host one by one, each with an item() and a log line; the fix keeps them on the
// device and reads them every hundredth step, which the shown steps do not hold.
Scenario sync_metrics() {
  return {.id = "sync_metrics", .cause = "sync_stalls", .draw = draw, .min_win_permille = 60, .max_win_permille = 400};
}

}  // namespace td::drill::scenario
