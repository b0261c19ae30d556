// Linear layers, attention, norms, embeddings and the loss over classes.
#include <algorithm>
#include <string>

#include "sim/job/graph_builder.h"

namespace td::sim {
namespace {

constexpr std::string_view kBf16 = "c10::BFloat16";
constexpr std::string_view kFloat = "float";
constexpr std::string_view kLong = "long int";
constexpr std::string_view kScalar = "Scalar";
constexpr TimeNs kDispatchNs = 6'500;    // an op's dispatch before its launch
constexpr TimeNs kBackwardOpNs = 4'200;  // the same from the C++ engine

double two_bytes(int64_t elements) { return 2.0 * static_cast<double>(elements); }

Shape with(Shape shape, int64_t last) {
  shape.push_back(last);
  return shape;
}

}  // namespace

// Under autocast each FP32 weight is cast once in forward; its gradient is cast back.
void GraphBuilder::cast_weight(int64_t rows, int64_t columns, int32_t number) {
  const int64_t n = rows * columns;
  const std::string both = shapes_text({{rows, columns}, {rows, columns}, {}});
  const std::string one = shapes_text({{rows, columns}, {}, {}, {}, {}, {}, {}});
  Node& node = add_node();
  node.parameters.push_back(number);
  op(node.forward, "aten::to", 2'500, one, 0, types({kFloat}));
  op(node.forward, "aten::_to_copy", 3'500, one, 1, types({kFloat}));
  op(node.forward, "aten::copy_", 4'000, both, 2, types({kBf16, kFloat, kScalar}));
  stream_kernel(node.forward, pointwise_kernel(Pointwise::cast_to_bf16, n, software_), 6.0 * static_cast<double>(n));
  node.forward.fusion = {
      .kind = Fusion::Kind::standalone, .other_bytes = 4.0 * static_cast<double>(n), .out_bytes = two_bytes(n)};
  Pass& back = backward(node, "ToCopyBackward0");
  op(back, "aten::_to_copy", 3'500, one, 0, types({kBf16}));
  op(back, "aten::copy_", 3'500, both, 1, types({kFloat, kBf16, kScalar}));
  stream_kernel(back, pointwise_kernel(Pointwise::cast_to_float, n, software_), 6.0 * static_cast<double>(n));
  back.fusion = {
      .kind = Fusion::Kind::standalone, .other_bytes = two_bytes(n), .out_bytes = 4.0 * static_cast<double>(n)};
}

void GraphBuilder::bias_gradient(Pass& pass, int64_t rows, int64_t columns) const {
  op(pass, "aten::sum", kDispatchNs, shapes_text({{rows, columns}, {}, {}, {}}), 0, types({kBf16}));
  stream_kernel(pass, row_kernel(RowKernel::column_sum, rows, columns), two_bytes(rows * columns));
}

void GraphBuilder::linear(const LinearSpec& spec) {
  const int64_t rows = element_count(spec.leading);
  int32_t weight = spec.shared_parameter;
  const bool owned = weight < 0;
  if (owned) weight = parameter(spec.out, spec.in, nullptr);
  if (fp32_) cast_weight(spec.out, spec.in, weight);
  if (fp32_ && !owned) graph_.blocks.back().nodes.back().parameters.clear();
  const std::string_view call = gemm_launch_call(gpu_, software_);
  Node& node = add_node();
  node.flop = 2.0 * static_cast<double>(rows) * static_cast<double>(spec.in) * static_cast<double>(spec.out);
  node.saved_bytes = 2 * rows * spec.in;

  const Shape input = with(spec.leading, spec.in);
  op(node.forward, "aten::linear", 5'000,
     spec.bias ? shapes_text({input, {spec.out, spec.in}, {spec.out}}) : shapes_text({input, {spec.out, spec.in}, {}}),
     0, spec.bias ? types({kBf16, kBf16, kBf16}) : types({kBf16, kBf16, ""}));
  op(node.forward, "aten::t", 2'200, shapes_text({{spec.out, spec.in}}), 1, types({kBf16}));
  op(node.forward, "aten::transpose", 1'800, shapes_text({{spec.out, spec.in}, {}, {}}), 2,
     types({kBf16, kScalar, kScalar}));
  if (spec.bias) {
    op(node.forward, "aten::addmm", 12'500, shapes_text({{spec.out}, {rows, spec.in}, {spec.in, spec.out}, {}, {}}), 1,
       types({kBf16, kBf16, kBf16, kScalar, kScalar}));
  } else {
    op(node.forward, "aten::mm", 11'000, shapes_text({{rows, spec.in}, {spec.in, spec.out}}), 1, types({kBf16, kBf16}));
  }
  kernel(node.forward, gemm_kernel(GemmLayout::tn, rows, spec.out, false, gpu_, software_),
         hardware::gemm_time(rows, spec.out, spec.in, 2, gpu_), call);

  Pass& back = backward(node, spec.bias ? "AddmmBackward0" : "MmBackward0");
  if (!spec.first) {
    // Gradient of the input: [rows, out] x [out, in].
    op(back, "aten::mm", 8'000, shapes_text({{rows, spec.out}, {spec.out, spec.in}}), 0, types({kBf16, kBf16}));
    kernel(back, gemm_kernel(GemmLayout::nn, rows, spec.in, false, gpu_, software_),
           hardware::gemm_time(rows, spec.in, spec.out, 2, gpu_), call);
  }
  // Gradient of the weight: [out, rows] x [rows, in].
  op(back, "aten::mm", 8'000, shapes_text({{spec.out, rows}, {rows, spec.in}}), 0, types({kBf16, kBf16}));
  kernel(back, gemm_kernel(GemmLayout::nt, spec.out, spec.in, false, gpu_, software_),
         hardware::gemm_time(spec.out, spec.in, rows, 2, gpu_), call);
  if (spec.bias) {
    parameter(spec.out, 1, &node);
    bias_gradient(back, rows, spec.out);
  }
  if (!fp32_ && owned) node.parameters.push_back(weight);
}

void GraphBuilder::batched_gemm(int64_t batch, int64_t m, int64_t n, int64_t k) {
  const std::string_view call = gemm_launch_call(gpu_, software_);
  const auto shaped = [&](GemmLayout layout, int64_t rows, int64_t columns) {
    KernelShape shape = gemm_kernel(layout, rows, columns, false, gpu_, software_);
    shape.grid[2] = static_cast<uint32_t>(batch);
    return shape;
  };
  Node& node = add_node();
  node.flop = 2.0 * static_cast<double>(batch * m) * static_cast<double>(n) * static_cast<double>(k);
  node.saved_bytes = 2 * batch * k * (m + n);
  op(node.forward, "aten::bmm", 9'000, shapes_text({{batch, m, k}, {batch, k, n}}), 0, types({kBf16, kBf16}));
  kernel(node.forward, shaped(GemmLayout::tn, m, n), hardware::batched_gemm_time(batch, m, n, k, 2, gpu_), call);
  Pass& back = backward(node, "BmmBackward0");
  op(back, "aten::bmm", 8'000, shapes_text({{batch, m, n}, {batch, n, k}}), 0, types({kBf16, kBf16}));
  kernel(back, shaped(GemmLayout::nn, m, k), hardware::batched_gemm_time(batch, m, k, n, 2, gpu_), call);
  op(back, "aten::bmm", 8'000, shapes_text({{batch, k, m}, {batch, m, n}}), 0, types({kBf16, kBf16}));
  kernel(back, shaped(GemmLayout::nt, k, n), hardware::batched_gemm_time(batch, k, n, m, 2, gpu_), call);
}

void GraphBuilder::attention(const AttentionSpec& spec) {
  Node& node = add_node();
  node.flop = hardware::attention_forward_flop(spec.batch, spec.heads, spec.seq_len, spec.head_dim, spec.causal);
  const int64_t out = spec.batch * spec.seq_len * spec.heads * spec.head_dim;
  const int64_t keys = spec.batch * spec.seq_len * spec.kv_heads * spec.head_dim;
  node.saved_bytes = 2 * (2 * out + 2 * keys) + 4 * spec.batch * spec.heads * spec.seq_len;
  if (job_.attention == Attention::math) {
    node.special = Node::Special::math_attention;
    return;
  }
  const Shape q = {spec.batch, spec.heads, spec.seq_len, spec.head_dim};
  const Shape kv = {spec.batch, spec.kv_heads, spec.seq_len, spec.head_dim};
  const Shape q_flat = {spec.batch, spec.seq_len, spec.heads, spec.head_dim};
  const Shape kv_flat = {spec.batch, spec.seq_len, spec.kv_heads, spec.head_dim};
  const std::string three = types({kBf16, kBf16, kBf16});
  op(node.forward, "aten::scaled_dot_product_attention", 6'000, shapes_text({q, kv, kv, {}, {}, {}, {}, {}}), 0, three);
  op(node.forward, "aten::_scaled_dot_product_flash_attention", 5'000, shapes_text({q, kv, kv, {}, {}, {}, {}}), 1,
     three);
  op(node.forward, "aten::_flash_attention_forward", 9'000,
     shapes_text({q_flat, kv_flat, kv_flat, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}), 2, three);
  op(node.forward, "aten::empty", 3'500, shapes_text({{}, {}, {}, {}, {}, {}}), 3);
  kernel(node.forward, flash_forward_kernel(spec.batch, spec.heads, spec.seq_len, spec.head_dim),
         hardware::attention_forward_time(spec.batch, spec.heads, spec.seq_len, spec.head_dim, gpu_, spec.causal));
  // Launched by the op that has asked for the memory.
  node.forward.kernels.back().op = 2;

  Pass& back = backward(node, "ScaledDotProductFlashAttentionBackward0");
  const std::string grads = shapes_text({q, q, kv, kv, q, {spec.batch, spec.heads, spec.seq_len}});
  op(back, "aten::_scaled_dot_product_flash_attention_backward", 5'000, grads);
  op(back, "aten::_flash_attention_backward", 9'000, grads, 1);
  const auto part = [&](FlashBackwardPart which, const hardware::KernelTime& time) {
    kernel(back, flash_backward_kernel(which, spec.batch, spec.heads, spec.seq_len, spec.head_dim), time);
  };
  part(FlashBackwardPart::dot_do_o, hardware::stream_time(2 * two_bytes(out), gpu_));
  part(FlashBackwardPart::main,
       hardware::attention_backward_time(spec.batch, spec.heads, spec.seq_len, spec.head_dim, gpu_, spec.causal));
  part(FlashBackwardPart::convert_dq, hardware::stream_time(3 * two_bytes(out), gpu_));
}

void GraphBuilder::rotary(const AttentionSpec& spec) {
  const int64_t tokens = spec.batch * spec.seq_len;
  const int64_t n = tokens * spec.head_dim * (spec.heads + spec.kv_heads);
  const std::string shapes = shapes_text({{spec.batch, spec.seq_len, spec.heads, spec.head_dim},
                                          {spec.seq_len, spec.head_dim / 2},
                                          {spec.seq_len, spec.head_dim / 2}});
  Node& node = add_node();
  const Fusion fusion = {
      .kind = Fusion::Kind::pointwise, .chained_bytes = two_bytes(n), .out_bytes = two_bytes(n), .keeps_output = true};
  const auto write = [&](Pass& pass) {
    kernel(pass, row_kernel(RowKernel::rotary, tokens, spec.head_dim),
           hardware::stream_time(4.0 * static_cast<double>(n), gpu_), "cuLaunchKernelEx");
    pass.fusion = fusion;
  };
  op(node.forward, "ApplyRotaryEmb", 9'000, shapes, 0, types({kBf16, kBf16, kBf16}));
  write(node.forward);
  Pass& back = backward(node, "ApplyRotaryEmbBackward");
  write(back);
}

void GraphBuilder::layer_norm(const Shape& shape, bool rms, bool affine) {
  const int64_t hidden = shape.back();
  const int64_t rows = element_count(shape) / hidden;
  const double tensor = two_bytes(rows * hidden);
  Node& node = add_node();
  node.saved_bytes = 2 * rows * hidden;
  const Shape weight = affine ? Shape{hidden} : Shape{};
  if (rms) {
    op(node.forward, "aten::rms_norm", 4'000, shapes_text({shape, {}, weight, {}}), 0,
       types({kBf16, kScalar, kBf16, kScalar}));
    op(node.forward, "aten::_fused_rms_norm", kDispatchNs, shapes_text({{rows, hidden}, {}, weight, {}}), 1,
       types({kBf16, kScalar, kBf16, kScalar}));
  } else {
    op(node.forward, "aten::layer_norm", 4'000, shapes_text({shape, {}, weight, {}, {}, {}}), 0,
       types({kBf16, kScalar, kBf16, "", kScalar, kScalar}));
    op(node.forward, "aten::native_layer_norm", kDispatchNs, shapes_text({{rows, hidden}, {}, weight, {}, {}}), 1,
       types({kBf16, kScalar, kBf16, "", kScalar}));
  }
  stream_kernel(node.forward, row_kernel(rms ? RowKernel::rms_norm : RowKernel::layer_norm, rows, hidden), 2 * tensor);
  node.forward.fusion = {
      .kind = Fusion::Kind::reduction, .chained_bytes = tensor, .out_bytes = tensor, .keeps_output = true};
  Pass& back = backward(node, rms ? "FusedRmsNormBackward0" : "NativeLayerNormBackward0");
  op(back, rms ? "aten::_fused_rms_norm_backward" : "aten::native_layer_norm_backward", kBackwardOpNs,
     shapes_text({{rows, hidden}, {rows, hidden}, {}, {rows, 1}, {rows, 1}, weight, {}, {}}), 0,
     types({kBf16, kBf16, kScalar, kFloat, kFloat, kBf16}));
  stream_kernel(back, row_kernel(RowKernel::norm_grad_input, rows, hidden), 3 * tensor);
  if (affine) {
    stream_kernel(back, row_kernel(RowKernel::norm_grad_weight, rows, hidden), 2 * tensor);
    parameter(hidden, 1, &node);
  }
  back.fusion = {.kind = Fusion::Kind::reduction,
                 .chained_bytes = tensor,
                 .other_bytes = tensor,
                 .out_bytes = tensor,
                 .keeps_output = true,
                 .second_bytes = affine ? 2 * tensor : 0};
}

void GraphBuilder::embedding(int64_t rows, int64_t columns, const Shape& indices) {
  const int64_t n = element_count(indices);
  const double traffic = 4.0 * static_cast<double>(n * columns);
  Node& node = add_node();
  parameter(rows, columns, &node);
  node.saved_bytes = 2 * n * columns;
  op(node.forward, "aten::embedding", 6'000, shapes_text({{rows, columns}, indices, {}, {}, {}}), 0,
     types({kBf16, kLong, kScalar, kScalar, kScalar}));
  op(node.forward, "aten::index_select", kDispatchNs, shapes_text({{rows, columns}, {}, {n}}), 1,
     types({kBf16, kScalar, kLong}));
  stream_kernel(node.forward, row_kernel(RowKernel::embedding, n, columns), traffic);
  node.forward.fusion = {
      .kind = Fusion::Kind::pointwise, .other_bytes = traffic / 2, .out_bytes = traffic / 2, .keeps_output = true};
  Pass& back = backward(node, "EmbeddingBackward0");
  Shape gradient = indices;
  gradient.push_back(columns);
  op(back, "aten::embedding_backward", 4'000, shapes_text({gradient, indices, {}, {}, {}, {}}), 0,
     types({kBf16, kLong}));
  op(back, "aten::embedding_dense_backward", 12'000, shapes_text({gradient, indices, {}, {}, {}}), 1,
     types({kBf16, kLong}));
  for (int pass = 0; pass < 2; ++pass) {
    stream_kernel(back, row_kernel(RowKernel::embedding_sort, n, 1), 32.0 * static_cast<double>(n));
  }
  stream_kernel(back, row_kernel(RowKernel::embedding_backward, n, columns), two_bytes((n + rows) * columns));
}

void GraphBuilder::cross_entropy(int64_t rows, int64_t classes) {
  const int64_t n = rows * classes;
  const auto logits = static_cast<double>(n);
  Node& cast = add_node();
  cast.saved_bytes = 0;
  op(cast.forward, "aten::to", kDispatchNs, shapes_text({{rows, classes}, {}, {}, {}, {}}), 0, types({kBf16}));
  op(cast.forward, "aten::_to_copy", 3'500, shapes_text({{rows, classes}, {}, {}, {}, {}, {}, {}}), 1, types({kBf16}));
  op(cast.forward, "aten::copy_", 3'500, shapes_text({{rows, classes}, {rows, classes}, {}}), 2,
     types({kFloat, kBf16, kScalar}));
  stream_kernel(cast.forward, pointwise_kernel(Pointwise::cast_to_float, n, software_), 6 * logits);
  cast.forward.fusion = {.kind = Fusion::Kind::pointwise, .chained_bytes = 2 * logits, .out_bytes = 4 * logits};
  Pass& uncast = backward(cast, "ToCopyBackward0");
  op(uncast, "aten::_to_copy", 3'500, shapes_text({{rows, classes}, {}, {}, {}, {}, {}, {}}), 0, types({kFloat}));
  op(uncast, "aten::copy_", 3'500, shapes_text({{rows, classes}, {rows, classes}, {}}), 1,
     types({kBf16, kFloat, kScalar}));
  stream_kernel(uncast, pointwise_kernel(Pointwise::cast_to_bf16, n, software_), 6 * logits);
  uncast.fusion = {.kind = Fusion::Kind::pointwise, .chained_bytes = 4 * logits, .out_bytes = 2 * logits};

  Node& node = add_node();
  // Logits, their FP32 copy, the log-softmax and an FP32 gradient.
  node.saved_bytes = n * 14;
  op(node.forward, "aten::cross_entropy_loss", 9'000, shapes_text({{rows, classes}, {rows}, {}, {}, {}, {}}), 0,
     types({kFloat, kLong}));
  op(node.forward, "aten::log_softmax", 2'500, shapes_text({{rows, classes}, {}, {}}), 1,
     types({kFloat, kScalar, kScalar}));
  op(node.forward, "aten::_log_softmax", kDispatchNs, shapes_text({{rows, classes}, {}, {}}), 2,
     types({kFloat, kScalar, kScalar}));
  kernel(node.forward, softmax_kernel(true, true, rows, classes), hardware::stream_time(12 * logits, gpu_));
  op(node.forward, "aten::nll_loss_nd", 3'000, shapes_text({{rows, classes}, {rows}, {}, {}, {}}), 1,
     types({kFloat, kLong}));
  op(node.forward, "aten::nll_loss_forward", kDispatchNs, shapes_text({{rows, classes}, {rows}, {}, {}, {}}), 2,
     types({kFloat, kLong}));
  hardware::KernelTime time = hardware::stream_time(12.0 * static_cast<double>(rows), gpu_);
  time.fixed_ns += 9'000;  // one block
  kernel(node.forward, row_kernel(RowKernel::nll_forward, rows, classes), time);
  node.forward.fusion = {
      .kind = Fusion::Kind::reduction, .chained_bytes = 4 * logits, .out_bytes = 4 * logits, .keeps_output = true};

  Pass& nll = backward(node, "NllLossBackward0");
  op(nll, "aten::nll_loss_backward", kDispatchNs, shapes_text({{}, {rows, classes}, {rows}, {}, {}, {}, {}}), 0,
     types({kFloat, kFloat, kLong}));
  time.fixed_ns -= 2'000;
  kernel(nll, row_kernel(RowKernel::nll_backward, rows, classes), time);
  nll.fusion = {.kind = Fusion::Kind::pointwise, .other_bytes = 8.0 * static_cast<double>(rows)};
  Pass& softmax = backward(node, "LogSoftmaxBackward0");
  op(softmax, "aten::_log_softmax_backward_data", kDispatchNs, shapes_text({{rows, classes}, {rows, classes}, {}, {}}),
     0, types({kFloat, kFloat, kScalar, kScalar}));
  kernel(softmax, softmax_kernel(true, false, rows, classes), hardware::stream_time(12 * logits, gpu_));
  softmax.fusion = {.kind = Fusion::Kind::reduction, .other_bytes = 4 * logits, .out_bytes = 4 * logits};
}

}  // namespace td::sim
