#include "sim/job/fusion.h"

#include <algorithm>

#include "base/math.h"
#include "hardware/formula/kernel_time.h"

namespace td::sim {
namespace {

// Inductor's own limit is 64 nodes; what shares no tensor is not merged at all, which this stands for.
constexpr size_t kMostFused = 10;
constexpr TimeNs kTritonOpNs = 8'500;  // the generated wrapper and the launcher's checks
constexpr TimeNs kTritonLaunchNs = 4'600;
constexpr TimeNs kLibraryOpNs = 7'000;  // extern_kernels.mm: no autograd, no dispatch to a wrapper

// "aten::native_layer_norm" -> "native_layer_norm".
std::string_view bare(std::string_view op_name) {
  const size_t at = op_name.rfind("::");
  return at == std::string_view::npos ? op_name : op_name.substr(at + 2);
}

// Of the ops of a pass those that launch something name its kernel.
void append_names(const Pass& pass, std::vector<std::string_view>& names) {
  for (const KernelUse& use : pass.kernels) {
    names.push_back(use.op < 0 ? bare(use.shape.name) : bare(pass.ops[static_cast<size_t>(use.op)].name));
  }
}

bool is_sum(const OpSpec& op) { return op.name == "aten::sum"; }

}  // namespace

void Fuser::triton(std::vector<std::string_view> ops, bool reduction, const Pass& from, double traffic_bytes) {
  std::ranges::sort(ops);
  ops.erase(std::ranges::unique(ops).begin(), ops.end());
  constexpr size_t kMostNamed = 6;
  if (ops.size() > kMostNamed) ops.resize(kMostNamed);
  std::string name = reduction ? "triton_red_fused" : "triton_poi_fused";
  for (const std::string_view op : ops) name += "_" + std::string(op);
  const auto number =
      numbers_.emplace(std::pair(name, round_to_int(traffic_bytes)), static_cast<int32_t>(numbers_.size()));
  name += "_" + std::to_string(number.first->second);

  const OpSpec first = from.ops.empty() ? OpSpec{} : from.ops.front();
  KernelShape shape{.name = name, .grid = {}, .block = {}, .registers_per_thread = reduction ? 40 : 28};
  const KernelShape& eager = from.kernels.front().shape;
  // One row a program, or 1024 elements.
  shape.grid[0] = reduction ? eager.grid[0] : std::max(1U, eager.grid[0] * eager.block[0] / 256U);
  shape.block[0] = 256;
  shape.shared_memory_bytes = reduction ? 1024 : 0;
  writer_.op(name, kTritonOpNs, first.shapes, first.types);
  writer_.launch("cuLaunchKernel", kTritonLaunchNs, shape, hardware::stream_time(traffic_bytes, gpu_));
  writer_.end(1'000);
}

void Fuser::library_call(const Pass& pass) {
  for (size_t i = 0; i < pass.ops.size(); ++i) {
    const OpSpec& op = pass.ops[i];
    bool open = false;
    for (const KernelUse& use : pass.kernels) {
      if (use.op != static_cast<int32_t>(i)) continue;
      if (is_sum(op)) {
        Pass sum;
        sum.ops.push_back(op);
        sum.kernels.push_back(use);
        triton({"sum"}, true, sum, use.time.memory_ns * 1e-9 * gpu_.hbm_bytes_per_s * 0.88);
        continue;
      }
      if (!open) writer_.op(op.name, kLibraryOpNs, op.shapes, op.types);
      open = true;
      writer_.launch(use.api, use.api_ns, use.shape, use.time);
    }
    if (open) writer_.end(1'500);
  }
}

void Fuser::add(const Pass& pass) {
  if (pass.kernels.empty()) return;
  switch (pass.fusion.kind) {
    case Fusion::Kind::none:
      flush();
      library_call(pass);
      return;
    case Fusion::Kind::standalone: {
      std::vector<std::string_view> names;
      append_names(pass, names);
      triton(std::move(names), false, pass, pass.fusion.other_bytes + pass.fusion.out_bytes);
      return;
    }
    case Fusion::Kind::pointwise:
    case Fusion::Kind::reduction:
      break;
  }
  if (pass.fusion.over_rows) {
    // The statistic needs the whole tensor: what is held back must have written it.
    if (!held_.empty()) flush();
    std::vector<std::string_view> names;
    append_names(pass, names);
    triton(std::move(names), true, pass, pass.fusion.chained_bytes);
  }
  held_.push_back(&pass);
  if (pass.fusion.second_bytes > 0) {
    std::vector<std::string_view> names;
    append_names(pass, names);
    triton(std::move(names), true, pass, pass.fusion.second_bytes);
  }
  if (held_.size() >= kMostFused) flush();
}

void Fuser::flush() {
  if (held_.empty()) return;
  double traffic_bytes = held_.front()->fusion.chained_bytes;
  bool reduction = false;
  std::vector<std::string_view> names;
  for (const Pass* pass : held_) {
    traffic_bytes += pass->fusion.other_bytes;
    if (pass == held_.back() || pass->fusion.keeps_output) traffic_bytes += pass->fusion.out_bytes;
    reduction = reduction || (pass->fusion.kind == Fusion::Kind::reduction && !pass->fusion.over_rows);
    append_names(*pass, names);
  }
  const Pass& last = *held_.back();
  held_.clear();
  if (traffic_bytes > 0) triton(std::move(names), reduction, last, traffic_bytes);
}

}  // namespace td::sim
