// Metrics of a training step: norms for a log, and what it takes to read one on the host; private to job/.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/job/job.h"
#include "sim/job/program_writer.h"

namespace td::sim {

// tensor.item(): a device-to-host copy of one value, then the host waits for all earlier work of the compute stream.
void read_scalar(ProgramWriter& writer);

// The norm of a tensor, one kernel; then, if the job reads its metrics on the host, item() and the log line.
void write_metric(const Metrics& metrics, int64_t rows, int64_t columns, trace::DType dtype, const hardware::Gpu& gpu,
                  ProgramWriter& writer);

// Whether the gradient of parameter `index` (order of parameters_of) is logged.
bool logs_gradient(const Metrics& metrics, const Model& model, size_t index);

}  // namespace td::sim
