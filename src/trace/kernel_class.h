// "What kind of thing is this name?" - the one place that answers it, as a tested table.
#pragma once

#include <cstdint>
#include <string_view>

namespace td::trace {

enum class CollectiveKind : uint8_t {
  unknown,  // communication, but the name does not say which (ncclDevKernel_Generic, custom kernels)
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  reduce,
  send_recv,
};

enum class DType : uint8_t { unknown, int8, uint8, float8, float16, bfloat16, int32, float32, int64, float64, boolean };

enum class CopyKind : uint8_t { unknown, h2d, d2h, d2d, p2p, h2h };

// True if a GPU kernel of this name moves data between ranks: NCCL and RCCL of every era, and the custom ones that do
// not say nccl (DeepEP dispatch/combine, multimem and one-shot all-reduce, NVSHMEM).
bool is_communication_kernel(std::string_view kernel_name);

// The collective that a kernel name tells, `unknown` if it tells none.
CollectiveKind collective_of_kernel(std::string_view kernel_name);

// From the "Collective name" of Kineto's metadata or an "nccl:..." annotation: allreduce, _allgather_base, send, ...
CollectiveKind collective_of_metadata(std::string_view collective_name);

// "Memcpy HtoD (Pageable -> Device)" -> h2d.
CopyKind copy_of_name(std::string_view name);

// True for copies whose host side is pageable memory, by the name's text.
bool is_pageable_copy(std::string_view name);

// True for host slices that wait for input: enumerate(DataLoader)#..., __next__ of a loader.
bool is_loader_wait(std::string_view host_name);

// True for runtime calls that block the host until the device has caught up.
bool is_blocking_sync(std::string_view api_name);

// True for runtime or driver calls that enqueue a kernel or a graph.
bool is_kernel_launch(std::string_view api_name);

// Kineto's dtype text ("BFloat16", "Float", "Half", "Byte", "c10::BFloat16") and its size; 0 bytes for unknown.
DType dtype_of(std::string_view text);
int64_t size_bytes(DType dtype);

// Names as printed in readings ("all_reduce", "bfloat16", "h2d").
std::string_view to_string(CollectiveKind kind);
std::string_view to_string(DType dtype);
std::string_view to_string(CopyKind kind);

}  // namespace td::trace
