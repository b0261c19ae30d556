// Convolutions, NHWC inside, and the norms and pools between them.
#include <algorithm>
#include <string>

#include "sim/job/graph_builder.h"

namespace td::sim {
namespace {

constexpr std::string_view kBf16 = "c10::BFloat16";
constexpr std::string_view kFloat = "float";
constexpr std::string_view kScalar = "Scalar";
constexpr TimeNs kDispatchNs = 6'500;

double two_bytes(int64_t elements) { return 2.0 * static_cast<double>(elements); }

}  // namespace

void GraphBuilder::convolution(const ConvSpec& spec) {
  const int64_t width = spec.width > 0 ? spec.width : spec.size;
  const int64_t kernel_width = spec.kernel_width > 0 ? spec.kernel_width : spec.kernel;
  const int64_t in_per_group = spec.in / spec.groups;
  const Shape input = {spec.batch, spec.in, spec.size, width};
  const Shape weight = {spec.out, in_per_group, spec.kernel, kernel_width};
  const Shape output = {spec.batch, spec.out, spec.out_size(), spec.out_width()};
  const int64_t positions = spec.batch * spec.out_size() * spec.out_width();
  const int64_t taps = in_per_group * spec.kernel * kernel_width;
  const double tensors = two_bytes(element_count(input) + element_count(weight) + element_count(output));

  const int32_t number = parameter(spec.out, taps, nullptr);
  if (fp32_) cast_weight(spec.out, taps, number);
  Node& node = add_node();
  node.flop = 2.0 * static_cast<double>(positions) * static_cast<double>(spec.out) * static_cast<double>(taps);
  node.saved_bytes = 2 * element_count(input);
  const Shape bias = spec.bias ? Shape{spec.out} : Shape{};
  const std::string call = shapes_text({input, weight, bias, {}, {}, {}, {}});
  const std::string inner = shapes_text({input, weight, bias, {}, {}, {}, {}, {}, {}});
  const std::string two = types({kBf16, kBf16});
  op(node.forward, "aten::conv2d", 5'500, call, 0, two);
  op(node.forward, "aten::convolution", 4'500, inner, 1, two);
  op(node.forward, "aten::_convolution", 6'500, inner, 2, two);
  op(node.forward, "aten::cudnn_convolution", 22'000, shapes_text({input, weight, {}, {}, {}, {}, {}, {}, {}}), 3, two);
  kernel(node.forward, conv_kernel(ConvPass::forward, positions, spec.out, gpu_),
         hardware::conv_time(positions, spec.out, taps, tensors, gpu_));
  if (spec.bias) {
    op(node.forward, "aten::add_", kDispatchNs, shapes_text({output, {1, spec.out, 1, 1}, {}}), 3,
       types({kBf16, kBf16, kScalar}));
    stream_kernel(node.forward, pointwise_kernel(Pointwise::add_broadcast, element_count(output), software_),
                  2 * two_bytes(element_count(output)));
  }

  Pass& back = backward(node, "ConvolutionBackward0");
  op(back, "aten::convolution_backward", 24'000, shapes_text({output, input, weight, {}, {}, {}, {}, {}, {}, {}, {}}),
     0, types({kBf16, kBf16, kBf16}));
  if (!spec.first) {
    const int64_t inputs = spec.batch * spec.size * width;
    // Each input position takes part in kernel^2 / stride^2 of the outputs.
    const int64_t reach = std::max<int64_t>(1, spec.out * spec.kernel * kernel_width / (spec.stride * spec.stride));
    kernel(back, conv_kernel(ConvPass::input_gradient, inputs, in_per_group, gpu_),
           hardware::conv_time(inputs, in_per_group, reach, tensors, gpu_));
  }
  kernel(back, conv_kernel(ConvPass::weight_gradient, taps, spec.out, gpu_),
         hardware::conv_time(taps * 64, spec.out, std::max<int64_t>(1, positions / 64), tensors, gpu_));
  if (spec.bias) {
    parameter(spec.out, 1, &node);
    bias_gradient(back, positions, spec.out);
  }
  if (!fp32_) node.parameters.push_back(number);
}

void GraphBuilder::batch_norm(const Shape& shape) {
  const int64_t n = element_count(shape);
  const int64_t channels = shape[1];
  const int64_t rows = n / channels;
  Node& node = add_node();
  node.saved_bytes = 2 * n;
  const Shape c = {channels};
  // num_batches_tracked += 1
  op(node.forward, "aten::add_", kDispatchNs, shapes_text({{}, {}, {}}), 0, types({"long int", kScalar, kScalar}));
  stream_kernel(node.forward, pointwise_kernel(Pointwise::add_one, 1, software_), 16);
  const std::string shapes = shapes_text({shape, c, c, c, c, {}, {}, {}, {}});
  const std::string named = types({kBf16, kFloat, kFloat, kFloat, kFloat});
  op(node.forward, "aten::batch_norm", 4'000, shapes, 0, named);
  op(node.forward, "aten::_batch_norm_impl_index", 5'000, shapes, 1, named);
  op(node.forward, "aten::native_batch_norm", 14'000, shapes_text({shape, c, c, c, c, {}, {}, {}}), 2, named);
  stream_kernel(node.forward, batch_norm_kernel(BatchNormPart::statistics, rows, channels, gpu_), two_bytes(n));
  stream_kernel(node.forward, batch_norm_kernel(BatchNormPart::transform, rows, channels, gpu_), 2 * two_bytes(n));
  node.forward.fusion = {
      .kind = Fusion::Kind::reduction, .chained_bytes = two_bytes(n), .out_bytes = two_bytes(n), .over_rows = true};
  Pass& back = backward(node, "NativeBatchNormBackward0");
  op(back, "aten::native_batch_norm_backward", 11'000, shapes_text({shape, shape, c, c, c, c, c, {}, {}, {}}), 0,
     types({kBf16, kBf16, kFloat, kFloat, kFloat, kFloat, kFloat}));
  stream_kernel(back, batch_norm_kernel(BatchNormPart::backward_reduce, rows, channels, gpu_), 2 * two_bytes(n));
  stream_kernel(back, batch_norm_kernel(BatchNormPart::backward_elements, rows, channels, gpu_), 3 * two_bytes(n));
  back.fusion = {
      .kind = Fusion::Kind::reduction, .chained_bytes = 2 * two_bytes(n), .out_bytes = two_bytes(n), .over_rows = true};
  parameter(channels, 1, &node);
  parameter(channels, 1, &node);
}

void GraphBuilder::group_norm(const Shape& shape, int64_t groups) {
  const int64_t n = element_count(shape);
  const int64_t rows = shape[0] * groups;
  Node& node = add_node();
  node.saved_bytes = 2 * n;
  const Shape c = {shape[1]};
  op(node.forward, "aten::group_norm", 4'500, shapes_text({shape, {}, c, c, {}, {}}), 0,
     types({kBf16, kScalar, kBf16}));
  op(node.forward, "aten::native_group_norm", 8'000, shapes_text({shape, c, c, {}, {}, {}, {}, {}}), 1,
     types({kBf16, kBf16, kBf16}));
  stream_kernel(node.forward, row_kernel(RowKernel::group_statistics, rows, n / rows), two_bytes(n));
  stream_kernel(node.forward, pointwise_kernel(Pointwise::multiply_broadcast, n, software_), 2 * two_bytes(n));
  node.forward.fusion = {
      .kind = Fusion::Kind::reduction, .chained_bytes = two_bytes(n), .out_bytes = two_bytes(n), .over_rows = true};
  Pass& back = backward(node, "NativeGroupNormBackward0");
  op(back, "aten::native_group_norm_backward", 9'000, shapes_text({shape, shape, {}, {}, c, {}, {}, {}, {}, {}}), 0,
     types({kBf16, kBf16}));
  stream_kernel(back, row_kernel(RowKernel::group_gradient, shape[0] * shape[1], shape[2] * shape[3]),
                2 * two_bytes(n));
  stream_kernel(back, pointwise_kernel(Pointwise::multiply_broadcast, n, software_), 3 * two_bytes(n));
  back.fusion = {
      .kind = Fusion::Kind::reduction, .chained_bytes = 2 * two_bytes(n), .out_bytes = two_bytes(n), .over_rows = true};
  parameter(shape[1], 1, &node);
  parameter(shape[1], 1, &node);
}

void GraphBuilder::max_pool(const Shape& shape, int64_t out_size) {
  const int64_t n = element_count(shape);
  const int64_t out = shape[0] * shape[1] * out_size * out_size;
  Node& node = add_node();
  node.saved_bytes = 2 * n + 8 * out;  // and where each maximum was
  op(node.forward, "aten::max_pool2d", 4'000, shapes_text({shape, {}, {}, {}, {}, {}}), 0, types({kBf16}));
  op(node.forward, "aten::max_pool2d_with_indices", 9'000, shapes_text({shape, {}, {}, {}, {}, {}}), 1, types({kBf16}));
  stream_kernel(node.forward, row_kernel(RowKernel::pool, out / shape[1], shape[1]),
                two_bytes(n) + 10.0 * static_cast<double>(out));
  Pass& back = backward(node, "MaxPool2DWithIndicesBackward0");
  op(back, "aten::max_pool2d_with_indices_backward", 9'000,
     shapes_text({{shape[0], shape[1], out_size, out_size}, shape, {}, {}, {}, {}, {}}), 0, types({kBf16, kBf16}));
  stream_kernel(back, row_kernel(RowKernel::pool_backward, out / shape[1], shape[1]),
                two_bytes(n) + 10.0 * static_cast<double>(out));
}

void GraphBuilder::upsample(const Shape& shape) {
  const int64_t n = element_count(shape);
  Node& node = add_node();
  op(node.forward, "aten::upsample_nearest2d", 9'000, shapes_text({shape, {}, {}, {}}), 0, types({kBf16}));
  stream_kernel(node.forward, row_kernel(RowKernel::upsample, 4 * n / shape[1], shape[1]), 5 * two_bytes(n));
  node.forward.fusion = {.kind = Fusion::Kind::pointwise, .chained_bytes = two_bytes(n), .out_bytes = 4 * two_bytes(n)};
  Pass& back = backward(node, "UpsampleNearest2DBackward0");
  op(back, "aten::upsample_nearest2d_backward", 9'000,
     shapes_text({{shape[0], shape[1], 2 * shape[2], 2 * shape[3]}, {}, {}, {}, {}}), 0, types({kBf16}));
  stream_kernel(back, row_kernel(RowKernel::upsample_backward, n / shape[1], shape[1]), 5 * two_bytes(n));
  back.fusion = {.kind = Fusion::Kind::pointwise, .chained_bytes = 4 * two_bytes(n), .out_bytes = two_bytes(n)};
}

}  // namespace td::sim
