// What every training step has around its forwards and backwards, under any parallelism; private to job/.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/job/job.h"
#include "sim/job/model_writer.h"
#include "sim/job/program_writer.h"

namespace td::sim {

// The loader's next batch, and the copies of `inputs` to the device.
void write_batch(const Job& job, std::span<const InputTensor> inputs, ProgramWriter& writer);

void write_zero_grad(ProgramWriter& writer);

// The optimizer over `elements` parameters, those that this rank updates.
void write_optimizer(const Job& job, int64_t elements, ProgramWriter& writer);

// A loop over the gradients of `mine` between backward and the optimizer, for the log.
void write_gradient_log(const Job& job, const std::vector<Parameter>& parameters, std::span<const int32_t> mine,
                        ProgramWriter& writer);

// The end of the recording: the profiler waits for the device.
void write_epilogue(Program& program, ProgramWriter& writer);

}  // namespace td::sim
