// The categories that PyTorch's profiler has used since 2020, told to what the trace model knows.
#pragma once

#include <cstdint>
#include <string_view>

#include "trace/trace.h"

namespace td::formats {

enum class Category : uint8_t {
  none,  // no "cat" at all
  kernel,
  memcpy,
  memset,
  runtime,
  op,
  annotation,
  loader,  // ours: a wait for input whose name does not say so
  python,
  gpu_annotation,
  sync,
  overhead,
  profiler_span,  // "Trace": the profiler's own row that covers everything
  launch_flow,    // ac2g and its older names: the correlation says the same
  other,
};

Category category_of(std::string_view text);

constexpr bool is_gpu_work(Category category) {
  return category == Category::kernel || category == Category::memcpy || category == Category::memset;
}
// Rows that belong to a device and a stream.
constexpr bool is_on_gpu(Category category) {
  return is_gpu_work(category) || category == Category::gpu_annotation || category == Category::sync;
}

// The kind of a host slice. `waits_for_input`: its name is that of a loader wait (is_loader_wait).
trace::SliceKind host_kind(Category category, bool waits_for_input);

// The category that the writer gives a slice: what Kineto writes today. `name` tells the driver API from the runtime.
std::string_view category_text(trace::SliceKind kind, std::string_view name);

}  // namespace td::formats
