#include "analysis/kernel_work.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "base/saturate.h"

namespace td::analysis {
namespace {

using trace::SliceId;

struct Tensor {
  std::vector<int64_t> dims;
  int64_t element_bytes = 0;  // 0: a scalar, None or a string
  [[nodiscard]] int64_t elements() const {
    if (element_bytes == 0) return 0;
    int64_t product = 1;
    for (const int64_t dim : dims) product *= dim;
    return product;
  }
  [[nodiscard]] double bytes() const { return static_cast<double>(elements()) * static_cast<double>(element_bytes); }
};

// Nothing for a type that is not known: a list of tensors, a type of a later version.
std::optional<int64_t> element_bytes(std::string_view type) {
  struct Row {
    std::string_view name;
    int64_t bytes;
  };
  static constexpr std::array<Row, 18> kRows = {{{"c10::BFloat16", 2},
                                                 {"c10::Half", 2},
                                                 {"float", 4},
                                                 {"double", 8},
                                                 {"bool", 1},
                                                 {"int", 4},
                                                 {"long", 8},
                                                 {"long int", 8},
                                                 {"short", 2},
                                                 {"short int", 2},
                                                 {"unsigned char", 1},
                                                 {"signed char", 1},
                                                 {"c10::Float8_e4m3fn", 1},
                                                 {"c10::Float8_e5m2", 1},
                                                 {"Scalar", 0},
                                                 {"ScalarList", 0},
                                                 {"Device", 0},
                                                 {"", 0}}};
  const auto row = std::ranges::find(kRows, type, &Row::name);
  if (row == kRows.end()) return std::nullopt;
  return row->bytes;
}

// ["float",""] without the quotes.
std::vector<std::string_view> parse_types(std::string_view text) {
  std::vector<std::string_view> out;
  for (size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at)) {
    const size_t end = text.find('"', at + 1);
    if (end == std::string_view::npos) break;
    out.push_back(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return out;
}

// Two levels of brackets around whole numbers; nothing for deeper ones, for numbers below zero, or beyond 2^40.
std::optional<std::vector<std::vector<int64_t>>> parse_shapes(std::string_view text) {
  constexpr int64_t kMost = int64_t{1} << 40;
  std::vector<std::vector<int64_t>> out;
  int depth = 0;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '[') {
      if (++depth > 2) return std::nullopt;
      if (depth == 2) out.emplace_back();
      ++i;
    } else if (c == ']') {
      --depth;
      ++i;
    } else if (c >= '0' && c <= '9') {
      int64_t value = 0;
      const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), value);
      if (error != std::errc() || depth != 2 || value > kMost || out.back().size() >= 8) return std::nullopt;
      out.back().push_back(value);
      i = static_cast<size_t>(end - text.data());
    } else if (c == ',' || c == ' ') {
      ++i;
    } else {
      return std::nullopt;
    }
  }
  return out;
}

std::optional<std::vector<Tensor>> tensors_of(std::string_view shapes, std::string_view types) {
  const auto dims = parse_shapes(shapes);
  const std::vector<std::string_view> names = parse_types(types);
  if (!dims || dims->empty()) return std::nullopt;
  std::vector<Tensor> out;
  for (size_t i = 0; i < dims->size(); ++i) {
    if (i >= names.size()) {
      // What is beyond the types may be scalars alone.
      if (!(*dims)[i].empty()) return std::nullopt;
      continue;
    }
    const std::optional<int64_t> bytes = element_bytes(names[i]);
    if (!bytes) return std::nullopt;
    double product = 1;
    for (const int64_t dim : (*dims)[i]) product *= static_cast<double>(dim);
    if (product > 1e15) return std::nullopt;
    out.push_back({(*dims)[i], *bytes});
  }
  return out;
}

int64_t largest_of(const std::vector<Tensor>& tensors) {
  int64_t most = 0;
  for (const Tensor& tensor : tensors) most = std::max(most, tensor.elements());
  return most;
}

// The last two tensors with two or three dimensions: [b,] m x k times [b,] k x n.
std::optional<KernelWork> product(const std::vector<Tensor>& tensors, size_t a_at) {
  if (tensors.size() <= a_at + 1) return std::nullopt;
  const Tensor& a = tensors[a_at];
  const Tensor& b = tensors[a_at + 1];
  const size_t rank = a.dims.size();
  if (rank != b.dims.size() || rank < 2 || rank > 3 || a.element_bytes == 0) return std::nullopt;
  const int64_t batch = rank == 3 ? a.dims[0] : 1;
  const int64_t m = a.dims[rank - 2];
  const int64_t k = a.dims[rank - 1];
  const int64_t n = b.dims[rank - 1];
  if (b.dims[rank - 2] != k || (rank == 3 && b.dims[0] != batch)) return std::nullopt;
  const Tensor out{rank == 3 ? std::vector<int64_t>{batch, m, n} : std::vector<int64_t>{m, n}, a.element_bytes};
  const Tensor* largest = &out;
  if (b.elements() > largest->elements()) largest = &b;
  if (a.elements() > largest->elements()) largest = &a;
  return KernelWork{.bytes = a.bytes() + b.bytes() + out.bytes(),
                    .flop = 2.0 * static_cast<double>(out.elements()) * static_cast<double>(k),
                    .elements = largest->elements(),
                    .columns = largest->dims.back()};
}

