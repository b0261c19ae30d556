#include "analysis/kernel_groups.h"

#include <algorithm>

#include "analysis/text.h"
#include "base/saturate.h"

namespace td::analysis {
namespace {

using trace::SliceId;

template <size_t N>
bool has_any(std::string_view text, const std::array<std::string_view, N>& parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

}  // namespace

std::map<KernelKey, std::vector<KernelSample>> kernel_groups(const MeasuredRank& rank) {
  std::map<KernelKey, std::vector<KernelSample>> out;
  const trace::RankTrace& trace = rank.trace();
  std::map<int64_t, SliceId> op_of;
  for (const trace::OpArgs& args : trace.ops)
    if (trace.kind[args.slice] == trace::SliceKind::host_op && args.external_id >= 0)
      op_of.emplace(args.external_id, args.slice);
  for (const SliceId slice : rank.steady_work()) {
    if (trace.kind[slice] != trace::SliceKind::compute) continue;
    KernelKey key;
    key.name = trace.name_of(slice);
    const trace::OpArgs* own = trace.op_args(slice);
    if (const auto op = own != nullptr ? op_of.find(own->external_id) : op_of.end(); op != op_of.end()) {
      key.op = trace.name_of(op->second);
      if (const trace::OpArgs* args = trace.op_args(op->second)) key.shapes = trace.strings.view(args->shapes);
    }
    if (const trace::KernelArgs* args = trace.kernel_args(slice))
      key.grid = {args->grid[0], args->grid[1], args->grid[2]};
    const Interval at{trace.start_ns[slice], trace.end_ns(slice)};
    out[key].push_back({slice, at.length_ns(),
                        fraction(length_within_ns(rank.timeline.comm, at), std::max<TimeNs>(1, at.length_ns()))});
  }
  return out;
}

bool is_stream_kernel(std::string_view name) {
  static constexpr std::array<std::string_view, 22> kParts = {
      "elementwise", "reduce_kernel", "SoftMax", "softmax",  "layer_norm",         "LayerNorm",
      "RMSNorm",     "rms_norm",      "dropout", "CatArray", "triton_poi_",        "triton_red_",
      "triton_per_", "batch_norm",    "bn_fw",   "bn_bw",    "multi_tensor_apply", "Memcpy",
      "indexSelect", "gather_kernel", "scatter", "pool"};
  return has_any(name, kParts);
}

bool is_attention_kernel(std::string_view name) {
  static constexpr std::array<std::string_view, 8> kParts = {"flash", "fmha", "attention", "sdpa",
                                                             "attn",  "Fmha", "Attention", "AttentionKernel"};
  return has_any(name, kParts);
}

bool is_product_kernel(std::string_view name) {
  static constexpr std::array<std::string_view, 14> kParts = {"gemm",  "GEMM", "Gemm",   "nvjet",      "cutlass",
                                                              "Cijk_", "gemv", "conv",   "fprop",      "dgrad",
                                                              "wgrad", "bmm_", "matmul", "triton_tem_"};
  return has_any(name, kParts) || is_attention_kernel(name);
}

bool is_expert_kernel(std::string_view name) {
  static constexpr std::array<std::string_view, 11> kParts = {
      "grouped_gemm", "GroupedGemm", "grouped_mm", "groupedGemm", "group_gemm", "fused_moe",
      "moe_",         "Moe",         "MoE",        "expert",      "matmul_ogs"};
  return has_any(name, kParts);
}

int32_t compute_major_of(const Measured& measured) {
  if (const hardware::Gpu* gpu = measured.facts.gpu) return gpu->compute_major;
  if (measured.ranks.empty()) return 0;
  struct Row {
    std::string_view part;
    int32_t major;
  };
  static constexpr std::array<Row, 17> kRows = {{{"GB200", 10},
                                                 {"GB300", 10},
                                                 {"B200", 10},
                                                 {"B300", 10},
                                                 {"B100", 10},
                                                 {"RTX 50", 12},
                                                 {"GH200", 9},
                                                 {"H100", 9},
                                                 {"H200", 9},
                                                 {"H800", 9},
                                                 {"H20", 9},
                                                 {"A100", 8},
                                                 {"RTX 30", 8},
                                                 {"L40", 8},
                                                 {"RTX 40", 8},
                                                 {"V100", 7},
                                                 {"T4", 7}}};
  const std::string& name = measured.ranks.front().trace().device_name;
  for (const Row& row : kRows)
    if (name.find(row.part) != std::string::npos) return row.major;
  return 0;
}

TimeNs kernel_time_ns(const MeasuredRank& rank, const std::function<bool(std::string_view)>& wanted) {
  const trace::RankTrace& trace = rank.trace();
  if (rank.steps.steady.empty()) return 0;
  TimeNs sum_ns = 0;
  for (const SliceId slice : rank.steady_work())
    if (trace.kind[slice] == trace::SliceKind::compute && wanted(trace.name_of(slice)))
      accumulate(sum_ns, trace.dur_ns[slice]);
  return sum_ns / static_cast<TimeNs>(rank.steps.steady.size());
}

double pace_of(const MeasuredRank& rank, const MeasuredRank& other) {
  const auto own = kernel_groups(rank);
  const auto others = kernel_groups(other);
  const auto usual_ns = [](const std::vector<KernelSample>& samples) {
    std::vector<TimeNs> lengths;
    for (const KernelSample& sample : samples) lengths.push_back(sample.dur_ns);
    return static_cast<double>(median_ns(std::move(lengths)));
  };
  double own_ns = 0;
  double others_ns = 0;
  for (const auto& [key, samples] : own) {
    const auto it = others.find(key);
    if (it == others.end()) continue;
    const auto count = static_cast<double>(std::min(samples.size(), it->second.size()));
    own_ns += count * usual_ns(samples);
    others_ns += count * usual_ns(it->second);
  }
  return others_ns > 0 ? own_ns / others_ns : 1.0;
}

}  // namespace td::analysis
