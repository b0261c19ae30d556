// What a vendor's software prints. Programs are written in CUDA's names and BF16; this turns the names of a finished
// program into those that the profiler shows on the job's GPU: HIP calls, RCCL, AOTriton and ROCm's launch shapes on
// AMD's parts, FP16 and memory-efficient attention on parts without BF16. Times do not change. Private to sim/.
#pragma once

#include <string>
#include <string_view>

#include "hardware/gpu.h"
#include "sim/engine/program.h"

namespace td::sim {

// "cudaEventQuery" -> "hipEventQuery"; anything as it is elsewhere.
std::string in_dialect(std::string_view text, const hardware::Gpu& gpu);
void apply_dialect(Program& program, const hardware::Gpu& gpu);

}  // namespace td::sim
