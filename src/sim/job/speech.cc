#include "sim/job/families.h"
#include "sim/job/graph_builder.h"
#include "sim/job/transformer.h"

namespace td::sim {
namespace {

constexpr int64_t kSamples = 480'000;  // 30 s at 16 kHz
constexpr int64_t kFrames = 3'000;
constexpr int64_t kBins = 80;
constexpr int64_t kTokens = kFrames / 2;

}  // namespace

// model.vocab is the number of units that each frame is told apart into.
Graph speech_graph(const Job& job, const Software& software) {
  const Model& model = *job.model;
  GraphBuilder build(job, software);
  const int64_t batch = job.batch;
  const int64_t hidden = model.hidden;
  const Shape stream = {batch, kTokens, hidden};
  build.input({batch, kSamples}, 4);
  build.input({batch, kTokens}, 8);
  build.block(2 * batch * kTokens * hidden);
  build.mel_spectrum(batch, kSamples, kFrames, kBins);
  build.convolution({.batch = batch,
                     .in = kBins,
                     .out = hidden,
                     .size = 1,
                     .width = kFrames,
                     .kernel = 1,
                     .kernel_width = 3,
                     .bias = true,
                     .first = true});
  build.activation(GraphBuilder::Activation::gelu, {batch, hidden, 1, kFrames});
  build.convolution({.batch = batch,
                     .in = hidden,
                     .out = hidden,
                     .size = 1,
                     .width = kFrames,
                     .kernel = 1,
                     .kernel_width = 3,
                     .stride = 2,
                     .bias = true});
  build.activation(GraphBuilder::Activation::gelu, {batch, hidden, 1, kTokens});
  build.shift(stream, {1, kTokens, hidden});
  for (int32_t i = 0; i < model.layers; ++i) {
    build.block(2 * batch * kTokens * hidden);
    add_transformer_layer({.batch = batch,
                           .seq_len = kTokens,
                           .hidden = hidden,
                           .heads = model.heads,
                           .kv_heads = model.kv_heads,
                           .head_dim = model.head_dim,
                           .ffn_hidden = model.ffn_hidden,
                           .bias = true,
                           .logged_branches = job.metrics.per_layer},
                          build);
  }
  build.block(0);
  build.layer_norm(stream, false);
  build.linear({.leading = {batch, kTokens}, .in = hidden, .out = model.vocab, .bias = true});
  build.cross_entropy(batch * kTokens, model.vocab);
  return build.finish();
}

}  // namespace td::sim