// Read all, write one tensor as large as the largest and of its type.
KernelWork streamed(const std::vector<Tensor>& tensors, bool writes_another) {
  KernelWork work;
  double largest_bytes = 0;
  for (const Tensor& tensor : tensors) {
    work.bytes += tensor.bytes();
    if (tensor.dims.empty() || tensor.elements() < work.elements) continue;
    work.elements = tensor.elements();
    work.columns = tensor.dims.back();
    largest_bytes = tensor.bytes();
  }
  if (writes_another) work.bytes += largest_bytes;
  return work;
}

bool is_elementwise(std::string_view op) {
  static constexpr std::array<std::string_view, 42> kOps = {"add",
                                                            "sub",
                                                            "mul",
                                                            "div",
                                                            "neg",
                                                            "pow",
                                                            "sqrt",
                                                            "rsqrt",
                                                            "exp",
                                                            "log",
                                                            "sin",
                                                            "cos",
                                                            "abs",
                                                            "clamp",
                                                            "maximum",
                                                            "minimum",
                                                            "where",
                                                            "masked_fill",
                                                            "gelu",
                                                            "silu",
                                                            "relu",
                                                            "leaky_relu",
                                                            "sigmoid",
                                                            "tanh",
                                                            "softplus",
                                                            "erf",
                                                            "clone",
                                                            "gelu_backward",
                                                            "silu_backward",
                                                            "threshold_backward",
                                                            "tanh_backward",
                                                            "sigmoid_backward",
                                                            "native_dropout_backward",
                                                            "masked_scale",
                                                            "_softmax",
                                                            "_log_softmax",
                                                            "_softmax_backward_data",
                                                            "_log_softmax_backward_data",
                                                            "native_layer_norm",
                                                            "_fused_rms_norm",
                                                            "native_group_norm",
                                                            "addcmul"};
  return std::ranges::find(kOps, op) != kOps.end();
}

}  // namespace

std::optional<KernelWork> work_of(std::string_view op, std::string_view shapes, std::string_view types) {
  if (!op.starts_with("aten::")) return std::nullopt;
  op.remove_prefix(6);
  const auto tensors = tensors_of(shapes, types);
  if (!tensors || largest_of(*tensors) == 0) return std::nullopt;
  if (op == "mm" || op == "bmm") return product(*tensors, 0);
  if (op == "addmm" || op == "baddbmm") return product(*tensors, 1);
  // copy_(to, from): one is read, the other written.
  if (op == "copy_") return streamed(*tensors, false);
  if (op == "native_dropout") {
    KernelWork work = streamed(*tensors, true);
    work.bytes += static_cast<double>(work.elements);  // the mask, a byte each
    return work;
  }
  if (op.ends_with('_') && is_elementwise(op.substr(0, op.size() - 1))) return streamed(*tensors, true);
  if (is_elementwise(op)) return streamed(*tensors, true);
  return std::nullopt;
}

std::vector<OpKernels> by_op(const trace::RankTrace& rank, const std::vector<SliceId>& kernels) {
  std::map<int64_t, SliceId> op_of;
  for (const trace::OpArgs& args : rank.ops)
    if (rank.kind[args.slice] == trace::SliceKind::host_op && args.external_id >= 0)
      op_of.emplace(args.external_id, args.slice);
  std::vector<OpKernels> out;
  std::map<SliceId, size_t> group_of;
  for (const SliceId kernel : kernels) {
    const trace::OpArgs* args = rank.op_args(kernel);
    const auto op = args != nullptr ? op_of.find(args->external_id) : op_of.end();
    size_t group = out.size();
    if (op != op_of.end()) group = group_of.emplace(op->second, out.size()).first->second;
    if (group == out.size()) out.push_back({op != op_of.end() ? op->second : trace::kNoSlice, {}, 0});
    out[group].kernels.push_back(kernel);
    accumulate(out[group].dur_ns, rank.dur_ns[kernel]);
  }
  return out;
}

}  // namespace td::analysis
