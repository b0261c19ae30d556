#include <algorithm>

#include "drill/measurement.h"
#include "drill/text.h"
#include "sim/simulate.h"

namespace td::drill::measurement {
namespace {

// The loader that a rank really has: the fault's, or the job's.
sim::LoaderSpec loader_of(const MeasurementInput& input, size_t rank) {
  const sim::LoaderSpec& own = input.machine.ranks[rank].loader;
  return own.is_modelled() ? own : input.instance.job.loader;
}

// A fault of the loader is gone with the loader; any other stays.
Result<std::vector<sim::FaultInstance>> faults_besides_loader(const SimulatedInstance& instance) {
  std::vector<sim::FaultInstance> kept;
  for (const sim::FaultInstance& drawn : instance.instance.faults) {
    sim::Machine machine;
    machine.ranks.resize(static_cast<size_t>(instance.job.fabric.world_size()));
    sim::Job job = instance.instance.job;
    const sim::Fault* fault = sim::find_fault(drawn.fault);
    if (fault == nullptr) return fail(ErrorCode::internal, "no fault " + drawn.fault);
    TRY_OK(fault->apply(drawn, machine, job));
    const sim::LoaderSpec& before = instance.instance.job.loader;
    const bool of_loader = job.loader.workers != before.workers || job.loader.batch_ns != before.batch_ns ||
                           std::any_of(machine.ranks.begin(), machine.ranks.end(),
                                       [](const sim::RankResources& rank) { return rank.loader.is_modelled(); });
    if (!of_loader) kept.push_back(drawn);
  }
  return kept;
}

Result<TimeNs> step_without_loader(const SimulatedInstance& instance) {
  const std::vector<sim::FaultInstance> faults = TRY(faults_besides_loader(instance));
  sim::Job job = instance.instance.job;
  job.loader = {};
  const sim::SimulatedJob run = TRY(sim::simulate(job, faults, instance.run_seed));
  return run.mean_step_ns;
}

// What a sampling profiler sees of the busiest rank's first worker: it makes a batch, or waits for room in the queue.
std::string worker_line(const MeasurementInput& input) {
  const TimeNs step_ns = std::max<TimeNs>(input.instance.run.mean_step_ns, 1);
  int64_t most_permille = 0;
  size_t most_rank = 0;
  for (size_t rank = 0; rank < input.machine.ranks.size(); ++rank) {
    const int64_t busy = std::min<int64_t>(1000, loader_of(input, rank).period_ns() * 1000 / step_ns);
    if (busy > most_permille) {
      most_permille = busy;
      most_rank = rank;
    }
  }
  return "worker 0 of rank " + std::to_string(most_rank) + ": " + decimal_text(most_permille, 10, 0) +
         " % fetch (dataset.__getitem__, collate), " + decimal_text(1000 - most_permille, 10, 0) +
         " % put (queue full)";
}

Result<MeasurementPrint> run(const MeasurementInput& input) {
  const TimeNs cached_ns = TRY(step_without_loader(input.instance));
  MeasurementPrint print;
  print.command = "$ torchrun train.py --steps 20 --cached-batch; py-spy record --pid WORKER --duration 5";
  print.lines.push_back("20 steps, " + dur_text(cached_ns) +
                        " a step (with the loader: " + dur_text(input.instance.run.mean_step_ns) + ")");
  print.lines.push_back(worker_line(input));
  return print;
}

}  // namespace

PaidMeasurement cached_batch() { return {.id = "cached_batch", .price_s = 20, .run = run}; }

}  // namespace td::drill::measurement
