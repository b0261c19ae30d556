// Layers that touch each element once: bound by memory, and what a compiler fuses.
#include <string>

#include "sim/job/graph_builder.h"

namespace td::sim {
namespace {

constexpr std::string_view kBf16 = "c10::BFloat16";
constexpr std::string_view kFloat = "float";
constexpr std::string_view kScalar = "Scalar";
constexpr TimeNs kDispatchNs = 6'500;

double two_bytes(int64_t elements) { return 2.0 * static_cast<double>(elements); }

struct ActivationNames {
  std::string_view op;
  std::string_view backward_op;
  std::string_view autograd_node;
  Pointwise forward;
  Pointwise backward;
};

ActivationNames names_of(GraphBuilder::Activation kind) {
  using enum GraphBuilder::Activation;
  switch (kind) {
    case gelu:
      return {"aten::gelu", "aten::gelu_backward", "GeluBackward0", Pointwise::gelu, Pointwise::gelu_backward};
    case silu:
      return {"aten::silu", "aten::silu_backward", "SiluBackward0", Pointwise::silu, Pointwise::silu_backward};
    case relu:
      return {"aten::relu", "aten::threshold_backward", "ReluBackward0", Pointwise::relu, Pointwise::relu_backward};
    case sigmoid:
      return {"aten::sigmoid", "aten::sigmoid_backward", "SigmoidBackward0", Pointwise::sigmoid,
              Pointwise::sigmoid_backward};
    case tanh:
      return {"aten::tanh", "aten::tanh_backward", "TanhBackward0", Pointwise::tanh, Pointwise::tanh_backward};
  }
  return {};
}

}  // namespace

void GraphBuilder::activation(Activation kind, const Shape& shape) {
  const ActivationNames names = names_of(kind);
  const int64_t n = element_count(shape);
  Node& node = add_node();
  // A ReLU's own output will do for its backward, and the next layer keeps that anyway.
  node.saved_bytes = kind == Activation::relu ? 0 : 2 * n;
  op(node.forward, names.op, kDispatchNs,
     shapes_text(kind == Activation::gelu ? std::vector<Shape>{shape, {}} : std::vector<Shape>{shape}), 0,
     kind == Activation::gelu ? types({kBf16, ""}) : types({kBf16}));
  stream_kernel(node.forward, pointwise_kernel(names.forward, n, software_), 2 * two_bytes(n));
  node.forward.fusion = {.kind = Fusion::Kind::pointwise, .chained_bytes = two_bytes(n), .out_bytes = two_bytes(n)};
  Pass& back = backward(node, names.autograd_node);
  op(back, names.backward_op, kDispatchNs, shapes_text({shape, shape, {}}), 0, types({kBf16, kBf16, kScalar}));
  stream_kernel(back, pointwise_kernel(names.backward, n, software_), 3 * two_bytes(n));
  back.fusion = {.kind = Fusion::Kind::pointwise,
                 .chained_bytes = two_bytes(n),
                 .other_bytes = two_bytes(n),
                 .out_bytes = two_bytes(n)};
}

void GraphBuilder::add(const Shape& shape) {
  const int64_t n = element_count(shape);
  Node& node = add_node();
  op(node.forward, "aten::add", kDispatchNs, shapes_text({shape, shape, {}}), 0, types({kBf16, kBf16, kScalar}));
  stream_kernel(node.forward, pointwise_kernel(Pointwise::add, n, software_), 3 * two_bytes(n));
  node.forward.fusion = {.kind = Fusion::Kind::pointwise,
                         .chained_bytes = two_bytes(n),
                         .other_bytes = two_bytes(n),
                         .out_bytes = two_bytes(n),
                         .keeps_output = true};
}

void GraphBuilder::multiply(const Shape& shape) {
  const int64_t n = element_count(shape);
  Node& node = add_node();
  node.saved_bytes = 4 * n;
  op(node.forward, "aten::mul", kDispatchNs, shapes_text({shape, shape}), 0, types({kBf16, kBf16}));
  stream_kernel(node.forward, pointwise_kernel(Pointwise::multiply, n, software_), 3 * two_bytes(n));
  node.forward.fusion = {.kind = Fusion::Kind::pointwise,
                         .chained_bytes = two_bytes(n),
                         .other_bytes = two_bytes(n),
                         .out_bytes = two_bytes(n),
                         .keeps_output = true};
  Pass& back = backward(node, "MulBackward0");
  for (int side = 0; side < 2; ++side) {
    op(back, "aten::mul", kDispatchNs, shapes_text({shape, shape}), 0, types({kBf16, kBf16}));
    stream_kernel(back, pointwise_kernel(Pointwise::multiply, n, software_), 3 * two_bytes(n));
  }
  back.fusion = {.kind = Fusion::Kind::pointwise,
                 .chained_bytes = two_bytes(n),
                 .other_bytes = 2 * two_bytes(n),
                 .out_bytes = 2 * two_bytes(n)};
}

// The gradient of what is broadcast is a sum over the elements that share it.
void GraphBuilder::scale(const Shape& shape, const Shape& by) {
  const int64_t n = element_count(shape);
  const int64_t small = element_count(by);
  Node& node = add_node();
  node.saved_bytes = 2 * n;
  op(node.forward, "aten::mul", kDispatchNs, shapes_text({shape, by}), 0, types({kBf16, kBf16}));
  stream_kernel(node.forward, pointwise_kernel(Pointwise::multiply_broadcast, n, software_), 2 * two_bytes(n));
  node.forward.fusion = {.kind = Fusion::Kind::pointwise,
                         .chained_bytes = two_bytes(n),
                         .other_bytes = two_bytes(small),
                         .out_bytes = two_bytes(n)};
  Pass& back = backward(node, "MulBackward0");
  op(back, "aten::mul", kDispatchNs, shapes_text({shape, by}), 0, types({kBf16, kBf16}));
  stream_kernel(back, pointwise_kernel(Pointwise::multiply_broadcast, n, software_), 2 * two_bytes(n));
  op(back, "aten::mul", kDispatchNs, shapes_text({shape, shape}), 0, types({kBf16, kBf16}));
  stream_kernel(back, pointwise_kernel(Pointwise::multiply, n, software_), 3 * two_bytes(n));
  op(back, "aten::sum", kDispatchNs, shapes_text({shape, {}, {}, {}}), 0, types({kBf16}));
  stream_kernel(back, row_kernel(RowKernel::column_sum, n / small, small), two_bytes(n + small));
  back.fusion = {.kind = Fusion::Kind::pointwise,
                 .chained_bytes = two_bytes(n),
                 .other_bytes = two_bytes(small),
                 .out_bytes = two_bytes(n),
                 .second_bytes = 2 * two_bytes(n)};
}

void GraphBuilder::shift(const Shape& shape, const Shape& by) {
  const int64_t n = element_count(shape);
  const int64_t small = element_count(by);
  Node& node = add_node();
  op(node.forward, "aten::add", kDispatchNs, shapes_text({shape, by, {}}), 0, types({kBf16, kBf16, kScalar}));
  stream_kernel(node.forward, pointwise_kernel(Pointwise::add_broadcast, n, software_), 2 * two_bytes(n));
  node.forward.fusion = {.kind = Fusion::Kind::pointwise,
                         .chained_bytes = two_bytes(n),
                         .other_bytes = two_bytes(small),
                         .out_bytes = two_bytes(n)};
  Pass& back = backward(node, "AddBackward0");
  op(back, "aten::sum", kDispatchNs, shapes_text({shape, {}, {}, {}}), 0, types({kBf16}));
  stream_kernel(back, row_kernel(RowKernel::column_sum, n / small, small), two_bytes(n + small));
  back.fusion = {.kind = Fusion::Kind::pointwise, .second_bytes = two_bytes(n)};
}

void GraphBuilder::dropout(const Shape& shape) {
  const int64_t n = element_count(shape);
  const auto elements = static_cast<double>(n);
  Node& node = add_node();
  node.saved_bytes = n;
  op(node.forward, "aten::dropout", 2'500, shapes_text({shape, {}, {}}), 0, types({kBf16, kScalar, kScalar}));
  op(node.forward, "aten::native_dropout", kDispatchNs, shapes_text({shape, {}, {}}), 1,
     types({kBf16, kScalar, kScalar}));
  stream_kernel(node.forward, dropout_kernel(n, gpu_), 5 * elements);
  node.forward.fusion = {.kind = Fusion::Kind::pointwise, .chained_bytes = 2 * elements, .out_bytes = 3 * elements};
  Pass& back = backward(node, "NativeDropoutBackward0");
  op(back, "aten::native_dropout_backward", kDispatchNs, shapes_text({shape, shape, {}}), 0,
     types({kBf16, "bool", kScalar}));
  stream_kernel(back, pointwise_kernel(Pointwise::dropout_backward, n, software_), 5 * elements);
  back.fusion = {.kind = Fusion::Kind::pointwise,
                 .chained_bytes = 2 * elements,
                 .other_bytes = elements,
                 .out_bytes = 2 * elements};
}

void GraphBuilder::split_gradient(const Shape& shape) {
  const int64_t n = element_count(shape);
  Shape half = shape;
  half.back() /= 2;
  Node& node = add_node(false);
  Pass& back = backward(node, "SplitBackward0");
  op(back, "aten::cat", kDispatchNs, shapes_text({half, half, {}}), 0, types({kBf16, kBf16, kScalar}));
  stream_kernel(back, row_kernel(RowKernel::concatenate, n / shape.back(), shape.back()), 2 * two_bytes(n));
  back.fusion = {.kind = Fusion::Kind::pointwise, .chained_bytes = two_bytes(n), .out_bytes = two_bytes(n)};
}

void GraphBuilder::concatenate(const Shape& out) {
  const int64_t n = element_count(out);
  Node& node = add_node();
  Shape half = out;
  half.back() /= 2;
  op(node.forward, "aten::cat", kDispatchNs, shapes_text({half, half, {}}), 0, types({kBf16, kBf16, kScalar}));
  stream_kernel(node.forward, row_kernel(RowKernel::concatenate, n / out.back(), out.back()), 2 * two_bytes(n));
  node.saved_bytes = 2 * n;
  node.forward.fusion = {.kind = Fusion::Kind::pointwise,
                         .chained_bytes = two_bytes(n) / 2,
                         .other_bytes = two_bytes(n) / 2,
                         .out_bytes = two_bytes(n),
                         .keeps_output = true};
  Pass& back = backward(node, "CatBackward0");
  op(back, "aten::narrow", 4'000, shapes_text({out, {}, {}, {}}), 0, types({kBf16, kScalar, kScalar, kScalar}));
}

void GraphBuilder::fork(const Shape& shape) {
  const int64_t n = element_count(shape);
  Node& node = add_node(false);
  Pass& back = backward(node, "");
  op(back, "aten::add", kDispatchNs, shapes_text({shape, shape, {}}), 0, types({kBf16, kBf16, kScalar}));
  stream_kernel(back, pointwise_kernel(Pointwise::add, n, software_), 3 * two_bytes(n));
  back.fusion = {.kind = Fusion::Kind::pointwise,
                 .chained_bytes = two_bytes(n),
                 .other_bytes = two_bytes(n),
                 .out_bytes = two_bytes(n),
                 .keeps_output = true};
}

void GraphBuilder::mean_squared_error(const Shape& shape) {
  const int64_t n = element_count(shape);
  const auto elements = static_cast<double>(n);
  Node& node = add_node();
  node.saved_bytes = 4 * n;
  op(node.forward, "aten::mse_loss", kDispatchNs, shapes_text({shape, shape, {}}), 0, types({kFloat, kFloat, kScalar}));
  stream_kernel(node.forward, pointwise_kernel(Pointwise::squared_error, n, software_), 12 * elements);
  op(node.forward, "aten::mean", kDispatchNs, shapes_text({shape, {}}), 0, types({kFloat, kScalar}));
  stream_kernel(node.forward, row_kernel(RowKernel::mean, 1, n), 4 * elements);
  node.forward.fusion = {.kind = Fusion::Kind::reduction, .other_bytes = 8 * elements, .out_bytes = 4};
  Pass& back = backward(node, "MseLossBackward0");
  op(back, "aten::mse_loss_backward", kDispatchNs, shapes_text({{}, shape, shape, {}}), 0,
     types({kFloat, kFloat, kFloat, kScalar}));
  stream_kernel(back, pointwise_kernel(Pointwise::squared_error_backward, n, software_), 12 * elements);
  back.fusion = {.kind = Fusion::Kind::pointwise, .other_bytes = 8 * elements, .out_bytes = 4 * elements};
}

void GraphBuilder::binary_cross_entropy(const Shape& shape) {
  const int64_t n = element_count(shape);
  const auto elements = static_cast<double>(n);
  Node& node = add_node();
  node.saved_bytes = 8 * n;
  op(node.forward, "aten::binary_cross_entropy_with_logits", 12'000, shapes_text({shape, shape, {}, {}, {}}), 0,
     types({kFloat, kFloat}));
  op(node.forward, "aten::log_sigmoid_forward", kDispatchNs, shapes_text({shape}), 1, types({kFloat}));
  stream_kernel(node.forward, pointwise_kernel(Pointwise::log_sigmoid, n, software_), 8 * elements);
  op(node.forward, "aten::mul_", kDispatchNs, shapes_text({shape, shape}), 1, types({kFloat, kFloat}));
  stream_kernel(node.forward, pointwise_kernel(Pointwise::multiply_float, n, software_), 12 * elements);
  op(node.forward, "aten::mean", kDispatchNs, shapes_text({shape, {}}), 1, types({kFloat, kScalar}));
  stream_kernel(node.forward, row_kernel(RowKernel::mean, 1, n), 4 * elements);
  node.forward.fusion = {.kind = Fusion::Kind::reduction, .other_bytes = 8 * elements, .out_bytes = 4};
  Pass& back = backward(node, "BinaryCrossEntropyWithLogitsBackward0");
  op(back, "aten::sigmoid", kDispatchNs, shapes_text({shape}), 0, types({kFloat}));
  stream_kernel(back, pointwise_kernel(Pointwise::sigmoid, n, software_), 8 * elements);
  op(back, "aten::sub", kDispatchNs, shapes_text({shape, shape, {}}), 0, types({kFloat, kFloat, kScalar}));
  stream_kernel(back, pointwise_kernel(Pointwise::add, n, software_), 12 * elements);
  op(back, "aten::mul_", kDispatchNs, shapes_text({shape, {}}), 0, types({kFloat, kFloat}));
  stream_kernel(back, pointwise_kernel(Pointwise::multiply_float, n, software_), 8 * elements);
  back.fusion = {.kind = Fusion::Kind::pointwise, .other_bytes = 8 * elements, .out_bytes = 4 * elements};
}

void GraphBuilder::mean(const Shape& shape, const Shape& out) {
  const int64_t n = element_count(shape);
  const int64_t small = element_count(out);
  Node& node = add_node();
  op(node.forward, "aten::mean", kDispatchNs, shapes_text({shape, {}, {}, {}}), 0, types({kBf16, kScalar, kScalar}));
  stream_kernel(node.forward, row_kernel(RowKernel::mean, small, n / small), two_bytes(n + small));
  node.forward.fusion = {.kind = Fusion::Kind::reduction,
                         .chained_bytes = two_bytes(n),
                         .out_bytes = two_bytes(small),
                         .keeps_output = true};
  Pass& back = backward(node, "MeanBackward1");
  op(back, "aten::div", kDispatchNs, shapes_text({shape, {}}), 0, types({kBf16, kScalar}));
  stream_kernel(back, pointwise_kernel(Pointwise::div_bf16, n, software_), two_bytes(n + small));
  back.fusion = {.kind = Fusion::Kind::pointwise, .other_bytes = two_bytes(small), .out_bytes = two_bytes(n)};
}

void GraphBuilder::normalise(const Shape& shape) {
  const int64_t n = element_count(shape);
  const auto elements = static_cast<double>(n);
  Node& node = add_node(false);
  op(node.forward, "aten::to", 2'500, shapes_text({shape, {}, {}, {}, {}}), 0, types({"unsigned char"}));
  op(node.forward, "aten::_to_copy", 3'500, shapes_text({shape, {}, {}, {}, {}, {}, {}}), 1, types({"unsigned char"}));
  op(node.forward, "aten::copy_", 4'000, shapes_text({shape, shape, {}}), 2, types({kBf16, "unsigned char", kScalar}));
  stream_kernel(node.forward, pointwise_kernel(Pointwise::cast_to_bf16, n, software_), 3 * elements);
  const Shape by = {1, shape[1], 1, 1};
  op(node.forward, "aten::sub_", kDispatchNs, shapes_text({shape, by, {}}), 0, types({kBf16, kBf16, kScalar}));
  stream_kernel(node.forward, pointwise_kernel(Pointwise::add_broadcast, n, software_), 4 * elements);
  op(node.forward, "aten::div_", kDispatchNs, shapes_text({shape, by}), 0, types({kBf16, kBf16}));
  stream_kernel(node.forward, pointwise_kernel(Pointwise::multiply_broadcast, n, software_), 4 * elements);
  node.forward.fusion = {.kind = Fusion::Kind::pointwise, .other_bytes = elements, .out_bytes = 2 * elements};
}

void GraphBuilder::log_activation(int64_t rows, int64_t columns) {
  if (job_.metrics.of != Metrics::Of::activations) return;
  Node& node = add_node(false);
  node.special = Node::Special::log_activation;
  node.rows = rows;
  node.columns = columns;
}

}  // namespace td::sim
