#include "sim/job/transformer.h"

#include "sim/job/graph_builder.h"

namespace td::sim {
namespace {

void mlp(const LayerSpec& spec, GraphBuilder& build) {
  const Shape tokens = {spec.batch, spec.seq_len};
  const Shape wide = {spec.batch, spec.seq_len, spec.ffn_hidden};
  build.linear(
      {.leading = tokens, .in = spec.hidden, .out = spec.ffn_hidden * (spec.gated_mlp ? 2 : 1), .bias = spec.bias});
  if (spec.gated_mlp) {
    build.split_gradient({spec.batch, spec.seq_len, 2 * spec.ffn_hidden});
    build.activation(GraphBuilder::Activation::silu, wide);
    build.multiply(wide);
  } else {
    build.activation(GraphBuilder::Activation::gelu, wide);
  }
  build.linear({.leading = tokens, .in = spec.ffn_hidden, .out = spec.hidden, .bias = spec.bias});
}

void self_attention(const LayerSpec& spec, GraphBuilder& build) {
  const Shape tokens = {spec.batch, spec.seq_len};
  const AttentionSpec attention = {.batch = spec.batch,
                                   .heads = spec.heads,
                                   .kv_heads = spec.kv_heads,
                                   .seq_len = spec.seq_len,
                                   .head_dim = spec.head_dim,
                                   .causal = spec.causal};
  build.linear({.leading = tokens,
                .in = spec.hidden,
                .out = spec.head_dim * (spec.heads + 2 * spec.kv_heads),
                .bias = spec.bias});
  if (spec.rotary) build.rotary(attention);
  build.attention(attention);
  build.linear({.leading = tokens, .in = spec.heads * spec.head_dim, .out = spec.hidden, .bias = spec.bias});
}

}  // namespace

void add_transformer_layer(const LayerSpec& spec, GraphBuilder& build) {
  const Shape stream = {spec.batch, spec.seq_len, spec.hidden};
  const int64_t rows = spec.batch * spec.seq_len;
  for (int branch = 0; branch < 2; ++branch) {
    build.fork(stream);
    if (!spec.post_norm) build.layer_norm(stream, spec.rms_norm);
    if (branch == 0) {
      self_attention(spec, build);
    } else {
      mlp(spec, build);
    }
    if (spec.dropout > 0) build.dropout(stream);
    build.add(stream);
    if (spec.post_norm) build.layer_norm(stream, spec.rms_norm);
    if (branch + spec.logged_branches >= 2) build.log_activation(rows, spec.hidden);
  }
}

Graph decoder_graph(const Job& job, const Software& software) {
  const Model& model = *job.model;
  GraphBuilder build(job, software);
  const int64_t hidden = model.hidden;
  const int64_t tokens = int64_t{job.batch} * job.seq_len;
  const Shape ids = {job.batch, job.seq_len};
  build.input(ids, 8);  // tokens and labels, int64
  build.input(ids, 8);
  build.block(2 * tokens * hidden);
  build.embedding(model.vocab, hidden, ids);
  const LayerSpec layer = {.batch = job.batch,
                           .seq_len = job.seq_len,
                           .hidden = hidden,
                           .heads = model.heads,
                           .kv_heads = model.kv_heads,
                           .head_dim = model.head_dim,
                           .ffn_hidden = model.ffn_hidden,
                           .causal = true,
                           .gated_mlp = model.gated_mlp,
                           .rms_norm = model.rms_norm,
                           .rotary = model.gated_mlp,
                           .logged_branches = job.metrics.per_layer};
  for (int32_t i = 0; i < model.layers; ++i) {
    build.block(2 * tokens * hidden);
    add_transformer_layer(layer, build);
  }
  build.block(0);
  build.layer_norm({job.batch, job.seq_len, hidden}, model.rms_norm);
  // A tied head's gradient is only a part of the embedding's: it is not ready before the embedding's own.
  build.linear({.leading = ids, .in = hidden, .out = model.vocab, .shared_parameter = model.tied_embeddings ? 0 : -1});
  build.cross_entropy(tokens, model.vocab);
  return build.finish();
}

}  // namespace td::sim
