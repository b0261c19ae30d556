#include <string>

#include "base/math.h"
#include "sim/job/graph.h"
#include "sim/job/job.h"
#include "sim/job/layout.h"
#include "sim/job/math_attention.h"

namespace td::sim {
namespace {

// Weights, gradients and Adam: 2 + 2 + 12 (BF16 with an FP32 master and moments) or 4 + 4 + 8 + a BF16 copy of 2.
int64_t state_bytes_per_parameter(trace::DType grad_dtype) { return grad_dtype == trace::DType::float32 ? 18 : 16; }

// BF16 tensors that a layer keeps for its backward, per token, with flash attention and without recomputation.
int64_t activation_bytes_per_token(const Model& model) {
  const int64_t hidden = model.hidden;
  const int64_t qkv = int64_t{model.head_dim} * (model.heads + 2 * model.kv_heads);
  const int64_t attention_out = int64_t{model.head_dim} * model.heads;
  // Both residuals, both norms' outputs; gate, up, silu and product, or the two sides of the GELU.
  const int64_t mlp = int64_t{model.ffn_hidden} * (model.gated_mlp ? 4 : 2);
  return 2 * (4 * hidden + qkv + attention_out + mlp);
}

// What math attention keeps of each score for its backward: the FP32 softmax and its BF16 copy; with dropout a mask.
// While a layer runs, four more copies, two of them FP32.
int64_t score_bytes(const Job& job) {
  if (job.attention == Attention::flash) return 0;
  const Model& model = *job.model;
  const int64_t kept_bytes = has_attention_dropout(model) ? 7 : 6;
  return attention_scores(job) * (model.layers * kept_bytes + 12);
}

// The head keeps BF16 logits, their FP32 copy and the log-softmax, and makes an FP32 gradient.
constexpr int64_t kHeadBytesPerLogit = 2 + 4 + 4 + 4;
// CUDA context, NCCL buffers, cuBLAS workspaces.
constexpr int64_t kFixedBytes = 3'000'000'000;
// What the caching allocator loses to rounding and fragments.
constexpr int64_t kUsablePercent = 94;

}  // namespace

int64_t memory_needed_bytes(const Job& job) {
  if (job.model->family != Family::decoder) {
    const Graph graph = make_graph(job, {});
    int64_t input_bytes = 0;
    for (const InputTensor& input : graph.inputs) input_bytes += input.size_bytes;
    return kFixedBytes + held_parameters(job) * state_bytes_per_parameter(job.grad_dtype) + graph.table_bytes +
           round_to_int(static_cast<double>(saved_bytes(graph)) * microbatches_in_flight(job)) + 2 * input_bytes;
  }
  const Model& model = *job.model;
  const int64_t tokens = int64_t{job.batch} * job.seq_len;
  const int64_t kept_bytes = tokens * model.layers * activation_bytes_per_token(model) + score_bytes(job);
  return kFixedBytes + held_parameters(job) * state_bytes_per_parameter(job.grad_dtype) +
         round_to_int(static_cast<double>(kept_bytes) * microbatches_in_flight(job)) +
         tokens * model.vocab * kHeadBytesPerLogit;
}

namespace {

// What only decoders can do so far.
Status check_family(const Job& job) {
  const std::string family(to_string(job.model->family));
  const auto bad = [&](std::string_view what) {
    return fail(ErrorCode::invalid_argument, "job: " + std::string(what) + " of a " + family + " is not built");
  };
  if (job.attention == Attention::math) return bad("unfused attention");
  if (job.metrics.of == Metrics::Of::gradients) return bad("a log of gradients");
  if (job.reshaped_step >= 0 && job.model->family != Family::encoder) return bad("a step of another shape");
  if (job.parallelism.kind == Parallelism::Kind::pipeline) return bad("a pipeline");
  return {};
}

}  // namespace

Status check_job(const Job& job) {
  const auto bad = [](std::string message) { return fail(ErrorCode::invalid_argument, "job: " + std::move(message)); };
  if (job.gpu == nullptr) return bad("no GPU");
  if (job.model == nullptr) return bad("no model");
  if (job.fabric.intra == nullptr) return bad("no fabric");
  if (job.fabric.world_size() < 1 || job.fabric.world_size() > 4096) {
    return bad("world size " + std::to_string(job.fabric.world_size()) + ", expected 1 to 4096");
  }
  if (job.batch < 1 || job.seq_len < 1 || job.accumulation < 1) {
    return bad("batch, sequence length and accumulation must be at least 1");
  }
  if (job.recorded_steps < 1 || job.recorded_steps > 1000 || job.warmup_steps < 0 || job.warmup_steps > 1000) {
    return bad("recorded steps must be 1 to 1000 and warm-up steps 0 to 1000");
  }
  const int32_t most_metrics = job.metrics.of == Metrics::Of::gradients ? 6 : 2;
  if (job.metrics.per_layer < 1 || job.metrics.per_layer > most_metrics || job.metrics.host_work_ns < 0) {
    return bad("metrics per layer must be 1 to " + std::to_string(most_metrics) + " and their host work at least 0 ns");
  }
  if (job.reshaped_step >= job.recorded_steps || (job.reshaped_step >= 0 && job.seq_len % 2 != 0)) {
    return bad("the reshaped step must be a recorded one, of an even sequence length");
  }
  if (job.loader.workers < 0 || job.loader.batch_ns < 0 || job.loader.prefetch_factor < 1) {
    return bad("loader workers and batch time must be at least 0 and its prefetch factor at least 1");
  }
  if (job.bucket_cap_bytes < 1 || job.first_bucket_cap_bytes < 1) return bad("bucket caps must be at least 1 byte");
  if (job.grad_dtype != trace::DType::bfloat16 && job.grad_dtype != trace::DType::float32) {
    return bad("gradients must be bfloat16 or float32");
  }
  if (job.work != Work::training || job.execution == Execution::cuda_graph) {
    return bad(std::string(to_string(job.work)) + " of a " + std::string(to_string(job.model->family)) + ", " +
               std::string(to_string(job.execution)) + ", is not built");
  }
  if (job.model->family != Family::decoder) TRY_OK(check_family(job));
  TRY_OK(check_parallelism(job));
  const int64_t needed = memory_needed_bytes(job);
  const int64_t usable = job.gpu->memory_bytes / 100 * kUsablePercent;
  if (needed > usable) {
    return bad("needs " + std::to_string(needed / 1'000'000'000) + " GB, " + std::string(job.gpu->title) + " has " +
               std::to_string(usable / 1'000'000'000) + " GB usable");
  }
  return {};
}

}  // namespace td::sim
