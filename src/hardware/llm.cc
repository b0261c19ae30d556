#include "hardware/llm.h"

#include <array>

namespace td::hardware {
namespace {

constexpr std::array kLlms = {
    Llm{"llama_3_2_1b", "Llama-3.2-1B", 1.24, 1.24, 16, 2048, 32, 8, 64, 8192, 128256, true},
    Llm{"llama_3_2_3b", "Llama-3.2-3B", 3.21, 3.21, 28, 3072, 24, 8, 128, 8192, 128256, true},
    Llm{"llama_2_7b", "Llama-2-7B", 6.74, 6.74, 32, 4096, 32, 32, 128, 11008, 32000, false},
    Llm{"mistral_7b_v03", "Mistral-7B-v0.3", 7.25, 7.25, 32, 4096, 32, 8, 128, 14336, 32768, false},
    Llm{"qwen_2_5_7b", "Qwen2.5-7B", 7.62, 7.62, 28, 3584, 28, 4, 128, 18944, 152064, false},
    Llm{"llama_3_1_8b", "Llama-3.1-8B", 8.03, 8.03, 32, 4096, 32, 8, 128, 14336, 128256, false},
    Llm{"llama_2_13b", "Llama-2-13B", 13.0, 13.0, 40, 5120, 40, 40, 128, 13824, 32000, false},
    Llm{"qwen_2_5_14b", "Qwen2.5-14B", 14.8, 14.8, 48, 5120, 40, 8, 128, 13824, 152064, false},
    Llm{"qwen_2_5_32b", "Qwen2.5-32B", 32.8, 32.8, 64, 5120, 40, 8, 128, 27648, 152064, false},
    Llm{"mixtral_8x7b", "Mixtral-8x7B", 46.7, 12.9, 32, 4096, 32, 8, 128, 14336, 32000, false, 8, 2},
    Llm{"llama_3_1_70b", "Llama-3.1-70B", 70.6, 70.6, 80, 8192, 64, 8, 128, 28672, 128256, false},
    Llm{"qwen_2_5_72b", "Qwen2.5-72B", 72.7, 72.7, 80, 8192, 64, 8, 128, 29568, 152064, false},
    Llm{"mixtral_8x22b", "Mixtral-8x22B", 141, 39.2, 56, 6144, 48, 8, 128, 16384, 32768, false, 8, 2},
    Llm{"llama_3_1_405b", "Llama-3.1-405B", 406, 406, 126, 16384, 128, 8, 128, 53248, 128256, false},
};

}  // namespace

std::span<const Llm> all_llms() { return kLlms; }

const Llm* find_llm(std::string_view id) {
  for (const Llm& llm : kLlms) {
    if (llm.id == id) return &llm;
  }
  return nullptr;
}

int64_t parameter_count(const Llm& llm) {
  const int64_t hidden = llm.hidden;
  const int64_t attention = hidden * llm.head_dim * (2 * int64_t{llm.heads} + 2 * int64_t{llm.kv_heads});
  const int64_t experts = llm.experts > 0 ? llm.experts : 1;
  const int64_t mlp = 3 * hidden * llm.ffn_hidden * experts + (llm.experts > 0 ? hidden * experts : 0);
  const int64_t embeddings = int64_t{llm.vocab} * hidden * (llm.tied_embeddings ? 1 : 2);
  return llm.layers * (attention + mlp + 2 * hidden) + hidden + embeddings;
}

int64_t kv_values_per_token(const Llm& llm) { return 2 * int64_t{llm.layers} * llm.kv_heads * llm.head_dim; }

}  // namespace td::hardware
