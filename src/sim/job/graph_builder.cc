#include "sim/job/graph_builder.h"

#include <utility>

namespace td::sim {

int64_t element_count(const Shape& shape) {
  int64_t product = 1;
  for (const int64_t dim : shape) product *= dim;
  return product;
}

std::string shapes_text(const std::vector<Shape>& tensors) {
  std::string text = "[";
  for (const Shape& tensor : tensors) {
    if (text.size() > 1) text += ",";
    text += "[";
    for (size_t i = 0; i < tensor.size(); ++i) {
      if (i > 0) text += ",";
      text += std::to_string(tensor[i]);
    }
    text += "]";
  }
  return text + "]";
}

double forward_flop(const Graph& graph) {
  double flop = 0;
  for (const Block& block : graph.blocks) {
    for (const Node& node : block.nodes) flop += node.flop;
  }
  return flop;
}

int64_t saved_bytes(const Graph& graph) {
  int64_t bytes = 0;
  for (const Block& block : graph.blocks) {
    for (const Node& node : block.nodes) bytes += node.saved_bytes;
  }
  return bytes;
}

GraphBuilder::GraphBuilder(const Job& job, const Software& software)
    : job_(job), software_(software), gpu_(*job.gpu), fp32_(job.grad_dtype == trace::DType::float32) {}

void GraphBuilder::block(int64_t output_bytes) {
  graph_.blocks.push_back(
      {.nodes = {}, .first_parameter = static_cast<int32_t>(graph_.parameters.size()), .output_bytes = output_bytes});
}

Graph GraphBuilder::finish() {
  if (!graph_.blocks.empty()) graph_.blocks.back().output_bytes = 0;
  return std::move(graph_);
}

void GraphBuilder::input(const Shape& shape, int64_t element_bytes) {
  graph_.inputs.push_back({shapes_text({shape}), element_count(shape) * element_bytes});
}

Node& GraphBuilder::add_node(bool differentiable) {
  Node node;
  if (differentiable) node.sequence = graph_.sequence_count++;
  graph_.blocks.back().nodes.push_back(std::move(node));
  return graph_.blocks.back().nodes.back();
}

void GraphBuilder::op(Pass& pass, std::string_view name, TimeNs cost_ns, const std::string& shapes, int32_t depth,
                      std::string_view types_text) {
  pass.ops.push_back({.name = std::string(name),
                      .cost_ns = cost_ns,
                      .shapes = shapes,
                      .types = std::string(types_text),
                      .depth = depth});
}

void GraphBuilder::kernel(Pass& pass, KernelShape shape, const hardware::KernelTime& time, std::string_view api) const {
  constexpr TimeNs kLaunchNs = 4'600;    // cudaLaunchKernel under the profiler, median
  constexpr TimeNs kLaunchExNs = 5'800;  // cudaLaunchKernelExC, cuLaunchKernelEx
  pass.kernels.push_back({.op = static_cast<int32_t>(pass.ops.size()) - 1,
                          .api = api,
                          .api_ns = api == "cudaLaunchKernel" ? kLaunchNs : kLaunchExNs,
                          .shape = std::move(shape),
                          .time = time});
}

void GraphBuilder::stream_kernel(Pass& pass, KernelShape shape, double traffic_bytes) const {
  kernel(pass, std::move(shape), hardware::stream_time(traffic_bytes, gpu_));
}

Pass& GraphBuilder::backward(Node& node, std::string_view autograd_node) {
  node.backward.push_back({.autograd_node = autograd_node, .ops = {}, .kernels = {}, .fusion = {}});
  return node.backward.back();
}

int32_t GraphBuilder::parameter(int64_t rows, int64_t columns, Node* owner) {
  graph_.parameters.push_back({rows, columns});
  const auto number = static_cast<int32_t>(graph_.parameters.size()) - 1;
  if (owner != nullptr) owner->parameters.push_back(number);
  return number;
}

}  // namespace td::sim
