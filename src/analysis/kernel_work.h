// What an op must move and compute, from the shapes and types that the profiler recorded: a lower bound.
//
// Bytes count each tensor once: inputs read, output written. Ops that are not known here, shapes without types and
// lists of tensors give nothing rather than a guess.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace td::analysis {

struct KernelWork {
  double bytes = 0;      // at least, through memory
  double flop = 0;       // matrix products only, else 0
  int64_t elements = 0;  // of the largest tensor that is read or written
  int64_t columns = 0;   // its last dimension
};

// Matrix products (mm, bmm, addmm, baddbmm), copies, elementwise ops in place or not, softmax, norms, dropout.
//   op      "aten::bmm"
//   shapes  Input Dims: "[[96,2048,128],[96,128,2048]]"
//   types   Input type: ["c10::BFloat16","c10::BFloat16"]
std::optional<KernelWork> work_of(std::string_view op, std::string_view shapes, std::string_view types);

// The op that a kernel belongs to, with all of that op's kernels.
struct OpKernels {
  trace::SliceId op = trace::kNoSlice;  // the host op of the same External id
  std::vector<trace::SliceId> kernels;
  TimeNs dur_ns = 0;  // their sum
};

// Of `kernels` (in order of start), grouped by External id, in order of the first kernel. Kernels without one, or whose
// op is not in the trace, stand alone with op = kNoSlice.
std::vector<OpKernels> by_op(const trace::RankTrace& rank, const std::vector<trace::SliceId>& kernels);

}  // namespace td::analysis
