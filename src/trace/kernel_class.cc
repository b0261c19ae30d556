#include "trace/kernel_class.h"

#include <array>

namespace td::trace {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// Case-insensitive search of a lower-case part.
bool contains_lower(std::string_view text, std::string_view part) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  for (size_t at = 0; at + part.size() <= text.size(); ++at) {
    size_t i = 0;
    while (i < part.size() && lower(text[at + i]) == part[i]) ++i;
    if (i == part.size()) return true;
  }
  return false;
}

template <typename Kind>
struct Row {
  std::string_view part;
  Kind kind;
};

// Names of communication kernels that do not begin with nccl (trace-oddities.md, A15).
constexpr std::array kCustomCommunication = {
    std::string_view("multimem_all_reduce"),
    std::string_view("cross_device_reduce"),
    std::string_view("one_shot_all_reduce"),
    std::string_view("all_reduce_one_shot"),
    std::string_view("two_shot_all_reduce"),
    std::string_view("::ep::internode"),
    std::string_view("::ep::intranode"),
    std::string_view("deep_ep::"),
    std::string_view("nvshmem"),
    std::string_view("rocshmem"),
    std::string_view("allreduce_fusion_kernel"),
    std::string_view("quickreduce"),
};

constexpr std::array kCollectives = {
    Row<CollectiveKind>{"allreduce", CollectiveKind::all_reduce},
    Row<CollectiveKind>{"all_reduce", CollectiveKind::all_reduce},
    Row<CollectiveKind>{"cross_device_reduce", CollectiveKind::all_reduce},
    Row<CollectiveKind>{"quickreduce", CollectiveKind::all_reduce},
    Row<CollectiveKind>{"allgather", CollectiveKind::all_gather},
    Row<CollectiveKind>{"all_gather", CollectiveKind::all_gather},
    Row<CollectiveKind>{"reducescatter", CollectiveKind::reduce_scatter},
    Row<CollectiveKind>{"reduce_scatter", CollectiveKind::reduce_scatter},
    Row<CollectiveKind>{"alltoall", CollectiveKind::all_to_all},
    Row<CollectiveKind>{"all_to_all", CollectiveKind::all_to_all},
    Row<CollectiveKind>{"dispatch", CollectiveKind::all_to_all},
    Row<CollectiveKind>{"combine", CollectiveKind::all_to_all},
    Row<CollectiveKind>{"broadcast", CollectiveKind::broadcast},
    Row<CollectiveKind>{"sendrecv", CollectiveKind::send_recv},
    Row<CollectiveKind>{"send", CollectiveKind::send_recv},
    Row<CollectiveKind>{"recv", CollectiveKind::send_recv},
    Row<CollectiveKind>{"reduce", CollectiveKind::reduce},
};

CollectiveKind collective_in(std::string_view text) {
  for (const auto& row : kCollectives)
    if (contains_lower(text, row.part)) return row.kind;
  return CollectiveKind::unknown;
}

// Scalar types as in the collective metadata ("Long") and as C++ names under "Input type" ("long int"); the first row
// that the text contains decides.
constexpr std::array kDTypes = {
    Row<DType>{"BFloat16", DType::bfloat16},   Row<DType>{"bf16", DType::bfloat16},
    Row<DType>{"Float8", DType::float8},       Row<DType>{"Half", DType::float16},
    Row<DType>{"Double", DType::float64},      Row<DType>{"double", DType::float64},
    Row<DType>{"Float", DType::float32},       Row<DType>{"float", DType::float32},
    Row<DType>{"Long", DType::int64},          Row<DType>{"long", DType::int64},
    Row<DType>{"unsigned char", DType::uint8}, Row<DType>{"Byte", DType::uint8},
    Row<DType>{"signed char", DType::int8},    Row<DType>{"Char", DType::int8},
    Row<DType>{"Int", DType::int32},           Row<DType>{"int", DType::int32},
    Row<DType>{"Bool", DType::boolean},        Row<DType>{"bool", DType::boolean},
};

}  // namespace

