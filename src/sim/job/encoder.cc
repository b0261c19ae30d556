#include <algorithm>

#include "sim/job/families.h"

#include "sim/job/graph_builder.h"
#include "sim/job/transformer.h"

namespace td::sim {

Graph encoder_graph(const Job& job, const Software& software) {
  const Model& model = *job.model;
  GraphBuilder build(job, software);
  const int64_t hidden = model.hidden;
  const int64_t tokens = int64_t{job.batch} * job.seq_len;
  const Shape ids = {job.batch, job.seq_len};
  const Shape stream = {job.batch, job.seq_len, hidden};
  for (int tensor = 0; tensor < 3; ++tensor) build.input(ids, 8);  // tokens, labels, attention mask
  build.block(2 * tokens * hidden);
  build.embedding(model.vocab, hidden, ids);
  build.embedding(job.seq_len, hidden, {job.seq_len});
  build.shift(stream, {1, job.seq_len, hidden});
  build.layer_norm(stream, false);
  build.dropout(stream);
  for (int32_t i = 0; i < model.layers; ++i) {
    build.block(2 * tokens * hidden);
    add_transformer_layer({.batch = job.batch,
                           .seq_len = job.seq_len,
                           .hidden = hidden,
                           .heads = model.heads,
                           .kv_heads = model.kv_heads,
                           .head_dim = model.head_dim,
                           .ffn_hidden = model.ffn_hidden,
                           .bias = true,
                           .post_norm = true,
                           .dropout = 0.1,
                           .logged_branches = job.metrics.per_layer},
                          build);
  }
  build.block(0);
  // The loss is taken over the masked 15 % of tokens.
  const int64_t masked = std::max<int64_t>(1, tokens * 15 / 100);
  build.gather_rows(tokens, masked, hidden);
  build.linear({.leading = {masked}, .in = hidden, .out = hidden, .bias = true});
  build.activation(GraphBuilder::Activation::gelu, {masked, hidden});
  build.layer_norm({masked, hidden}, false);
  build.linear({.leading = {masked}, .in = hidden, .out = model.vocab, .shared_parameter = 0});
  build.cross_entropy(masked, model.vocab);
  return build.finish();
}

}  // namespace td::sim
