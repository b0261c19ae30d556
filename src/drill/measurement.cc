#include "drill/measurement.h"

namespace td::drill {

const PaidMeasurement* find_paid_measurement(std::string_view id) {
  for (const PaidMeasurement& measurement : all_paid_measurements()) {
    if (measurement.id == id) return &measurement;
  }
  return nullptr;
}

Result<MeasurementPrint> run_measurement(const PaidMeasurement& measurement, const SimulatedInstance& instance) {
  MeasurementInput input{.instance = instance, .machine = {}};
  input.machine.ranks.resize(static_cast<size_t>(instance.job.fabric.world_size()));
  sim::Job job = instance.instance.job;
  for (const sim::FaultInstance& drawn : instance.instance.faults) {
    const sim::Fault* fault = sim::find_fault(drawn.fault);
    if (fault == nullptr) return fail(ErrorCode::internal, "no fault " + drawn.fault);
    TRY_OK(fault->apply(drawn, input.machine, job));
  }
  return measurement.run(input);
}

}  // namespace td::drill