bool is_communication_kernel(std::string_view kernel_name) {
  if (contains_lower(kernel_name, "nccldevkernel") || contains_lower(kernel_name, "ncclkernel") ||
      kernel_name.starts_with("nccl") || kernel_name.starts_with("rccl") || kernel_name.starts_with("hccl"))
    return true;
  for (std::string_view part : kCustomCommunication)
    if (contains_lower(kernel_name, part)) return true;
  return false;
}

CollectiveKind collective_of_kernel(std::string_view kernel_name) {
  return is_communication_kernel(kernel_name) ? collective_in(kernel_name) : CollectiveKind::unknown;
}

CollectiveKind collective_of_metadata(std::string_view collective_name) { return collective_in(collective_name); }

CopyKind copy_of_name(std::string_view name) {
  if (contains(name, "HtoD")) return CopyKind::h2d;
  if (contains(name, "DtoH")) return CopyKind::d2h;
  if (contains(name, "DtoD")) return CopyKind::d2d;
  if (contains(name, "PtoP")) return CopyKind::p2p;
  if (contains(name, "HtoH")) return CopyKind::h2h;
  return CopyKind::unknown;
}

bool is_pageable_copy(std::string_view name) { return contains(name, "Pageable"); }

bool is_loader_wait(std::string_view host_name) {
  return host_name.starts_with("enumerate(DataLoader)") ||
         (contains(host_name, "DataLoaderIter") && contains(host_name, "__next__"));
}

bool is_blocking_sync(std::string_view api_name) {
  return contains(api_name, "StreamSynchronize") || contains(api_name, "DeviceSynchronize") ||
         contains(api_name, "EventSynchronize") || contains(api_name, "CtxSynchronize");
}

bool is_kernel_launch(std::string_view api_name) {
  return contains(api_name, "LaunchKernel") || contains(api_name, "GraphLaunch") ||
         contains(api_name, "LaunchCooperativeKernel");
}

DType dtype_of(std::string_view text) {
  for (const auto& row : kDTypes)
    if (contains(text, row.part)) return row.kind;
  return DType::unknown;
}

int64_t size_bytes(DType dtype) {
  switch (dtype) {
    case DType::unknown:
      return 0;
    case DType::int8:
    case DType::uint8:
    case DType::float8:
    case DType::boolean:
      return 1;
    case DType::float16:
    case DType::bfloat16:
      return 2;
    case DType::int32:
    case DType::float32:
      return 4;
    case DType::int64:
    case DType::float64:
      return 8;
  }
  return 0;
}

std::string_view to_string(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::unknown:
      return "unknown";
    case CollectiveKind::all_reduce:
      return "all_reduce";
    case CollectiveKind::all_gather:
      return "all_gather";
    case CollectiveKind::reduce_scatter:
      return "reduce_scatter";
    case CollectiveKind::all_to_all:
      return "all_to_all";
    case CollectiveKind::broadcast:
      return "broadcast";
    case CollectiveKind::reduce:
      return "reduce";
    case CollectiveKind::send_recv:
      return "send_recv";
  }
  return "unknown";
}

std::string_view to_string(DType dtype) {
  switch (dtype) {
    case DType::unknown:
      return "unknown";
    case DType::int8:
      return "int8";
    case DType::uint8:
      return "uint8";
    case DType::float8:
      return "float8";
    case DType::float16:
      return "float16";
    case DType::bfloat16:
      return "bfloat16";
    case DType::int32:
      return "int32";
    case DType::float32:
      return "float32";
    case DType::int64:
      return "int64";
    case DType::float64:
      return "float64";
    case DType::boolean:
      return "bool";
  }
  return "unknown";
}

std::string_view to_string(CopyKind kind) {
  switch (kind) {
    case CopyKind::unknown:
      return "unknown";
    case CopyKind::h2d:
      return "h2d";
    case CopyKind::d2h:
      return "d2h";
    case CopyKind::d2d:
      return "d2d";
    case CopyKind::p2p:
      return "p2p";
    case CopyKind::h2h:
      return "h2h";
  }
  return "unknown";
}

}  // namespace td::trace
