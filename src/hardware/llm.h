// Published language models, as their configuration files give them. For sums done in the head; what the simulator runs
// stands in sim/job/.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace td::hardware {

// A decoder-only transformer with gated MLPs. Mixtures of experts have `experts` > 0; ffn_hidden is then one expert's.
struct Llm {
  std::string_view id;             // "llama_3_1_70b"
  std::string_view title;          // "Llama-3.1-70B"
  double parameters_b = 0;         // 1e9, three digits, as people say it
  double active_parameters_b = 0;  // used by one token; the same for dense models
  int32_t layers = 0;
  int32_t hidden = 0;
  int32_t heads = 0;
  int32_t kv_heads = 0;
  int32_t head_dim = 0;
  int32_t ffn_hidden = 0;
  int32_t vocab = 0;
  bool tied_embeddings = false;
  int32_t experts = 0;
  int32_t experts_per_token = 0;
};

// Source of all rows: config.json of each model's repository on huggingface.co.
std::span<const Llm> all_llms();
const Llm* find_llm(std::string_view id);

// The parameters that the shape comes to: embeddings, attention, MLPs (all experts), norms; biases left out.
int64_t parameter_count(const Llm& llm);
// Keys and values of one token over all layers: 2 x layers x kv_heads x head_dim values.
int64_t kv_values_per_token(const Llm& llm);

}  // namespace td::hardware
