// Names and enums of an Nsight Systems export, said as the rest of the program says them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace/kernel_class.h"

namespace td::formats::nsys {

// "cudaLaunchKernel_v7000" -> "cudaLaunchKernel", "cudaMemcpyAsync_ptsz_v7000" -> "cudaMemcpyAsync".
std::string_view api_name(std::string_view name);

// Copy kinds as exported (1 HtoD, 2 DtoH, 8 DtoD, 9 HtoH, 10 PtoP, 11-13 unified memory).
trace::CopyKind copy_kind(int64_t kind);

// "Memcpy HtoD (Pageable -> Device)"; memory kinds as exported (0 pageable, 1 pinned, 2 device ...), -1 unknown.
std::string copy_name(int64_t kind, int64_t source_memory, int64_t target_memory);

// "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync", as Kineto says them.
std::string_view sync_name(int64_t type);

// An NVTX range of autograd's: "aten::view, op_id = 314290, seq = 7, sizes = [[2, 3]]". `name` is the whole text where
// it is none of those.
struct OpRange {
  std::string_view name;
  bool is_op = false;
  int64_t sequence = -1;
  std::string_view sizes;  // "[[2, 3]]" or empty
};
OpRange parse_op_range(std::string_view text);

}  // namespace td::formats::nsys
