#include <array>

#include "sim/job/graph.h"
#include "sim/job/job.h"

namespace td::sim {
namespace {

consteval Model of_family(Family family, Model model) {
  model.family = family;
  return model;
}
consteval Model vit(Model model, int32_t patch) {
  model.patch = patch;
  return of_family(Family::vit, model);
}

// Decoders whose step of eager kernels stays below 600. Widths, heads and vocabularies are those of public models of
// that size; depths are cut to what fits. "bytes": a byte-level vocabulary, whose embedding gradient is small, so that
// DDP's last bucket hides even on a slow link.
constexpr std::array kModels = {
    Model{"gpt_60m", "60 M decoder, small vocabulary", 12, 640, 10, 10, 64, 2560, 4096, false, false, true},
    Model{"gpt_120m", "0.12 B decoder, small vocabulary", 14, 832, 13, 13, 64, 3328, 8192, false, false, true},
    Model{"bytes_90m", "90 M byte-level decoder", 12, 768, 12, 12, 64, 3072, 512, false, false, true},
    Model{"bytes_150m", "0.15 B byte-level decoder", 12, 1024, 16, 16, 64, 4096, 512, false, false, true},
    Model{"bytes_340m", "0.34 B byte-level decoder", 12, 1536, 16, 16, 96, 6144, 512, false, false, true},
    Model{"gpt_250m", "0.25 B decoder", 14, 1024, 16, 16, 64, 4096, 50304, false, false, true},
    Model{"gpt_450m", "0.45 B decoder", 13, 1536, 16, 16, 96, 6144, 50304, false, false, true},
    Model{"gpt_760m", "0.76 B decoder", 13, 2048, 16, 16, 128, 8192, 50304, false, false, true},
    Model{"gpt_1b5", "1.5 B decoder", 12, 3072, 24, 24, 128, 12288, 50304, false, false, true},
    Model{"gpt_1b4", "1.4 B decoder, small vocabulary", 12, 3072, 24, 24, 128, 12288, 16384, false, false, true},
    Model{"gpt_2b1", "2.1 B decoder", 10, 4096, 32, 32, 128, 16384, 32000, false, false, true},
    Model{"llama_860m", "0.86 B decoder", 12, 2048, 16, 4, 128, 8192, 32000, true, true, false},
    Model{"llama_1b2", "1.2 B decoder", 10, 3072, 24, 8, 128, 8192, 32000, true, true, false},
    Model{"llama_1b7", "1.7 B decoder", 8, 4096, 32, 8, 128, 11008, 32000, true, true, false},
    Model{"bytes_650m", "0.65 B byte-level decoder", 13, 2048, 16, 16, 128, 8192, 512, false, false, true},
    Model{"bytes_1b", "1.0 B byte-level decoder", 10, 3072, 24, 8, 128, 8192, 512, true, true, false},
    // Of few and wide layers, all alike but for a small head: they cut evenly into pipeline stages.
    Model{"bytes_630m", "0.63 B byte-level decoder", 2, 5120, 40, 40, 128, 13824, 512, true, true, false},
    Model{"bytes_780m", "0.78 B byte-level decoder", 2, 6144, 48, 8, 128, 16384, 512, true, true, false},
    Model{"bytes_1b3", "1.3 B byte-level decoder", 4, 5120, 40, 40, 128, 13824, 512, true, true, false},
    Model{"bytes_1b6", "1.6 B byte-level decoder", 4, 6144, 48, 8, 128, 16384, 512, true, true, false},
    Model{"bytes_1b7", "1.7 B byte-level decoder", 2, 8192, 64, 8, 128, 28672, 512, true, true, false},
    Model{"bytes_2b5", "2.5 B byte-level decoder", 8, 5120, 40, 40, 128, 13824, 512, true, true, false},
    Model{"bytes_3b1", "3.1 B byte-level decoder", 8, 6144, 48, 8, 128, 16384, 512, true, true, false},
    Model{"bytes_3b4", "3.4 B byte-level decoder", 4, 8192, 64, 8, 128, 28672, 512, true, true, false},
    Model{"bytes_5b1", "5.1 B byte-level decoder", 16, 5120, 40, 40, 128, 13824, 512, true, true, false},
    Model{"bytes_6b2", "6.2 B byte-level decoder", 16, 6144, 48, 8, 128, 16384, 512, true, true, false},
    Model{"bytes_7b", "6.8 B byte-level decoder", 8, 8192, 64, 8, 128, 28672, 512, true, true, false},
    of_family(Family::encoder, {"bert_base", "0.11 B encoder", 12, 768, 12, 12, 64, 3072, 30522}),
    of_family(Family::encoder, {"bert_large", "0.25 B encoder", 16, 1024, 16, 16, 64, 4096, 30522}),
    of_family(Family::encoder, {"encoder_600m", "0.6 B encoder", 12, 2048, 16, 16, 128, 8192, 8192}),
    vit({"vit_b16", "86 M vision transformer", 12, 768, 12, 12, 64, 3072, 1000}, 16),
    vit({"vit_l16", "0.2 B vision transformer", 16, 1024, 16, 16, 64, 4096, 1000}, 16),
    vit({"vit_h14", "0.4 B vision transformer", 16, 1408, 22, 22, 64, 5632, 1000}, 14),
    of_family(Family::resnet, {"resnet50", "ResNet-50", 50, 2048, 0, 0, 0, 0, 1000}),
    of_family(Family::resnet, {"resnet101", "ResNet-101", 101, 2048, 0, 0, 0, 0, 1000}),
    of_family(Family::diffusion, {"dit_b", "0.13 B diffusion transformer", 12, 768, 12, 12, 64, 3072, 0}),
    of_family(Family::diffusion, {"dit_l", "0.27 B diffusion transformer", 14, 1024, 16, 16, 64, 4096, 0}),
    of_family(Family::diffusion, {"dit_xl", "0.7 B diffusion transformer", 14, 1664, 26, 26, 64, 6656, 0}),
    of_family(Family::recsys, {"dlrm_small", "26-table recommender", 3, 512, 26, 26, 64, 1024, 400'000}),
    of_family(Family::recsys, {"dlrm_large", "26-table recommender, wide", 6, 1024, 26, 26, 128, 4096, 1'000'000}),
    of_family(Family::gnn, {"sage_256", "3-layer graph network", 3, 256, 0, 0, 0, 128, 172}),
    of_family(Family::gnn, {"sage_512", "3-layer graph network, wide", 3, 512, 0, 0, 0, 768, 153}),
    of_family(Family::speech, {"speech_90m", "90 M speech encoder", 12, 768, 12, 12, 64, 3072, 504}),
    of_family(Family::speech, {"speech_300m", "0.2 B speech encoder", 16, 1024, 16, 16, 64, 4096, 504}),
};

}  // namespace

std::span<const Model> all_models() { return kModels; }

const Model* find_model(std::string_view id) {
  for (const Model& model : kModels) {
    if (model.id == id) return &model;
  }
  return nullptr;
}

std::string_view to_string(Family family) {
  switch (family) {
    case Family::decoder:
      return "decoder";
    case Family::encoder:
      return "encoder";
    case Family::vit:
      return "vit";
    case Family::resnet:
      return "resnet";
    case Family::diffusion:
      return "diffusion";
    case Family::recsys:
      return "recsys";
    case Family::gnn:
      return "gnn";
    case Family::speech:
      return "speech";
  }
  return "";
}

std::string_view to_string(Execution execution) {
  switch (execution) {
    case Execution::eager:
      return "eager";
    case Execution::compiled:
      return "compiled";
    case Execution::cuda_graph:
      return "cuda_graph";
  }
  return "";
}

std::string_view to_string(Work work) {
  switch (work) {
    case Work::training:
      return "training";
    case Work::inference:
      return "inference";
    case Work::prefill:
      return "prefill";
    case Work::decode:
      return "decode";
  }
  return "";
}

std::string_view sample_name(Family family) {
  switch (family) {
    case Family::decoder:
    case Family::encoder:
      return "sequence";
    case Family::vit:
    case Family::resnet:
    case Family::diffusion:
      return "image";
    case Family::recsys:
      return "sample";
    case Family::gnn:
      return "seed node";
    case Family::speech:
      return "clip";
  }
  return "sample";
}

int64_t parameter_count(const Model& model) {
  if (model.family != Family::decoder) {
    int64_t sum = 0;
    for (const Parameter& parameter : parameters_of(model)) sum += parameter.count();
    return sum;
  }
  const int64_t hidden = model.hidden;
  const int64_t attention = hidden * model.head_dim * (model.heads + 2 * int64_t{model.kv_heads}) +
                            int64_t{model.heads} * model.head_dim * hidden;
  const int64_t mlp = hidden * model.ffn_hidden * (model.gated_mlp ? 3 : 2);
  const int64_t norms = 2 * hidden;
  const int64_t embeddings = int64_t{model.vocab} * hidden * (model.tied_embeddings ? 1 : 2);
  return model.layers * (attention + mlp + norms) + hidden + embeddings;
}

double training_flop_per_token(const Model& model, int32_t seq_len) {
  if (model.family != Family::decoder) {
    // Backward takes twice the matrix work of forward. Many samples: a first layer's or a pool's share is even then.
    constexpr int32_t kSamples = 64;
    const Job job{
        .gpu = &hardware::all_gpus().front(), .fabric = {}, .model = &model, .batch = kSamples, .seq_len = seq_len};
    return 3 * forward_flop(make_graph(job, {})) / kSamples / seq_len;
  }
  // 6 P over the parameters that multiply: an input embedding is looked up, a tied one multiplies once as the head.
  const int64_t looked_up = model.tied_embeddings ? 0 : int64_t{model.vocab} * model.hidden;
  const double dense = 6.0 * static_cast<double>(parameter_count(model) - looked_up);
  // Causal attention: 6 L S (h d), forward and backward.
  const double attention = 6.0 * model.layers * static_cast<double>(seq_len) * model.heads * model.head_dim;
  return dense + attention;
}

}  // namespace td::sim
