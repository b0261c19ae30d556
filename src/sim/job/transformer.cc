#include "sim/job/transformer.h"

#include <string>

#include "hardware/formula/kernel_time.h"
#include "sim/job/compiled.h"
#include "sim/job/math_attention.h"
#include "sim/job/metrics.h"

namespace td::sim {
namespace {

constexpr TimeNs kLaunchNs = 4'600;      // cudaLaunchKernel under the profiler, median
constexpr TimeNs kLaunchExNs = 5'800;    // cudaLaunchKernelExC, cuLaunchKernelEx
constexpr TimeNs kDispatchNs = 6'500;    // an op's dispatch before its launch
constexpr TimeNs kBackwardOpNs = 4'200;  // the same from the C++ engine
constexpr std::string_view kLaunch = "cudaLaunchKernel";
constexpr std::string_view kBf16 = "c10::BFloat16";

// Autograd sequence slots of a layer, in forward order.
enum Slot : int32_t {
  slot_norm1,
  slot_qkv,
  slot_rotary,
  slot_attention,
  slot_projection,
  slot_residual1,
  slot_norm2,
  slot_up,
  slot_activation,
  slot_product,
  slot_down,
  slot_residual2,
  slot_count,
};
constexpr int32_t kEmbeddingSequence = 0;
constexpr int32_t kFirstLayerSequence = 1;
constexpr int32_t kParametersPerLayer = 6;

std::string evaluate(std::string_view node) { return "autograd::engine::evaluate_function: " + std::string(node); }

}  // namespace

std::vector<Parameter> parameters_of(const Model& model) {
  const int64_t hidden = model.hidden;
  const int64_t qkv = int64_t{model.head_dim} * (model.heads + 2 * model.kv_heads);
  const int64_t up = int64_t{model.ffn_hidden} * (model.gated_mlp ? 2 : 1);
  std::vector<Parameter> out = {{model.vocab, hidden}};
  for (int32_t i = 0; i < model.layers; ++i) {
    out.push_back({hidden});
    out.push_back({qkv, hidden});
    out.push_back({hidden, int64_t{model.heads} * model.head_dim});
    out.push_back({hidden});
    out.push_back({up, hidden});
    out.push_back({hidden, model.ffn_hidden});
  }
  out.push_back({hidden});
  if (!model.tied_embeddings) out.push_back({model.vocab, hidden});
  return out;
}

Transformer::Transformer(const Job& job, const Software& software, ProgramWriter& writer)
    : job_(job),
      software_(software),
      writer_(writer),
      tokens_(int64_t{job.batch} * job.seq_len),
      fp32_(job.grad_dtype == trace::DType::float32) {
  parameters_ = parameters_of(*job.model);
}

int32_t Transformer::sequence_count() const {
  return kFirstLayerSequence + job_.model->layers * slot_count + 4;  // final norm, head, cast, loss
}

Transformer::Layer Transformer::layer(int32_t index) const {
  const Model& model = *job_.model;
  const int32_t parameter = 1 + index * kParametersPerLayer;
  const int32_t sequence = kFirstLayerSequence + index * slot_count;
  const int64_t heads_out = int64_t{model.heads} * model.head_dim;
  const int64_t qkv_out = int64_t{model.head_dim} * (model.heads + 2 * model.kv_heads);
  const int64_t up_out = int64_t{model.ffn_hidden} * (model.gated_mlp ? 2 : 1);
  return {.qkv = {model.hidden, qkv_out, parameter + 1, sequence + slot_qkv},
          .projection = {heads_out, model.hidden, parameter + 2, sequence + slot_projection},
          .up = {model.hidden, up_out, parameter + 4, sequence + slot_up},
          .down = {model.ffn_hidden, model.hidden, parameter + 5, sequence + slot_down},
          .norm1 = parameter,
          .norm2 = parameter + 3,
          .sequence = sequence};
}

Transformer::Linear Transformer::head() const {
  const Model& model = *job_.model;
  const int32_t last = 1 + model.layers * kParametersPerLayer;
  return {model.hidden, model.vocab, model.tied_embeddings ? 0 : last + 1, sequence_count() - 3};
}

void Transformer::node(std::string_view name, int32_t sequence, TimeNs cost_ns) {
  writer_.op(evaluate(name), cost_ns, {}, {}, sequence);
  writer_.op(name, cost_ns);
}

void Transformer::end_node() {
  writer_.end(800);
  writer_.end(1'500);
}

void Transformer::pointwise(std::string_view op_name, Pointwise kind, int64_t n, double bytes_per_element,
                            int32_t sequence) {
  const KernelShape eager = pointwise_kernel(kind, n, software_);
  const KernelShape kernel = compiled() ? triton_kernel(op_name, eager, TritonKind::pointwise) : eager;
  writer_.op(compiled() ? kernel.name : op_name, kDispatchNs, dims({{tokens_, n / tokens_}}), types({kBf16}), sequence);
  writer_.launch(compiled() ? kTritonLaunch : kLaunch, kLaunchNs, kernel,
                 hardware::stream_time(static_cast<double>(n) * bytes_per_element, *job_.gpu));
  writer_.end(1'500);
}

void Transformer::row_op(std::string_view op_name, RowKernel kind, int64_t rows, int64_t columns, double traffic_bytes,
                         double extra_ns) {
  hardware::KernelTime time = hardware::stream_time(traffic_bytes, *job_.gpu);
  time.fixed_ns += extra_ns;
  const KernelShape eager = row_kernel(kind, rows, columns);
  const KernelShape kernel = compiled() ? triton_kernel(op_name, eager, TritonKind::reduction) : eager;
  writer_.op(compiled() ? kernel.name : op_name, kDispatchNs, dims({{rows, columns}}), types({kBf16}));
  writer_.launch(compiled() ? kTritonLaunch : kLaunch, kLaunchNs, kernel, time);
  writer_.end(1'500);
}

// Under autocast each FP32 weight is cast once in forward.
void Transformer::cast_weight(const Linear& linear) {
  writer_.op("aten::to", 2'500);
  writer_.op("aten::_to_copy", 3'500);
  writer_.op("aten::copy_", 4'000, dims({{linear.out, linear.in}, {linear.out, linear.in}}), types({kBf16, "float"}));
  const int64_t n = linear.in * linear.out;
  writer_.launch(kLaunch, kLaunchNs, pointwise_kernel(Pointwise::cast_to_bf16, n, software_),
                 hardware::stream_time(6.0 * static_cast<double>(n), *job_.gpu));
  writer_.end();
  writer_.end();
  writer_.end();
}

void Transformer::linear_forward(const Linear& linear) {
  if (fp32_) cast_weight(linear);
  writer_.op("aten::linear", 5'000, dims({{job_.batch, job_.seq_len, linear.in}, {linear.out, linear.in}}),
             types({kBf16, kBf16}), linear.sequence);
  writer_.op("aten::t", 2'200, dims({{linear.out, linear.in}}));
  writer_.leaf("aten::transpose", 1'800, dims({{linear.out, linear.in}}));
  writer_.end(600);
  writer_.op("aten::mm", 11'000, dims({{tokens_, linear.in}, {linear.in, linear.out}}), types({kBf16, kBf16}));
  writer_.launch(gemm_launch_call(*job_.gpu, software_), kLaunchExNs,
                 gemm_kernel(GemmLayout::tn, tokens_, linear.out, false, *job_.gpu, software_),
                 hardware::gemm_time(tokens_, linear.out, linear.in, 2, *job_.gpu));
  writer_.end(2'500);
  writer_.end(2'000);
}

void Transformer::linear_backward(const Linear& linear, const GradientReady& gradient_ready) {
  const std::string_view call = gemm_launch_call(*job_.gpu, software_);
  node("MmBackward0", linear.sequence);
  // Gradient of the input: [tokens, out] x [out, in].
  writer_.op("aten::mm", 8'000, dims({{tokens_, linear.out}, {linear.out, linear.in}}), types({kBf16, kBf16}));
  writer_.launch(call, kLaunchExNs, gemm_kernel(GemmLayout::nn, tokens_, linear.in, false, *job_.gpu, software_),
                 hardware::gemm_time(tokens_, linear.in, linear.out, 2, *job_.gpu));
  writer_.end(1'500);
  // Gradient of the weight: [out, tokens] x [tokens, in].
  writer_.op("aten::mm", 8'000, dims({{linear.out, tokens_}, {tokens_, linear.in}}), types({kBf16, kBf16}));
  writer_.launch(call, kLaunchExNs, gemm_kernel(GemmLayout::nt, linear.out, linear.in, false, *job_.gpu, software_),
                 hardware::gemm_time(linear.out, linear.in, tokens_, 2, *job_.gpu));
  writer_.end(1'500);
  end_node();
  if (fp32_) {
    const int64_t n = linear.in * linear.out;
    node("ToCopyBackward0", -1, 3'000);
    writer_.op("aten::_to_copy", 3'500);
    writer_.op("aten::copy_", 3'500, dims({{linear.out, linear.in}, {linear.out, linear.in}}));
    writer_.launch(kLaunch, kLaunchNs, pointwise_kernel(Pointwise::cast_to_float, n, software_),
                   hardware::stream_time(6.0 * static_cast<double>(n), *job_.gpu));
    writer_.end();
    writer_.end();
    end_node();
  }
  gradient_ready(linear.parameter);
}

void Transformer::norm_forward(int32_t sequence) {
  const int64_t hidden = job_.model->hidden;
  const bool rms = job_.model->rms_norm;
  const double traffic = 4.0 * static_cast<double>(tokens_ * hidden);
  writer_.op(rms ? "aten::rms_norm" : "aten::layer_norm", 4'000, dims({{tokens_, hidden}, {hidden}}), {}, sequence);
  row_op(rms ? "aten::_fused_rms_norm" : "aten::native_layer_norm", rms ? RowKernel::rms_norm : RowKernel::layer_norm,
         tokens_, hidden, traffic);
  writer_.end();
}

void Transformer::norm_backward(int32_t sequence, int32_t parameter, const GradientReady& gradient_ready) {
  const int64_t hidden = job_.model->hidden;
  const bool rms = job_.model->rms_norm;
  const double tensor = 2.0 * static_cast<double>(tokens_ * hidden);
  node(rms ? "FusedRmsNormBackward0" : "NativeLayerNormBackward0", sequence);
  writer_.op(rms ? "aten::_fused_rms_norm_backward" : "aten::native_layer_norm_backward", kBackwardOpNs,
             dims({{tokens_, hidden}, {tokens_, hidden}}));
  writer_.launch(kLaunch, kLaunchNs, row_kernel(RowKernel::norm_grad_input, tokens_, hidden),
                 hardware::stream_time(3 * tensor, *job_.gpu));
  writer_.launch(kLaunch, kLaunchNs, row_kernel(RowKernel::norm_grad_weight, tokens_, hidden),
                 hardware::stream_time(2 * tensor, *job_.gpu));
  writer_.end(1'500);
  end_node();
  gradient_ready(parameter);
}

void Transformer::rotary(int32_t sequence, bool forward) {
  const Model& model = *job_.model;
  const int64_t n = tokens_ * model.head_dim * (model.heads + model.kv_heads);
  const std::string_view name = forward ? "ApplyRotaryEmb" : "ApplyRotaryEmbBackward";
  if (forward) {
    writer_.op(name, 9'000, dims({{job_.batch, job_.seq_len, model.heads, model.head_dim}}), {}, sequence);
  } else {
    node(name, sequence, 7'000);
  }
  writer_.launch("cuLaunchKernelEx", kLaunchExNs, row_kernel(RowKernel::rotary, tokens_, model.head_dim),
                 hardware::stream_time(4.0 * static_cast<double>(n), *job_.gpu));
  if (forward) {
    writer_.end();
  } else {
    end_node();
  }
}

void Transformer::attention_forward(int32_t sequence) {
  if (job_.attention == Attention::math) {
    write_math_attention_forward(job_, software_, sequence, writer_);
    return;
  }
  const Model& model = *job_.model;
  const std::string shape = dims({{job_.batch, model.heads, job_.seq_len, model.head_dim},
                                  {job_.batch, model.kv_heads, job_.seq_len, model.head_dim},
                                  {job_.batch, model.kv_heads, job_.seq_len, model.head_dim}});
  writer_.op("aten::scaled_dot_product_attention", 6'000, shape, types({kBf16, kBf16, kBf16}), sequence);
  writer_.op("aten::_scaled_dot_product_flash_attention", 5'000, shape);
  writer_.op("aten::_flash_attention_forward", 9'000, shape);
  writer_.leaf("aten::empty", 3'500);
  writer_.launch(kLaunch, kLaunchNs, flash_forward_kernel(job_.batch, model.heads, job_.seq_len, model.head_dim),
                 hardware::attention_forward_time(job_.batch, model.heads, job_.seq_len, model.head_dim, *job_.gpu));
  writer_.end(1'500);
  writer_.end();
  writer_.end();
}

void Transformer::attention_backward(int32_t sequence) {
  if (job_.attention == Attention::math) {
    write_math_attention_backward(job_, software_, sequence, writer_);
    return;
  }
  const Model& model = *job_.model;
  const double tensor = 2.0 * static_cast<double>(tokens_ * model.heads * model.head_dim);
  const auto part = [&](FlashBackwardPart which, const hardware::KernelTime& time) {
    writer_.launch(kLaunch, kLaunchNs,
                   flash_backward_kernel(which, job_.batch, model.heads, job_.seq_len, model.head_dim), time);
  };
  node("ScaledDotProductFlashAttentionBackward0", sequence);
  writer_.op("aten::_scaled_dot_product_flash_attention_backward", 5'000);
  writer_.op("aten::_flash_attention_backward", 9'000, dims({{job_.batch, model.heads, job_.seq_len, model.head_dim}}));
  part(FlashBackwardPart::dot_do_o, hardware::stream_time(2 * tensor, *job_.gpu));
  part(FlashBackwardPart::main,
       hardware::attention_backward_time(job_.batch, model.heads, job_.seq_len, model.head_dim, *job_.gpu));
  part(FlashBackwardPart::convert_dq, hardware::stream_time(3 * tensor, *job_.gpu));
  writer_.end(1'500);
  writer_.end();
  end_node();
}

void Transformer::mlp_activation_forward(int32_t sequence) {
  const int64_t n = tokens_ * job_.model->ffn_hidden;
  if (!job_.model->gated_mlp) {
    pointwise("aten::gelu", Pointwise::gelu, n, 4, sequence + slot_activation);
    return;
  }
  pointwise("aten::silu", Pointwise::silu, n, 4, sequence + slot_activation);
  pointwise("aten::mul", Pointwise::multiply, n, 6, sequence + slot_product);
}

void Transformer::mlp_activation_backward(int32_t sequence) {
  const int64_t n = tokens_ * job_.model->ffn_hidden;
  if (!job_.model->gated_mlp) {
    node("GeluBackward0", sequence + slot_activation);
    pointwise("aten::gelu_backward", Pointwise::gelu_backward, n, 6);
    end_node();
    return;
  }
  node("MulBackward0", sequence + slot_product);
  pointwise("aten::mul", Pointwise::multiply, n, 6);
  pointwise("aten::mul", Pointwise::multiply, n, 6);
  end_node();
  node("SiluBackward0", sequence + slot_activation);
  pointwise("aten::silu_backward", Pointwise::silu_backward, n, 6);
  end_node();
  node("SplitBackward0", -1);
  row_op("aten::cat", RowKernel::concatenate, tokens_, 2 * int64_t{job_.model->ffn_hidden},
         8.0 * static_cast<double>(n));
  end_node();
}

void Transformer::residual_add(int32_t sequence) {
  pointwise("aten::add", Pointwise::add, tokens_ * job_.model->hidden, 6, sequence);
}

// Of what a branch has added to: after the second one of each layer, or after both.
void Transformer::log_activations(int32_t branch) {
  const Metrics& metrics = job_.metrics;
  if (metrics.of != Metrics::Of::activations || branch + metrics.per_layer < 2) return;
  write_metric(metrics, tokens_, job_.model->hidden, trace::DType::bfloat16, *job_.gpu, writer_);
}

// Both branches' gradients are summed where they meet.
void Transformer::residual_gradient() { pointwise("aten::add", Pointwise::add, tokens_ * job_.model->hidden, 6); }

void Transformer::embedding_forward() {
  const int64_t hidden = job_.model->hidden;
  writer_.op("aten::embedding", 6'000, dims({{job_.model->vocab, hidden}, {job_.batch, job_.seq_len}}), {},
             kEmbeddingSequence);
  row_op("aten::index_select", RowKernel::embedding, tokens_, hidden, 4.0 * static_cast<double>(tokens_ * hidden));
  writer_.end();
}

void Transformer::embedding_backward(const GradientReady& gradient_ready) {
  const int64_t hidden = job_.model->hidden;
  node("EmbeddingBackward0", kEmbeddingSequence);
  writer_.op("aten::embedding_backward", 4'000);
  writer_.op("aten::embedding_dense_backward", 12'000, dims({{tokens_, hidden}, {job_.batch, job_.seq_len}}));
  for (int pass = 0; pass < 2; ++pass) {
    writer_.launch(kLaunch, kLaunchNs, row_kernel(RowKernel::embedding_sort, tokens_, 1),
                   hardware::stream_time(32.0 * static_cast<double>(tokens_), *job_.gpu));
  }
  writer_.launch(kLaunch, kLaunchNs, row_kernel(RowKernel::embedding_backward, tokens_, hidden),
                 hardware::stream_time(2.0 * static_cast<double>((tokens_ + job_.model->vocab) * hidden), *job_.gpu));
  writer_.end(2'000);
  writer_.end();
  end_node();
  gradient_ready(0);
}

void Transformer::loss_forward() {
  const int64_t vocab = job_.model->vocab;
  const auto logits = static_cast<double>(tokens_ * vocab);
  pointwise("aten::to", Pointwise::cast_to_float, tokens_ * vocab, 6, sequence_count() - 2);
  writer_.op("aten::cross_entropy_loss", 9'000, dims({{tokens_, vocab}, {tokens_}}), {}, sequence_count() - 1);
  row_op("aten::_log_softmax", RowKernel::softmax_forward, tokens_, vocab, 12 * logits);
  row_op("aten::nll_loss_forward", RowKernel::nll_forward, tokens_, vocab, 12.0 * static_cast<double>(tokens_), 9'000);
  writer_.end();
}

void Transformer::loss_backward() {
  const int64_t vocab = job_.model->vocab;
  const auto logits = static_cast<double>(tokens_ * vocab);
  node("NllLossBackward0", -1);
  row_op("aten::nll_loss_backward", RowKernel::nll_backward, tokens_, vocab, 12.0 * static_cast<double>(tokens_),
         7'000);
  end_node();
  node("LogSoftmaxBackward0", sequence_count() - 1);
  row_op("aten::_log_softmax_backward_data", RowKernel::softmax_backward, tokens_, vocab, 12 * logits);
  end_node();
  node("ToCopyBackward0", sequence_count() - 2);
  pointwise("aten::to", Pointwise::cast_to_bf16, tokens_ * vocab, 6);
  end_node();
}

int32_t Transformer::block_count() const { return job_.model->layers + 2; }

int32_t Transformer::first_parameter(int32_t block) const {
  const int32_t layers = job_.model->layers;
  if (block <= 0) return 0;
  if (block <= layers + 1) return 1 + (block - 1) * kParametersPerLayer;
  return static_cast<int32_t>(parameters_.size());
}

int64_t Transformer::output_bytes(int32_t block) const {
  return block + 1 < block_count() ? 2 * tokens_ * job_.model->hidden : 0;
}

std::vector<InputTensor> Transformer::inputs() const {
  const InputTensor ids = {dims({{job_.batch, job_.seq_len}}), tokens_ * 8};
  return {ids, ids};  // tokens and labels, int64
}

void Transformer::layer_forward(int32_t index) {
  const Layer now = layer(index);
  norm_forward(now.sequence + slot_norm1);
  linear_forward(now.qkv);
  if (job_.model->gated_mlp) rotary(now.sequence + slot_rotary, true);
  attention_forward(now.sequence + slot_attention);
  linear_forward(now.projection);
  residual_add(now.sequence + slot_residual1);
  log_activations(0);
  norm_forward(now.sequence + slot_norm2);
  linear_forward(now.up);
  mlp_activation_forward(now.sequence);
  linear_forward(now.down);
  residual_add(now.sequence + slot_residual2);
  log_activations(1);
}

void Transformer::head_forward() {
  norm_forward(sequence_count() - 4);
  linear_forward(head());
  loss_forward();
}

void Transformer::forward(int32_t first, int32_t last) {
  for (int32_t block = first; block < last; ++block) {
    if (block == 0) {
      embedding_forward();
    } else if (block + 1 < block_count()) {
      layer_forward(block - 1);
    } else {
      head_forward();
    }
  }
}

void Transformer::head_backward(const GradientReady& gradient_ready) {
  loss_backward();
  // A tied head's gradient is only a part of the embedding's: it is not ready before the embedding's own.
  const GradientReady not_yet = [](int32_t) {};
  linear_backward(head(), job_.model->tied_embeddings ? not_yet : gradient_ready);
  norm_backward(sequence_count() - 4, 1 + job_.model->layers * kParametersPerLayer, gradient_ready);
}

void Transformer::layer_backward(int32_t index, const GradientReady& gradient_ready) {
  const Layer now = layer(index);
  linear_backward(now.down, gradient_ready);
  mlp_activation_backward(now.sequence);
  linear_backward(now.up, gradient_ready);
  norm_backward(now.sequence + slot_norm2, now.norm2, gradient_ready);
  residual_gradient();
  linear_backward(now.projection, gradient_ready);
  attention_backward(now.sequence + slot_attention);
  if (job_.model->gated_mlp) rotary(now.sequence + slot_rotary, false);
  linear_backward(now.qkv, gradient_ready);
  norm_backward(now.sequence + slot_norm1, now.norm1, gradient_ready);
  residual_gradient();
}

void Transformer::backward(int32_t first, int32_t last, const GradientReady& gradient_ready) {
  for (int32_t block = last - 1; block >= first; --block) {
    if (block == 0) {
      embedding_backward(gradient_ready);
    } else if (block + 1 < block_count()) {
      layer_backward(block - 1, gradient_ready);
    } else {
      head_backward(gradient_ready);
    }
  }
}

std::unique_ptr<ModelWriter> make_model_writer(const Job& job, const Software& software, ProgramWriter& writer) {
  return std::make_unique<Transformer>(job, software, writer);
}

}  // namespace td::sim
