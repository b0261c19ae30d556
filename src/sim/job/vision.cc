// Image models: vision transformers and residual networks.
#include <algorithm>

#include "sim/job/families.h"
#include "sim/job/graph_builder.h"
#include "sim/job/transformer.h"

namespace td::sim {
namespace {

constexpr int64_t kImage = 224;

}  // namespace

Graph vit_graph(const Job& job, const Software& software) {
  const Model& model = *job.model;
  GraphBuilder build(job, software);
  const int64_t batch = job.batch;
  const int64_t hidden = model.hidden;
  const int64_t side = kImage / model.patch;
  const int64_t seq = side * side + 1;
  const Shape stream = {batch, seq, hidden};
  build.input({batch, 3, kImage, kImage}, 1);
  build.input({batch}, 8);
  build.block(2 * batch * seq * hidden);
  build.normalise({batch, 3, kImage, kImage});
  build.convolution({.batch = batch,
                     .in = 3,
                     .out = hidden,
                     .size = kImage,
                     .kernel = model.patch,
                     .stride = model.patch,
                     .bias = true,
                     .first = true});
  build.concatenate(stream);
  build.shift(stream, {1, seq, hidden});
  for (int32_t i = 0; i < model.layers; ++i) {
    build.block(2 * batch * seq * hidden);
    add_transformer_layer({.batch = batch,
                           .seq_len = seq,
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
  build.gather_rows(batch * seq, batch, hidden);
  build.linear({.leading = {batch}, .in = hidden, .out = model.vocab, .bias = true});
  build.cross_entropy(batch, model.vocab);
  return build.finish();
}

Graph resnet_graph(const Job& job, const Software& software) {
  const Model& model = *job.model;
  GraphBuilder build(job, software);
  const int64_t batch = job.batch;
  const auto convolve = [&](int64_t in, int64_t out, int64_t size, int64_t kernel, int64_t stride, bool first) {
    build.convolution(
        {.batch = batch, .in = in, .out = out, .size = size, .kernel = kernel, .stride = stride, .first = first});
    const int64_t after = (size + stride - 1) / stride;
    build.batch_norm({batch, out, after, after});
    return after;
  };
  const auto relu = [&](int64_t channels, int64_t size) {
    build.activation(GraphBuilder::Activation::relu, {batch, channels, size, size});
  };
  build.input({batch, 3, kImage, kImage}, 1);
  build.input({batch}, 8);
  build.block(2 * batch * 64 * 56 * 56);
  build.normalise({batch, 3, kImage, kImage});
  int64_t size = convolve(3, 64, kImage, 7, 2, true);
  relu(64, size);
  build.max_pool({batch, 64, size, size}, size / 2);
  size /= 2;
  const int64_t third = model.layers == 152 ? 36 : model.layers == 101 ? 23 : 6;
  const int64_t depths[4] = {3, model.layers == 152 ? 8 : 4, third, 3};
  int64_t channels = 64;
  for (int stage = 0; stage < 4; ++stage) {
    const int64_t width = int64_t{64} << stage;
    const int64_t out = 4 * width;
    for (int64_t i = 0; i < depths[stage]; ++i) {
      const int64_t stride = i == 0 && stage > 0 ? 2 : 1;
      const int64_t after = size / stride;
      build.block(2 * batch * out * after * after);
      build.fork({batch, channels, size, size});
      if (i == 0) convolve(channels, out, size, 1, stride, false);  // the shortcut
      convolve(channels, width, size, 1, 1, false);
      relu(width, size);
      convolve(width, width, size, 3, stride, false);
      relu(width, after);
      convolve(width, out, after, 1, 1, false);
      build.add({batch, out, after, after});
      relu(out, after);
      build.log_activation(batch * after * after, out);
      channels = out;
      size = after;
    }
  }
  build.block(0);
  build.mean({batch, channels, size, size}, {batch, channels, 1, 1});
  build.linear({.leading = {batch}, .in = channels, .out = model.vocab, .bias = true});
  build.cross_entropy(batch, model.vocab);
  return build.finish();
}

}  // namespace td::sim
