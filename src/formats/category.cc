#include "formats/category.h"

#include <array>

#include "trace/kernel_class.h"

namespace td::formats {
namespace {

using trace::SliceKind;

struct Row {
  std::string_view text;
  Category category;
};

// Two generations: "Kernel", "Runtime", "Operator" until 2021, lower case since.
constexpr std::array kRows = {
    Row{"kernel", Category::kernel},
    Row{"cpu_op", Category::op},
    Row{"cuda_runtime", Category::runtime},
    Row{"python_function", Category::python},
    Row{"ac2g", Category::launch_flow},
    Row{"gpu_memcpy", Category::memcpy},
    Row{"gpu_memset", Category::memset},
    Row{"cuda_driver", Category::runtime},
    Row{"hip_runtime", Category::runtime},
    Row{"user_annotation", Category::annotation},
    Row{"gpu_user_annotation", Category::gpu_annotation},
    Row{"cuda_sync", Category::sync},
    Row{"cuda_event", Category::sync},
    Row{"overhead", Category::overhead},
    Row{"Trace", Category::profiler_span},
    Row{"dataloader", Category::loader},
    Row{"Kernel", Category::kernel},
    Row{"Memcpy", Category::memcpy},
    Row{"Memset", Category::memset},
    Row{"Runtime", Category::runtime},
    Row{"Operator", Category::op},
    Row{"User annotation", Category::annotation},
    Row{"async", Category::launch_flow},
    Row{"async_gpu", Category::launch_flow},
    Row{"async_cpu_to_gpu", Category::launch_flow},
};

}  // namespace

Category category_of(std::string_view text) {
  if (text.empty()) return Category::none;
  for (const Row& row : kRows)
    if (row.text == text) return row.category;
  return Category::other;
}

SliceKind host_kind(Category category, bool waits_for_input) {
  switch (category) {
    case Category::runtime:
      return SliceKind::runtime;
    case Category::op:
      return waits_for_input ? SliceKind::loader : SliceKind::host_op;
    case Category::annotation:
      return waits_for_input ? SliceKind::loader : SliceKind::annotation;
    case Category::python:
      return waits_for_input ? SliceKind::loader : SliceKind::python;
    case Category::loader:
      return SliceKind::loader;
    case Category::overhead:
      return SliceKind::overhead;
    default:
      return SliceKind::other;
  }
}

std::string_view category_text(SliceKind kind, std::string_view name) {
  switch (kind) {
    case SliceKind::host_op:
      return "cpu_op";
    case SliceKind::annotation:
      return "user_annotation";
    case SliceKind::python:
      return "python_function";
    case SliceKind::loader:
      return trace::is_loader_wait(name) ? "user_annotation" : "dataloader";
    case SliceKind::runtime:
      // cuLaunchKernel is the driver's, cudaLaunchKernel the runtime's.
      return name.size() > 2 && name.starts_with("cu") && name[2] >= 'A' && name[2] <= 'Z' ? "cuda_driver"
                                                                                           : "cuda_runtime";
    case SliceKind::compute:
    case SliceKind::comm:
      return "kernel";
    case SliceKind::copy:
      return "gpu_memcpy";
    case SliceKind::memset:
      return "gpu_memset";
    case SliceKind::gpu_annotation:
      return "gpu_user_annotation";
    case SliceKind::sync:
      return "cuda_sync";
    case SliceKind::overhead:
      return "overhead";
    case SliceKind::instant:
    case SliceKind::other:
      return "";
  }
  return "";
}

}  // namespace td::formats
