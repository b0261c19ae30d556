#include "sim/job/program_writer.h"

namespace td::sim {
namespace {

// Cheap runtime calls: medians seen under the profiler.
constexpr TimeNs kRecordEventNs = 1'400;
constexpr TimeNs kWaitEventNs = 1'200;
constexpr TimeNs kCopyCallNs = 8'500;
constexpr TimeNs kSyncCallNs = 2'500;

}  // namespace

void ProgramWriter::op(std::string_view name, TimeNs cost_ns, std::string_view shapes, std::string_view types_text,
                       int32_t sequence) {
  out_->push_back({.code = Code::begin,
                   .kind = trace::SliceKind::host_op,
                   .name = program_.strings.intern(name),
                   .shapes = program_.strings.intern(shapes),
                   .types = program_.strings.intern(types_text),
                   .cost_ns = cost_ns,
                   .sequence = sequence});
}

void ProgramWriter::annotation(std::string_view name, TimeNs cost_ns) {
  out_->push_back({.code = Code::begin,
                   .kind = trace::SliceKind::annotation,
                   .name = program_.strings.intern(name),
                   .cost_ns = cost_ns});
}

void ProgramWriter::end(TimeNs cost_ns) { out_->push_back({.code = Code::end, .cost_ns = cost_ns}); }

void ProgramWriter::work(TimeNs cost_ns) { out_->push_back({.code = Code::work, .cost_ns = cost_ns}); }

void ProgramWriter::pass(TimeNs dur_ns) { out_->push_back({.code = Code::pass, .cost_ns = dur_ns}); }

void ProgramWriter::call(std::string_view api, TimeNs cost_ns) {
  out_->push_back({.code = Code::call, .name = program_.strings.intern(api), .cost_ns = cost_ns});
}

void ProgramWriter::leaf(std::string_view name, TimeNs cost_ns, std::string_view shapes) {
  op(name, cost_ns, shapes);
  end(0);
}

KernelSpec ProgramWriter::kernel_spec(const KernelShape& shape, const hardware::KernelTime& time) {
  return {.name = program_.strings.intern(shape.name),
          .grid = {shape.grid[0], shape.grid[1], shape.grid[2]},
          .block = {shape.block[0], shape.block[1], shape.block[2]},
          .registers_per_thread = shape.registers_per_thread,
          .shared_memory_bytes = shape.shared_memory_bytes,
          .time = time};
}

void ProgramWriter::launch(std::string_view api, TimeNs cost_ns, const KernelShape& shape,
                           const hardware::KernelTime& time) {
  program_.kernels.push_back(kernel_spec(shape, time));
  out_->push_back({.code = Code::launch,
                   .name = program_.strings.intern(api),
                   .cost_ns = cost_ns,
                   .index = static_cast<int32_t>(program_.kernels.size()) - 1,
                   .stream = kComputeStream});
}

void ProgramWriter::copy(std::string_view name, trace::CopyKind kind, int64_t size_bytes, TimeNs dur_ns) {
  program_.copies.push_back({program_.strings.intern(name), kind, size_bytes, dur_ns});
  out_->push_back({.code = Code::copy,
                   .name = program_.strings.intern("cudaMemcpyAsync"),
                   .cost_ns = kCopyCallNs,
                   .index = static_cast<int32_t>(program_.copies.size()) - 1,
                   .stream = kComputeStream});
}

void ProgramWriter::collective(const CollectiveSpec& spec, TimeNs cost_ns, int32_t stream) {
  program_.collectives.push_back(spec);
  out_->push_back({.code = Code::collective,
                   .name = program_.strings.intern("cudaLaunchKernelExC"),
                   .cost_ns = cost_ns,
                   .index = static_cast<int32_t>(program_.collectives.size()) - 1,
                   .stream = stream});
}

void ProgramWriter::record_event(int32_t event, int32_t stream) {
  out_->push_back({.code = Code::record_event,
                   .name = program_.strings.intern("cudaEventRecord"),
                   .cost_ns = kRecordEventNs,
                   .index = event,
                   .stream = stream});
}

void ProgramWriter::wait_event(int32_t event, int32_t stream) {
  out_->push_back({.code = Code::wait_event,
                   .name = program_.strings.intern("cudaStreamWaitEvent"),
                   .cost_ns = kWaitEventNs,
                   .index = event,
                   .stream = stream});
}

void ProgramWriter::sync_stream(int32_t stream) {
  out_->push_back({.code = Code::sync_stream,
                   .name = program_.strings.intern("cudaStreamSynchronize"),
                   .cost_ns = kSyncCallNs,
                   .stream = stream});
}

void ProgramWriter::sync_device() {
  out_->push_back(
      {.code = Code::sync_device, .name = program_.strings.intern("cudaDeviceSynchronize"), .cost_ns = kSyncCallNs});
}

void ProgramWriter::blocking_call(std::string_view api, TimeNs cost_ns) {
  out_->push_back({.code = Code::sync_device, .name = program_.strings.intern(api), .cost_ns = cost_ns});
}

void ProgramWriter::loader(std::string_view name) {
  out_->push_back({.code = Code::loader, .kind = trace::SliceKind::loader, .name = program_.strings.intern(name)});
}

void ProgramWriter::begin_step(TimeNs cost_ns) {
  out_->push_back({.code = Code::begin_step, .kind = trace::SliceKind::annotation, .cost_ns = cost_ns});
}

void ProgramWriter::run_thread(int32_t thread, int32_t segment, int32_t first_sequence) {
  out_->push_back({.code = Code::run_thread, .index = segment, .stream = thread, .sequence = first_sequence});
}

void ProgramWriter::run_segment(int32_t segment, int32_t first_sequence) {
  out_->push_back({.code = Code::run_segment, .index = segment, .sequence = first_sequence});
}

std::string dims(std::initializer_list<Dims> tensors) {
  std::string text = "[";
  for (const Dims& tensor : tensors) {
    if (text.size() > 1) text += ",";
    text += "[";
    bool first = true;
    for (const int64_t size : tensor) {
      if (!first) text += ",";
      text += std::to_string(size);
      first = false;
    }
    text += "]";
  }
  return text + "]";
}

std::string types(std::initializer_list<std::string_view> names) {
  std::string text = "[";
  for (const std::string_view name : names) {
    if (text.size() > 1) text += ",";
    text += "\"" + std::string(name) + "\"";
  }
  return text + "]";
}

}  // namespace td::sim
