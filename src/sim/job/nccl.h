// The kernels and calls of NCCL and RCCL, written into a program; private to job/.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "hardware/gpu.h"
#include "sim/job/job.h"
#include "sim/job/program_writer.h"

namespace td::sim {

// The kernel that a library of this GPU's vendor runs: NCCL's says what it does, RCCL's is always the generic one.
KernelShape nccl_kernel(trace::CollectiveKind kind, trace::DType dtype, int32_t channels, const hardware::Gpu& gpu);

// One collective as PyTorch launches it: the op, its record, the annotation, the kernel on `stream`. The stream waits
// for what compute has done before; `done_event` is recorded behind the kernel.
struct CollectiveCall {
  trace::CollectiveKind kind = trace::CollectiveKind::all_reduce;
  trace::DType dtype = trace::DType::bfloat16;
  int64_t in_count = 0;  // elements
  int64_t out_count = 0;
  std::span<const int32_t> ranks;  // of the group, for one rank of this program
  int32_t group = 0;               // CollectiveSpec::group
  int32_t stream = kCommStream;
  int32_t ready_event = 0;
  int32_t done_event = 0;
  std::string_view op;          // "c10d::allreduce_"
  std::string_view annotation;  // "nccl:all_reduce"
  std::string_view shape;       // Input Dims
};
void write_collective(const CollectiveCall& call, const Job& job, ProgramWriter& writer);

}  // namespace td::sim
