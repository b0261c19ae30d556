// What torch.compile changes in the program: the region's frames, the names of its kernels, and what is seen when a
// guard fails. A simple model: each elementwise or row kernel becomes one Triton kernel of the same cost; nothing is
// fused further, so a compiled job is no faster here than an eager one. Private to job/.
#pragma once

#include <string_view>

#include "sim/job/job.h"
#include "sim/job/program_writer.h"

namespace td::sim {

inline constexpr std::string_view kTritonLaunch = "cuLaunchKernel";

// The batch with another shape: as many tokens, in twice the sequences of half the length (a sampler that fills batches
// up to a number of tokens).
Job reshaped_job(const Job& job);

enum class TritonKind : uint8_t { pointwise, reduction };
// "triton_poi_fused_add_0" with the eager kernel's grid.
KernelShape triton_kernel(std::string_view op_name, const KernelShape& eager, TritonKind kind);

// The frames around a compiled forward: the cache lookup, the compiler if a guard has failed, the region.
void begin_compiled(ProgramWriter& writer);
void end_compiled(ProgramWriter& writer);

}  // namespace td::sim
