// What runs: a model, on hardware, under a parallelism. A job without a fault is healthy.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hardware/fabric.h"
#include "hardware/gpu.h"
#include "sim/engine/loader.h"
#include "trace/kernel_class.h"

namespace td::sim {

// What a model is made of; its file in job/ says how it is written.
enum class Family : uint8_t { decoder, encoder, vit, resnet, diffusion, recsys, gnn, speech };
std::string_view to_string(Family family);  // "decoder"

// A model. Decoders use all fields; what the other families make of them stands with each.
struct Model {
  std::string_view id;     // "llama_1b"
  std::string_view title;  // "1.2 B decoder"
  int32_t layers = 0;
  int32_t hidden = 0;
  int32_t heads = 0;
  int32_t kv_heads = 0;
  int32_t head_dim = 0;
  int32_t ffn_hidden = 0;
  int32_t vocab = 0;
  bool gated_mlp = false;  // SwiGLU: three matrices
  bool rms_norm = false;
  bool tied_embeddings = false;
  Family family = Family::decoder;
  int32_t patch = 0;  // side of a patch of a vision transformer
};
std::span<const Model> all_models();
const Model* find_model(std::string_view id);
int64_t parameter_count(const Model& model);
// 6 P plus causal attention, per token (timing.md 7). Of the other families: of a whole sample, divided by seq_len.
double training_flop_per_token(const Model& model, int32_t seq_len);
// What one of batch is: "sequence", "image", "clip", "sample", "seed node".
std::string_view sample_name(Family family);

// Norms that the program takes for its log: of what each layer puts out, or of its gradients. Kept on the device they
// cost a short kernel each; read on the host, each is a synchronisation, and the host then formats and writes it.
struct Metrics {
  enum class Of : uint8_t { nothing, activations, gradients };
  Of of = Of::nothing;
  int32_t per_layer = 1;         // activations: 1 or 2; gradients: 1 to 6, the tensors of a layer
  bool read_on_host = false;     // each in every step
  TimeNs host_work_ns = 20'000;  // median, after each read
};

// How attention runs: one fused kernel, or batched GEMMs with softmax, mask, casts and dropout over the scores between
// them, each of which reads and writes all batch x heads x seq_len^2 of them.
enum class Attention : uint8_t { flash, math };

// How the ranks share the work. One-GPU jobs have no communication at all; DDP and FSDP ranks all do the same; a
// pipeline has `stages` stages of world_size / stages ranks each, which reduce their gradients among themselves.
struct Parallelism {
  enum class Kind : uint8_t { one_gpu, ddp, fsdp, pipeline };
  Kind kind = Kind::ddp;
  // Pipelines only. The microbatches of a step are Job::accumulation.
  int32_t stages = 1;
  int32_t virtual_stages = 1;  // chunks of the model that a stage holds; 1 is plain 1F1B, more is interleaved 1F1B
  // Of p stages and d ranks a stage: true: stage s has the ranks s, s + p, s + 2 p ...: a pipeline inside a node, and
  // gradients cross between nodes. false: it has s x d to s x d + d - 1, and activations cross.
  bool stages_adjacent = false;
};

// How the host runs the model: op by op; as regions that torch.compile has made; as CUDA graphs captured before.
enum class Execution : uint8_t { eager, compiled, cuda_graph };
std::string_view to_string(Execution execution);  // "eager"

// What a step of the program is: a training step; one request at a time through the whole model; the prompts of a batch
// through a decoder (prefill); one token more for each of a batch of sequences (decode).
enum class Work : uint8_t { training, inference, prefill, decode };
std::string_view to_string(Work work);  // "training"

// One model at work.
struct Job {
  const hardware::Gpu* gpu = nullptr;
  hardware::Fabric fabric;
  const Model* model = nullptr;
  Parallelism parallelism = {};
  int32_t batch = 1;  // sequences a rank and microbatch
  int32_t seq_len = 2048;
  trace::DType grad_dtype = trace::DType::bfloat16;  // what the all-reduce carries
  bool compress_gradients = false;                   // fp32 gradients cross as bf16 (a DDP communication hook)
  int32_t accumulation = 1;                          // microbatches a step; gradients are reduced after the last
  int64_t bucket_cap_bytes = 25 * (int64_t{1} << 20);
  int64_t first_bucket_cap_bytes = int64_t{1} << 20;  // small, so that communication starts early
  bool overlap_reduction = true;                      // false: buckets are reduced once backward has ended
  Attention attention = Attention::flash;
  bool sync_every_step = true;  // loss.item() at the end of each step
  int32_t warmup_steps = 1;     // run before the window, not recorded
  int32_t recorded_steps = 4;
  Work work = Work::training;
  Execution execution = Execution::eager;
  int32_t reshaped_step = -1;     // recorded step whose batch has twice the sequences of half the length
  LoaderSpec loader = {};         // each rank's; by default a batch is always ready
  TimeNs clock_skew_ns = 30'000;  // ranks' clocks are off by up to this much, either way
  Metrics metrics = {};
  int32_t noise_percent = 0;  // harmless background (background.h): 100 is what drills have
};

// Ranks that hold the same weights and work on different data: all of them, or those of one pipeline stage.
int32_t data_parallel_size(const Job& job);
// Over all ranks.
int64_t tokens_per_step(const Job& job);

// Bytes that a rank needs: weights, gradients, optimizer, activations.
int64_t memory_needed_bytes(const Job& job);
// invalid_argument if the job cannot exist: does not fit the memory, world size 0, ...
Status check_job(const Job& job);
// Metrics that one step takes: of all its microbatches' activations, or of its gradients once.
int64_t metrics_per_step(const Job& job);
// The number of kernels of one recorded step on one rank.
int64_t kernels_per_step(const Job& job);

}  // namespace td::sim
