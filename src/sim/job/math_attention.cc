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
// Rows up to this length fit in a warp's registers: PyTorch's persistent softmax.
constexpr int64_t kWarpSoftmaxColumns = 1024;

// Names as PyTorch's own kernels have them in traces; the launch shapes are those of its launchers.
KernelShape elementwise_shape(std::string name, int64_t n) {
  return {.name = std::move(name),
          .grid = {static_cast<uint32_t>((n + 511) / 512), 1, 1},
          .block = {128, 1, 1},
          .registers_per_thread = 32};
}

std::string scale_name() {
  const std::string functor =
      "at::native::AUnaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, "
      "at::native::binary_internal::MulFunctor<float> >";
  return "void at::native::vectorized_elementwise_kernel<4, " + functor + ", std::array<char*, 2ul> >(int, " + functor +
         ", std::array<char*, 2ul>)";
}

// A mask that is broadcast over the heads takes the kernel with strides.
std::string add_mask_name() {
  const std::string functor = "at::native::CUDAFunctor_add<c10::BFloat16>";
  return "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<" + functor +
         " >(at::TensorIteratorBase&, " + functor +
         " const&)::{lambda(int)#1}>(int, at::native::gpu_kernel_impl_nocast<" + functor +
         " >(at::TensorIteratorBase&, " + functor + " const&)::{lambda(int)#1})";
}

std::string repeat_name() {
  return "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<"
         "at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() "
         "const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1}>(at::TensorIteratorBase&, "
         "at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() "
         "const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1} const&)::{lambda(int)#1}>(int)";
}

std::string reduce_name() {
  return "void at::native::reduce_kernel<128, 4, at::native::ReduceOp<c10::BFloat16, at::native::func_wrapper_t<"
         "c10::BFloat16, at::native::sum_functor<c10::BFloat16, float, c10::BFloat16>::operator()("
         "at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, c10::BFloat16, 4, 4> >(...)";
}

KernelShape dropout_shape(int64_t n, const hardware::Gpu& gpu) {
  return {.name =
              "void at::native::(anonymous namespace)::fused_dropout_kernel_vec<c10::BFloat16, float, unsigned int, 1, "
              "4, bool>(at::cuda::detail::TensorInfo<c10::BFloat16 const, unsigned int>, "
              "at::cuda::detail::TensorInfo<c10::BFloat16, unsigned int>, at::cuda::detail::TensorInfo<bool, unsigned "
              "int>, unsigned int, float, at::PhiloxCudaState)",
          .grid = {static_cast<uint32_t>(std::min<int64_t>((n + 1023) / 1024, int64_t{gpu.sm_count} * 8)), 1, 1},
          .block = {256, 1, 1},
          .registers_per_thread = 40};
}

std::string dropout_backward_name() {
  const std::string functor =
      "at::native::(anonymous namespace)::masked_scale_kernel<bool, c10::BFloat16, float>(at::Tensor&, at::Tensor "
      "const&, at::Tensor const&, float)::{lambda(c10::BFloat16, bool)#1}";
  return "void at::native::vectorized_elementwise_kernel<4, " + functor + ", std::array<char*, 3ul> >(int, " + functor +
         ", std::array<char*, 3ul>)";
}

KernelShape softmax_shape(bool forward, int64_t rows, int64_t columns) {
  if (columns <= kWarpSoftmaxColumns) {
    return {.name = forward ? "void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, false, "
                              "false>(float*, float const*, int, int, int, bool const*, int, bool)"
                            : "void (anonymous namespace)::softmax_warp_backward<float, float, float, 10, false, "
                              "false>(float*, float const*, float const*, int, int, int, bool const*)",
            .grid = {static_cast<uint32_t>((rows + 3) / 4), 1, 1},
            .block = {32, 4, 1},
            .registers_per_thread = 64};
  }
  return {.name = forward ? "void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float, float, float, "
                            "at::native::(anonymous namespace)::SoftMaxForwardEpilogue>(float*, float const*, int)"
                          : "void at::native::(anonymous namespace)::cunn_SoftMaxBackward<4, float, float, float, "
                            "at::native::(anonymous namespace)::SoftMaxBackwardEpilogue>(float*, float const*, float "
                            "const*, long)",
          .grid = {static_cast<uint32_t>(rows), 1, 1},
          .block = {static_cast<uint32_t>(std::min<int64_t>(1024, columns / 4)), 1, 1},
          .registers_per_thread = 32,
          .shared_memory_bytes = 128};
}

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
    over_scores("aten::mul", shape({{}}), types({kBf16, kScalar}), elementwise_shape(scale_name(), scores_), 4);
    add_mask();
    cast(true);
    over_scores("aten::_softmax", shape({{}, {}}), types({kFloat, kScalar, kScalar}),
                softmax_shape(true, scores_ / seq_, seq_), 8);
    cast(false);
    if (has_attention_dropout(model_)) {
      over_scores("aten::native_dropout", shape({{}, {}}), types({kBf16, kScalar, kScalar}),
                  dropout_shape(scores_, *job_.gpu), 5);
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
                  elementwise_shape(dropout_backward_name(), scores_), 5);
      end_node();
    }
    node("ToCopyBackward0", -1);
    cast(true);
    end_node();
    node("SoftmaxBackward0", -1);
    over_scores("aten::_softmax_backward_data", two(), types({kFloat, kFloat, kScalar, kScalar}),
                softmax_shape(false, scores_ / seq_, seq_), 12);
    end_node();
    node("ToCopyBackward0", -1);
    cast(false);
    end_node();
    node("MulBackward0", -1);
    over_scores("aten::mul", shape({{}}), types({kBf16, kScalar}), elementwise_shape(scale_name(), scores_), 4);
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
    over_scores("aten::add", shapes, types({kBf16, kBf16, kScalar}), elementwise_shape(add_mask_name(), scores_), 4);
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
      writer_.launch("cudaLaunchKernel", kLaunchNs, elementwise_shape(repeat_name(), n),
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
      writer_.launch("cudaLaunchKernel", kLaunchNs, elementwise_shape(reduce_name(), written),
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
