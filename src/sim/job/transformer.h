// Decoder-only and encoder transformers as graphs. Private to job/.
#pragma once

#include "sim/job/graph.h"
#include "sim/job/job.h"

namespace td::sim {

// Blocks: the embedding, each layer, then the final norm with head and loss.
Graph decoder_graph(const Job& job, const Software& software);

// One layer as other families use it too.
struct LayerSpec {
  int64_t batch = 0;
  int64_t seq_len = 0;
  int64_t hidden = 0;
  int64_t heads = 0;
  int64_t kv_heads = 0;
  int64_t head_dim = 0;
  int64_t ffn_hidden = 0;
  bool causal = false;
  bool gated_mlp = false;
  bool rms_norm = false;
  bool rotary = false;
  bool bias = false;
  bool post_norm = false;  // BERT: norms after the residual adds
  double dropout = 0;
  int32_t logged_branches = 0;  // of its two, how many write a metric
};
class GraphBuilder;
void add_transformer_layer(const LayerSpec& spec, GraphBuilder& build);

}  // namespace td::sim
