#include "sim/job/families.h"
#include "sim/job/graph_builder.h"

namespace td::sim {
namespace {

// Neighbours sampled of each node, by hop; sampled neighbourhoods overlap, so that a hop adds fewer nodes than edges.
constexpr int64_t kFanout[3] = {15, 10, 5};
constexpr int64_t kGraphNodes = 2'400'000;
constexpr int64_t kNewPermille = 620;

}  // namespace

// model.hidden is the width of a layer, model.ffn_hidden that of a node's features, model.vocab the number of classes.
Graph gnn_graph(const Job& job, const Software& software) {
  const Model& model = *job.model;
  GraphBuilder build(job, software);
  int64_t nodes[4] = {job.batch, 0, 0, 0};
  int64_t edges[3] = {};
  for (int hop = 0; hop < 3; ++hop) {
    edges[hop] = nodes[hop] * kFanout[hop];
    nodes[hop + 1] = nodes[hop] + edges[hop] * kNewPermille / 1000;
  }
  build.input({nodes[3]}, 8);
  build.input({2, edges[0] + edges[1] + edges[2]}, 8);
  build.input({job.batch}, 8);
  build.block(2 * nodes[3] * model.hidden);
  // The features of all nodes stay on the device.
  build.resident(kGraphNodes * model.ffn_hidden * 2);
  build.gather_rows(kGraphNodes, nodes[3], model.ffn_hidden);
  build.linear({.leading = {nodes[3]}, .in = model.ffn_hidden, .out = model.hidden, .bias = true, .first = true});
  build.activation(GraphBuilder::Activation::relu, {nodes[3], model.hidden});
  for (int hop = 2; hop >= 0; --hop) {
    const int64_t width = model.hidden;
    build.block(2 * nodes[hop] * width);
    // Messages along the edges, summed where they arrive; then the node's own row.
    build.gather_rows(nodes[hop + 1], edges[hop], width);
    build.scale({edges[hop], width}, {edges[hop], 1});
    build.scatter_add(edges[hop], nodes[hop], width);
    build.linear({.leading = {nodes[hop]}, .in = width, .out = width, .bias = true});
    build.linear({.leading = {nodes[hop]}, .in = width, .out = width});
    build.add({nodes[hop], width});
    build.layer_norm({nodes[hop], width}, false);
    build.activation(GraphBuilder::Activation::relu, {nodes[hop], width});
    build.dropout({nodes[hop], width});
    build.log_activation(nodes[hop], width);
  }
  build.block(0);
  build.linear({.leading = {job.batch}, .in = model.hidden, .out = model.vocab, .bias = true});
  build.cross_entropy(job.batch, model.vocab);
  return build.finish();
}

}  // namespace td::sim
