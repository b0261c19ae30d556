#include "drill/explain_parts.h"
#include "drill/measurement.h"

namespace td::drill::measurement {
namespace {

// A job of many nodes is asked for all of them at once; the list names node and GPU.
Result<MeasurementPrint> run(const MeasurementInput& input) {
  const sim::Job& job = input.instance.job;
  MeasurementPrint print;
  print.command =
      "$ srun --ntasks-per-node 1 nvidia-smi --query-gpu=index,clocks.sm,clocks.max.sm --format=csv,noheader";
  for (size_t rank = 0; rank < input.machine.ranks.size(); ++rank) {
    const int64_t mhz = int64_t{job.gpu->max_sm_mhz} * input.machine.ranks[rank].sm_clock_permille / 1000;
    print.lines.push_back(input.instance.traced_measure.rows[rank].host + ": " +
                          std::to_string(local_gpu_of(job, static_cast<int32_t>(rank))) + ", " + std::to_string(mhz) +
                          " MHz, " + std::to_string(job.gpu->max_sm_mhz) + " MHz");
  }
  return print;
}

}  // namespace

PaidMeasurement sm_clocks() { return {.id = "sm_clocks", .price_s = 10, .run = run}; }

}  // namespace td::drill::measurement
