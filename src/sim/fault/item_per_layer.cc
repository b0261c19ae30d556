// Each of the job's metrics is read on the host as soon as it is computed, in every step: item() blocks until the
// device has caught up, and the host then works for host_work_ns (formats, writes a log line) before it launches again.
#include "sim/fault/fault.h"

namespace td::sim::fault {
namespace {

Status apply(const FaultInstance& instance, Machine&, Job& job) {
  const int64_t host_work_ns = instance.number("host_work_ns", -1);
  if (job.metrics.of == Metrics::Of::nothing) {
    return fail(ErrorCode::invalid_argument,
                "item_per_layer: the job has no metrics, expected activations or gradients");
  }
  if (host_work_ns < 0 || host_work_ns > kNsPerS) {
    return fail(ErrorCode::invalid_argument,
                "item_per_layer: host_work_ns " + std::to_string(host_work_ns) + ", expected 0 to 1000000000");
  }
  job.metrics.read_on_host = true;
  job.metrics.host_work_ns = host_work_ns;
  return {};
}

}  // namespace

Fault item_per_layer() { return {.id = "item_per_layer", .apply = apply}; }

}  // namespace td::sim::fault
