#include "sim/job/math_attention.h"

#include <algorithm>
#include <string>

#include "hardware/formula/kernel_time.h"

namespace td::sim {
namespace {

constexpr TimeNs kLaunchNs = 4'600;
constexpr TimeNs kLaunchExNs = 5'800;
constexpr TimeNs kDispatchNs = 6'500;
constexpr std::string_view kBf16 = "c10::BFloat16";
constexpr std::string_view kFloat = "float";
constexpr std::string_view kScalar = "Scalar";
class MathAttention {
 public:
  MathAttention(const Job& job, const Software& software, ProgramWriter& writer)
      : job_(job),
        software_(software),
        writer_(writer),
        model_(*job.model),
        scores_(attention_scores(job)),
        batch_(int64_t{job.batch} * model_.heads),
        seq_(job.seq_len),
        depth_(model_.head_dim) {}

  void forward(int32_t sequence) {
    repeat_heads();
    writer_.op("aten::matmul", 5'000, {}, {}, sequence);
    bmm(GemmLayout::tn, seq_, seq_, depth_);
    writer_.end();
    over_scores("aten::mul", shape({{}}), types({kBf16, kScalar}),
                pointwise_kernel(Pointwise::div_bf16, scores_, software_), 4);
    add_mask();
    cast(true);
    over_scores("aten::_softmax", shape({{}, {}}), types({kFloat, kScalar, kScalar}),
                softmax_kernel(false, true, scores_ / seq_, seq_), 8);
    cast(false);
    if (has_attention_dropout(model_)) {
      over_scores("aten::native_dropout", shape({{}, {}}), types({kBf16, kScalar, kScalar}),
                  dropout_kernel(scores_, *job_.gpu), 5);
    }
    writer_.op("aten::matmul", 5'000);
    bmm(GemmLayout::nn, seq_, depth_, seq_);
    writer_.end();
  }

  void backward(int32_t sequence) {
    node("BmmBackward0", -1);
    bmm(GemmLayout::nt, seq_, depth_, seq_);  // of v
    bmm(GemmLayout::tn, seq_, seq_, depth_);  // of the probabilities
    end_node();
    if (has_attention_dropout(model_)) {
      node("NativeDropoutBackward0", -1);
      over_scores("aten::native_dropout_backward", two(), types({kBf16, "bool", kScalar}),
                  pointwise_kernel(Pointwise::dropout_backward, scores_, software_), 5);
      end_node();
    }
    node("ToCopyBackward0", -1);
    cast(true);
    end_node();
    node("SoftmaxBackward0", -1);
    over_scores("aten::_softmax_backward_data", two(), types({kFloat, kFloat, kScalar, kScalar}),
                softmax_kernel(false, false, scores_ / seq_, seq_), 12);
    end_node();
    node("ToCopyBackward0", -1);
    cast(false);
    end_node();
    node("MulBackward0", -1);
    over_scores("aten::mul", shape({{}}), types({kBf16, kScalar}),
                pointwise_kernel(Pointwise::div_bf16, scores_, software_), 4);
    end_node();
    node("BmmBackward0", sequence);
    bmm(GemmLayout::nn, seq_, depth_, seq_);  // of q
    bmm(GemmLayout::nt, seq_, depth_, seq_);  // of k
    end_node();
    sum_heads();
  }

 private:
  // The scores, then scalars or nothing.
  [[nodiscard]] std::string shape(std::initializer_list<Dims> rest) const {
    std::string text = "[" + score_dims();
    for (size_t i = 0; i < rest.size(); ++i) text += ",[]";
    return text + "]";
  }
  [[nodiscard]] std::string two() const { return "[" + score_dims() + "," + score_dims() + ",[],[]]"; }
  [[nodiscard]] std::string score_dims() const {
    const std::string dims_text = dims({{job_.batch, model_.heads, seq_, seq_}});
    return dims_text.substr(1, dims_text.size() - 2);
  }

  void node(std::string_view name, int32_t sequence) {
    writer_.op("autograd::engine::evaluate_function: " + std::string(name), 5'000, {}, {}, sequence);
    writer_.op(name, 5'000);
  }
  void end_node() {
    writer_.end(800);
    writer_.end(1'500);
  }

  void over_scores(std::string_view op, const std::string& shapes, const std::string& types_text,
                   const KernelShape& kernel, int bytes_a_score) {
    writer_.op(op, kDispatchNs, shapes, types_text);
    writer_.launch("cudaLaunchKernel", kLaunchNs, kernel,
                   hardware::stream_time(static_cast<double>(scores_) * bytes_a_score, *job_.gpu));
    writer_.end(1'500);
  }

  // The causal mask is one for all heads.
  void add_mask() {
    const std::string shapes = dims({{job_.batch, model_.heads, seq_, seq_}, {1, 1, seq_, seq_}, {}});
    over_scores("aten::add", shapes, types({kBf16, kBf16, kScalar}),
                pointwise_kernel(Pointwise::add_broadcast, scores_, software_), 4);
  }

  // copy_(to, from)
  void cast(bool to_float) {
    writer_.op("aten::to", 2'500);
    writer_.op("aten::_to_copy", 3'500);
    const Pointwise kind = to_float ? Pointwise::cast_to_float : Pointwise::cast_to_bf16;
    over_scores("aten::copy_", two(), to_float ? types({kFloat, kBf16, kScalar}) : types({kBf16, kFloat, kScalar}),
                pointwise_kernel(kind, scores_, software_), 6);
    writer_.end();
    writer_.end();
  }

  void bmm(GemmLayout layout, int64_t m, int64_t n, int64_t k) {
    writer_.op("aten::bmm", 9'000, dims({{batch_, m, k}, {batch_, k, n}}), types({kBf16, kBf16}));
    KernelShape kernel = gemm_kernel(layout, m, n, false, *job_.gpu, software_);
    kernel.grid[2] = static_cast<uint32_t>(batch_);
    writer_.launch(gemm_launch_call(*job_.gpu, software_), kLaunchExNs, kernel,
                   hardware::batched_gemm_time(batch_, m, n, k, 2, *job_.gpu));
    writer_.end(2'000);
  }

  // Keys and values of grouped heads are written out for each head.
  void repeat_heads() {
    if (model_.kv_heads == model_.heads) return;
    const int64_t n = batch_ * seq_ * depth_;
    const int64_t read = int64_t{job_.batch} * model_.kv_heads * seq_ * depth_;
    for (int tensor = 0; tensor < 2; ++tensor) {
      const std::string shapes = dims({{batch_, seq_, depth_}, {batch_, seq_, depth_}, {}});
      writer_.op("aten::clone", 5'000);
      writer_.op("aten::copy_", kDispatchNs, shapes, types({kBf16, kBf16, kScalar}));
      writer_.launch("cudaLaunchKernel", kLaunchNs, pointwise_kernel(Pointwise::strided_copy, n, software_),
                     hardware::stream_time(2.0 * static_cast<double>(n + read), *job_.gpu));
      writer_.end(1'500);
      writer_.end();
    }
  }
  void sum_heads() {
    if (model_.kv_heads == model_.heads) return;
    const int64_t n = batch_ * seq_ * depth_;
    const int64_t written = int64_t{job_.batch} * model_.kv_heads * seq_ * depth_;
    for (int tensor = 0; tensor < 2; ++tensor) {
      node("ExpandBackward0", -1);
      writer_.op("aten::sum", kDispatchNs, dims({{batch_, seq_, depth_}}), types({kBf16}));
      writer_.launch("cudaLaunchKernel", kLaunchNs,
                     row_kernel(RowKernel::column_sum, int64_t{model_.heads / model_.kv_heads}, written),
                     hardware::stream_time(2.0 * static_cast<double>(n + written), *job_.gpu));
      writer_.end(1'500);
      end_node();
    }
  }

  const Job& job_;
  const Software& software_;
  ProgramWriter& writer_;
  const Model& model_;
  int64_t scores_;
  int64_t batch_;
  int64_t seq_;
  int64_t depth_;
};

}  // namespace

int64_t attention_scores(const Job& job) { return int64_t{job.batch} * job.model->heads * job.seq_len * job.seq_len; }

bool has_attention_dropout(const Model& model) { return !model.gated_mlp; }

int64_t bytes_per_score(const Model& model) {
  // Forward: GEMM 2, scale 4, mask 4, cast 6, softmax 8, cast 6, GEMM 2. Backward: GEMMs 2 + 2, cast 6, softmax 12,
  // cast 6, scale 4, GEMMs 2 + 2. Dropout: 5 and 5.
  return 32 + 36 + (has_attention_dropout(model) ? 10 : 0);
}

void write_math_attention_forward(const Job& job, const Software& software, int32_t sequence, ProgramWriter& writer) {
  MathAttention(job, software, writer).forward(sequence);
}

void write_math_attention_backward(const Job& job, const Software& software, int32_t sequence, ProgramWriter& writer) {
  MathAttention(job, software, writer).backward(sequence);
}

}  // namespace td::sim
