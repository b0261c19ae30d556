#include "sim/job/graph_writer.h"

#include <algorithm>
#include <string>

#include "sim/job/compiled.h"
#include "sim/job/math_attention.h"
#include "sim/job/metrics.h"

namespace td::sim {
namespace {

constexpr TimeNs kNodeNs = 5'000;

std::string evaluate(std::string_view node) { return "autograd::engine::evaluate_function: " + std::string(node); }

}  // namespace

GraphWriter::GraphWriter(const Job& job, const Software& software, ProgramWriter& writer)
    : job_(job), software_(software), writer_(writer), graph_(make_graph(job, software)), fuser_(*job.gpu, writer) {
  set_parameters(graph_.parameters);
}

int32_t GraphWriter::first_parameter(int32_t block) const {
  if (block < 0) return 0;
  const auto at = static_cast<size_t>(block);
  return at < graph_.blocks.size() ? graph_.blocks[at].first_parameter : static_cast<int32_t>(parameters().size());
}

int64_t GraphWriter::output_bytes(int32_t block) const {
  return graph_.blocks[static_cast<size_t>(block)].output_bytes;
}

// Ops nest by depth; each launches its kernels before the next one opens.
void GraphWriter::write_pass(const Pass& pass, int32_t sequence) {
  int32_t open = 0;
  for (const KernelUse& use : pass.kernels) {
    if (use.op < 0) writer_.launch(use.api, use.api_ns, use.shape, use.time);
  }
  for (size_t i = 0; i < pass.ops.size(); ++i) {
    const OpSpec& op = pass.ops[i];
    for (; open > op.depth; --open) writer_.end(1'200);
    writer_.op(op.name, op.cost_ns, op.shapes, op.types, i == 0 ? sequence : -1);
    ++open;
    for (const KernelUse& use : pass.kernels) {
      if (use.op == static_cast<int32_t>(i)) writer_.launch(use.api, use.api_ns, use.shape, use.time);
    }
  }
  for (; open > 0; --open) writer_.end(1'500);
}

void GraphWriter::node_forward(const Node& node) {
  switch (node.special) {
    case Node::Special::math_attention:
      write_math_attention_forward(job_, software_, node.sequence, writer_);
      return;
    case Node::Special::log_activation:
      write_metric(job_.metrics, node.rows, node.columns, trace::DType::bfloat16, *job_.gpu, writer_);
      return;
    case Node::Special::none:
      write_pass(node.forward, node.sequence);
      return;
  }
}

void GraphWriter::node_backward(const Node& node) {
  if (node.special == Node::Special::math_attention) {
    write_math_attention_backward(job_, software_, node.sequence, writer_);
    return;
  }
  int32_t sequence = node.sequence;
  for (const Pass& pass : node.backward) {
    if (pass.autograd_node.empty()) {
      write_pass(pass, -1);
      continue;
    }
    writer_.op(evaluate(pass.autograd_node), kNodeNs, {}, {}, sequence);
    sequence = -1;  // the forward op is joined with the first of them
    writer_.op(pass.autograd_node, kNodeNs);
    write_pass(pass, -1);
    writer_.end(800);
    writer_.end(1'500);
  }
}

// Each block is a graph of its own, as where a data-parallel wrapper cuts at its buckets.
void GraphWriter::compiled_forward(const Block& block) {
  begin_compiled_graph(writer_, true);
  for (const Node& node : block.nodes) {
    if (node.special == Node::Special::none) {
      fuser_.add(node.forward);
      continue;
    }
    fuser_.flush();
    node_forward(node);
  }
  fuser_.flush();
  end_compiled_graph(writer_);
}

void GraphWriter::compiled_backward(const Block& block) {
  writer_.op(evaluate("CompiledFunctionBackward"), kNodeNs);
  begin_compiled_graph(writer_, false);
  for (auto node = block.nodes.rbegin(); node != block.nodes.rend(); ++node) {
    if (node->special == Node::Special::math_attention) {
      fuser_.flush();
      node_backward(*node);
    }
    for (const Pass& pass : node->backward) fuser_.add(pass);
  }
  fuser_.flush();
  end_compiled_graph(writer_);
  writer_.end(1'500);
}

void GraphWriter::forward(int32_t first, int32_t last) {
  for (int32_t block = first; block < last; ++block) {
    const Block& now = graph_.blocks[static_cast<size_t>(block)];
    if (job_.execution != Execution::eager) {
      compiled_forward(now);
      continue;
    }
    for (const Node& node : now.nodes) node_forward(node);
  }
}

void GraphWriter::backward(int32_t first, int32_t last, const GradientReady& gradient_ready) {
  for (int32_t block = last - 1; block >= first; --block) {
    const Block& now = graph_.blocks[static_cast<size_t>(block)];
    const bool eager = job_.execution == Execution::eager;
    if (!eager) compiled_backward(now);
    for (auto node = now.nodes.rbegin(); node != now.nodes.rend(); ++node) {
      if (eager) node_backward(*node);
      for (const int32_t parameter : node->parameters) gradient_ready(parameter);
    }
  }
}

std::unique_ptr<ModelWriter> make_model_writer(const Job& job, const Software& software, ProgramWriter& writer) {
  return std::make_unique<GraphWriter>(job, software, writer);
}

}  // namespace td::sim
