#include "sim/job/families.h"
#include "sim/job/graph_builder.h"

namespace td::sim {
namespace {

constexpr int64_t kDense = 13;
constexpr int64_t kPooling = 4;  // indices a bag

}  // namespace

// model.heads is the number of tables, model.vocab their rows, model.head_dim their columns; model.hidden and
// model.ffn_hidden are the widths of the bottom and the top MLP, model.layers the hidden layers of the top one.
Graph recsys_graph(const Job& job, const Software& software) {
  const Model& model = *job.model;
  GraphBuilder build(job, software);
  const int64_t batch = job.batch;
  const int64_t columns = model.head_dim;
  const int64_t features = model.heads + 1;
  const auto layer = [&](int64_t in, int64_t out, bool first = false) {
    build.linear({.leading = {batch}, .in = in, .out = out, .bias = true, .first = first});
    build.activation(GraphBuilder::Activation::relu, {batch, out});
  };
  build.input({batch, kDense}, 4);
  build.input({batch * model.heads * kPooling}, 8);
  build.input({batch * model.heads + 1}, 8);
  build.input({batch}, 4);
  build.block(2 * batch * features * columns);
  build.embedding_bags(model.heads, model.vocab, columns, batch, kPooling);
  layer(kDense, model.hidden, true);
  layer(model.hidden, model.hidden / 2);
  layer(model.hidden / 2, columns);
  build.concatenate({batch, features * columns});
  build.block(2 * batch * (columns + features * (features - 1) / 2));
  build.batched_gemm(batch, features, features, columns);
  const int64_t pairs = features * (features - 1) / 2;
  build.gather_rows(batch * features * features, batch * pairs, 1);  // one triangle
  build.concatenate({batch, pairs + columns + (pairs + columns) % 2});
  const int64_t width = model.ffn_hidden;
  layer(pairs + columns, width);
  for (int32_t i = 0; i < model.layers; ++i) {
    build.block(2 * batch * width);
    layer(width, width);
    build.log_activation(batch, width);
  }
  build.block(0);
  layer(width, width / 4);
  build.linear({.leading = {batch}, .in = width / 4, .out = 1, .bias = true});
  build.binary_cross_entropy({batch, 1});
  return build.finish();
}

}  // namespace td::sim
