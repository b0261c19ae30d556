#include "sim/job/families.h"
#include "sim/job/graph_builder.h"

namespace td::sim {
namespace {

constexpr int64_t kLatent = 64;
constexpr int64_t kChannels = 4;
constexpr int64_t kPatch = 4;
constexpr int64_t kTokens = (kLatent / kPatch) * (kLatent / kPatch);
constexpr int64_t kFrequencies = 256;

// x (1 + scale) + shift, of what the norm without weights puts out.
void modulate(GraphBuilder& build, const Shape& stream, int64_t batch, int64_t hidden) {
  build.layer_norm(stream, false, false);
  build.scale(stream, {batch, 1, hidden});
  build.shift(stream, {batch, 1, hidden});
}

void add_block(GraphBuilder& build, const Model& model, int64_t batch, int32_t logged_branches) {
  const int64_t hidden = model.hidden;
  const Shape stream = {batch, kTokens, hidden};
  const Shape tokens = {batch, kTokens};
  build.activation(GraphBuilder::Activation::silu, {batch, hidden});
  build.linear({.leading = {batch}, .in = hidden, .out = 6 * hidden, .bias = true});
  for (int branch = 0; branch < 2; ++branch) {
    build.fork(stream);
    modulate(build, stream, batch, hidden);
    if (branch == 0) {
      build.linear({.leading = tokens, .in = hidden, .out = 3 * hidden, .bias = true});
      build.attention({.batch = batch,
                       .heads = model.heads,
                       .kv_heads = model.heads,
                       .seq_len = kTokens,
                       .head_dim = model.head_dim});
      build.linear({.leading = tokens, .in = hidden, .out = hidden, .bias = true});
    } else {
      build.linear({.leading = tokens, .in = hidden, .out = model.ffn_hidden, .bias = true});
      build.activation(GraphBuilder::Activation::gelu, {batch, kTokens, model.ffn_hidden});
      build.linear({.leading = tokens, .in = model.ffn_hidden, .out = hidden, .bias = true});
    }
    build.scale(stream, {batch, 1, hidden});  // the gate
    build.add(stream);
    if (branch + logged_branches >= 2) build.log_activation(batch * kTokens, hidden);
  }
}

}  // namespace

Graph diffusion_graph(const Job& job, const Software& software) {
  const Model& model = *job.model;
  GraphBuilder build(job, software);
  const int64_t batch = job.batch;
  const int64_t hidden = model.hidden;
  const Shape stream = {batch, kTokens, hidden};
  build.input({batch, kChannels, kLatent, kLatent}, 4);
  build.input({batch}, 8);
  build.block(2 * batch * kTokens * hidden);
  // Noise is added by the timestep's share before the model runs.
  build.scale({batch, kChannels, kLatent, kLatent}, {batch, 1, 1, 1});
  build.add({batch, kChannels, kLatent, kLatent});
  build.convolution({.batch = batch,
                     .in = kChannels,
                     .out = hidden,
                     .size = kLatent,
                     .kernel = kPatch,
                     .stride = kPatch,
                     .bias = true,
                     .first = true});
  build.shift(stream, {1, kTokens, hidden});
  build.sinusoids(batch, kFrequencies);
  build.linear({.leading = {batch}, .in = kFrequencies, .out = hidden, .bias = true, .first = true});
  build.activation(GraphBuilder::Activation::silu, {batch, hidden});
  build.linear({.leading = {batch}, .in = hidden, .out = hidden, .bias = true});
  build.embedding(1001, hidden, {batch});
  build.add({batch, hidden});
  for (int32_t i = 0; i < model.layers; ++i) {
    build.block(2 * batch * kTokens * hidden);
    add_block(build, model, batch, job.metrics.per_layer);
  }
  build.block(0);
  modulate(build, stream, batch, hidden);
  const int64_t out = kPatch * kPatch * kChannels * 2;
  build.linear({.leading = {batch, kTokens}, .in = hidden, .out = out, .bias = true});
  build.mean_squared_error({batch, kTokens, out});
  return build.finish();
}

}  // namespace td::sim
