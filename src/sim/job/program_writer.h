// Small helpers to write a Program: scopes, launches, shapes. Host costs are medians in nanoseconds.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "sim/engine/program.h"
#include "sim/job/kernel_names.h"

namespace td::sim {

using Dims = std::initializer_list<int64_t>;

class ProgramWriter {
 public:
  explicit ProgramWriter(Program& program) : program_(program) {}

  // Instructions go to this list until the next call.
  void write_to(std::vector<Instruction>& list) { out_ = &list; }

  void op(std::string_view name, TimeNs cost_ns, std::string_view shapes = {}, std::string_view types = {},
          int32_t sequence = -1);
  void annotation(std::string_view name, TimeNs cost_ns);
  void end(TimeNs cost_ns = 1'000);
  void work(TimeNs cost_ns);
  void pass(TimeNs dur_ns);  // exactly so long
  void call(std::string_view api, TimeNs cost_ns);
  // An op without children or kernels.
  void leaf(std::string_view name, TimeNs cost_ns, std::string_view shapes = {});

  void launch(std::string_view api, TimeNs cost_ns, const KernelShape& shape, const hardware::KernelTime& time);
  void copy(std::string_view name, trace::CopyKind kind, int64_t size_bytes, TimeNs dur_ns);
  void collective(const CollectiveSpec& spec, TimeNs cost_ns, int32_t stream = kCommStream);
  void record_event(int32_t event, int32_t stream);
  void wait_event(int32_t event, int32_t stream);
  void sync_stream(int32_t stream);
  void sync_device();
  // A call that waits for all earlier work of the device before it does its own: cudaFree.
  void blocking_call(std::string_view api, TimeNs cost_ns);
  void loader(std::string_view name);
  void begin_step(TimeNs cost_ns);
  // What `body` writes is run only in a step in which the rank's host stalls, or only in the others.
  template <typename Body>
  void in_stall(const Body& body) {
    write_if(Code::unless_stall, body);
  }
  template <typename Body>
  void without_stall(const Body& body) {
    write_if(Code::if_stall, body);
  }
  template <typename Body>
  void write_if(Code skip, const Body& body) {
    const size_t at = out_->size();
    out_->push_back({.code = skip});
    body();
    (*out_)[at].index = static_cast<int32_t>(out_->size() - at) - 1;
  }
  void stall(int32_t permille) { out_->push_back({.code = Code::stall, .cost_ns = permille}); }
  // `first_sequence`: what the segment's autograd sequence numbers count from.
  void run_thread(int32_t thread, int32_t segment, int32_t first_sequence = 0);
  void run_segment(int32_t segment, int32_t first_sequence = 0);

  int32_t new_event() { return program_.event_count++; }
  KernelSpec kernel_spec(const KernelShape& shape, const hardware::KernelTime& time);

 private:
  Program& program_;
  std::vector<Instruction>* out_ = nullptr;
};

// "[[8192,4096],[4096,14336]]", as Input Dims in a trace, without spaces.
std::string dims(std::initializer_list<Dims> tensors);
// ["c10::BFloat16","c10::BFloat16"]
std::string types(std::initializer_list<std::string_view> names);

}  // namespace td::sim
