// Kernels that stream tensors: elementwise, rows, reductions.
#include <algorithm>

#include "sim/job/kernel_names.h"

namespace td::sim {
namespace {

uint32_t blocks(int64_t n, int64_t per_block) {
  return static_cast<uint32_t>(std::max<int64_t>(1, (n + per_block - 1) / per_block));
}

// `tensors` operands, the output included.
std::string functor_kernel(std::string_view functor, const Software& software, int tensors = 3) {
  const std::string array = software.std_array ? "std::array<char*, " + std::to_string(tensors) + "ul>"
                                               : "at::detail::Array<char*, " + std::to_string(tensors) + ">";
  return "void at::native::vectorized_elementwise_kernel<4, " + std::string(functor) + ", " + array + " >(int, " +
         std::string(functor) + ", " + array + ")";
}

std::string cast_kernel(std::string_view to) {
  return "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::"
         "{lambda()#3}::operator()() const::{lambda()#12}::operator()() const::{lambda(" +
         std::string(to) +
         ")#1}, std::array<char*, 2ul>, 4, TrivialOffsetCalculator<1, unsigned int>, TrivialOffsetCalculator<1, "
         "unsigned int>, at::native::memory::LoadWithCast<1>, at::native::memory::StoreWithCast<1> >";
}

// Operands with strides (one is broadcast, or not contiguous).
std::string strided_kernel(std::string_view functor) {
  const std::string impl = "at::native::gpu_kernel_impl_nocast<" + std::string(functor) +
                           " >(at::TensorIteratorBase&, " + std::string(functor) + " const&)::{lambda(int)#1}";
  return "void at::native::elementwise_kernel<128, 4, " + impl + ">(int, " + impl + ")";
}

}  // namespace

// A table in the shape of a switch: one case a kind.
// NOLINTNEXTLINE(readability-function-size)
KernelShape pointwise_kernel(Pointwise kind, int64_t n, const Software& software) {
  KernelShape shape{.name = {}, .grid = {blocks(n, 512), 1, 1}, .block = {128, 1, 1}, .registers_per_thread = 32};
  switch (kind) {
    case Pointwise::add:
      shape.name = functor_kernel("at::native::CUDAFunctor_add<c10::BFloat16>", software);
      break;
    case Pointwise::multiply:
      shape.name = functor_kernel(
          "at::native::BinaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, "
          "at::native::binary_internal::MulFunctor<float> >",
          software);
      break;
    case Pointwise::gelu:
      shape.name = functor_kernel(
          "at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}::operator()() "
          "const::{lambda()#4}::operator()() const::{lambda(c10::BFloat16)#1}",
          software, 2);
      break;
    case Pointwise::gelu_backward:
      shape.name = functor_kernel(
          "at::native::GeluBackwardCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}::"
          "operator()() const::{lambda()#4}::operator()() const::{lambda(c10::BFloat16, c10::BFloat16)#1}",
          software);
      break;
    case Pointwise::silu:
      shape.name = functor_kernel(
          "at::native::(anonymous namespace)::silu_kernel(at::TensorIteratorBase&)::{lambda()#1}::operator()() "
          "const::{lambda()#6}::operator()() const::{lambda(c10::BFloat16)#1}",
          software, 2);
      break;
    case Pointwise::silu_backward:
      shape.name = functor_kernel(
          "at::native::(anonymous namespace)::silu_backward_kernel(at::TensorIteratorBase&)::{lambda()#1}::"
          "operator()() const::{lambda()#6}::operator()() const::{lambda(c10::BFloat16, c10::BFloat16)#1}",
          software);
      break;
    case Pointwise::cast_to_float:
      shape.name = cast_kernel("float");
      break;
    case Pointwise::cast_to_bf16:
      shape.name = cast_kernel("c10::BFloat16");
      break;
    case Pointwise::div_float:
      shape.name = functor_kernel(
          "at::native::AUnaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> >", software,
          2);
      break;
    case Pointwise::div_bf16:
      shape.name = functor_kernel(
          "at::native::AUnaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, "
          "at::native::binary_internal::MulFunctor<float> >",
          software, 2);
      break;
    case Pointwise::relu:
      shape.name = functor_kernel(
          "at::native::(anonymous namespace)::launch_clamp_scalar(at::TensorIteratorBase&, c10::Scalar, c10::Scalar, "
          "at::native::detail::ClampLimits)::{lambda()#1}::operator()() const::{lambda()#13}::operator()() "
          "const::{lambda(c10::BFloat16)#1}",
          software, 2);
      break;
    case Pointwise::relu_backward:
      shape.name = functor_kernel(
          "at::native::BinaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, at::native::(anonymous "
          "namespace)::threshold_kernel_impl<c10::BFloat16>(at::TensorIteratorBase&, c10::BFloat16, "
          "c10::BFloat16)::{lambda(c10::BFloat16, c10::BFloat16)#1}>",
          software);
      break;
    case Pointwise::sigmoid:
      shape.name = functor_kernel(
          "at::native::sigmoid_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}::operator()() "
          "const::{lambda()#4}::operator()() const::{lambda(c10::BFloat16)#1}",
          software, 2);
      break;
    case Pointwise::sigmoid_backward:
      shape.name = functor_kernel(
          "at::native::sigmoid_backward_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}::operator()() "
          "const::{lambda()#4}::operator()() const::{lambda(c10::BFloat16, c10::BFloat16)#1}",
          software);
      break;
    case Pointwise::tanh:
      shape.name = functor_kernel(
          "at::native::tanh_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}::operator()() "
          "const::{lambda()#4}::operator()() const::{lambda(c10::BFloat16)#1}",
          software, 2);
      break;
    case Pointwise::tanh_backward:
      shape.name = functor_kernel(
          "at::native::tanh_backward_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}::operator()() "
          "const::{lambda()#4}::operator()() const::{lambda(c10::BFloat16, c10::BFloat16)#1}",
          software);
      break;
    case Pointwise::add_broadcast:
      shape.name = strided_kernel("at::native::CUDAFunctor_add<c10::BFloat16>");
      break;
    case Pointwise::multiply_broadcast:
      shape.name = strided_kernel(
          "at::native::BinaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, "
          "at::native::binary_internal::MulFunctor<float> >");
      break;
    case Pointwise::strided_copy:
      shape.name = strided_kernel(
          "at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() "
          "const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1}");
      break;
    case Pointwise::dropout_backward:
      shape.name = functor_kernel(
          "at::native::(anonymous namespace)::masked_scale_kernel<bool, c10::BFloat16, float>(at::Tensor&, at::Tensor "
          "const&, at::Tensor const&, float)::{lambda(c10::BFloat16, bool)#1}",
          software);
      break;
    case Pointwise::squared_error:
      shape.name = functor_kernel(
          "at::native::mse_kernel_cuda(at::TensorIteratorBase&)::{lambda()#1}::operator()() "
          "const::{lambda()#2}::operator()() const::{lambda(float, float)#1}",
          software);
      break;
    case Pointwise::squared_error_backward:
      shape.name = strided_kernel(
          "at::native::mse_backward_cuda_kernel(at::TensorIterator&, c10::Scalar const&)::{lambda()#1}::operator()() "
          "const::{lambda()#2}::operator()() const::{lambda(float, float, float)#1}");
      break;
    case Pointwise::log_sigmoid:
      shape.name = functor_kernel(
          "at::native::launch_log_sigmoid_forward_kernel(at::TensorIteratorBase&)::{lambda()#1}::operator()() "
          "const::{lambda()#2}::operator()() const::{lambda(float)#1}",
          software, 2);
      break;
    case Pointwise::multiply_float:
      shape.name = functor_kernel(
          "at::native::BinaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> >", software);
      break;
    case Pointwise::add_one:
      shape.name = functor_kernel("at::native::CUDAFunctorOnSelf_add<long>", software, 2);
      break;
    case Pointwise::sine:
      shape.name = functor_kernel(
          "at::native::sin_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}::operator()() "
          "const::{lambda()#2}::operator()() const::{lambda(float)#1}",
          software, 2);
      break;
    case Pointwise::power:
      shape.name = functor_kernel(
          "at::native::(anonymous namespace)::pow_tensor_scalar_kernel_impl<float, float>(at::TensorIteratorBase&, "
          "float)::{lambda(float)#1}",
          software, 2);
      break;
    case Pointwise::logarithm:
      shape.name = functor_kernel(
          "at::native::log10_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}::operator()() "
          "const::{lambda()#2}::operator()() const::{lambda(float)#1}",
          software, 2);
      break;
  }
  return shape;
}

// A table in the shape of a switch: one case a kind.
// NOLINTNEXTLINE(readability-function-size)
KernelShape row_kernel(RowKernel kind, int64_t rows, int64_t columns) {
  const auto by_row = static_cast<uint32_t>(rows);
  switch (kind) {
    case RowKernel::layer_norm:
      return {
          "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float, false>(int, "
          "float, c10::BFloat16 const*, c10::BFloat16 const*, c10::BFloat16 const*, float*, float*, "
          "c10::BFloat16*)",
          {by_row, 1, 1},
          {32, 4, 1},
          40,
          24};
    case RowKernel::rms_norm:
      return {
          "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float, true>(int, "
          "float, c10::BFloat16 const*, c10::BFloat16 const*, c10::BFloat16 const*, float*, float*, "
          "c10::BFloat16*)",
          {by_row, 1, 1},
          {32, 4, 1},
          40,
          24};
    case RowKernel::norm_grad_input:
      return {
          "void at::native::(anonymous namespace)::layer_norm_grad_input_kernel_vectorized<c10::BFloat16, float>("
          "c10::BFloat16 const*, c10::BFloat16 const*, float const*, float const*, c10::BFloat16 const*, "
          "c10::BFloat16*, int)",
          {by_row, 1, 1},
          {128, 1, 1},
          32,
          512};
    case RowKernel::norm_grad_weight:
      return {
          "void at::native::(anonymous namespace)::GammaBetaBackwardCUDAKernelTemplate<c10::BFloat16, float, 32u, "
          "32u, 256u, false, true, true>(long, long, c10::BFloat16 const*, c10::BFloat16 const*, float const*, "
          "float const*, c10::BFloat16*, c10::BFloat16*)",
          {blocks(columns, 32), 1, 1},
          {32, 32, 1},
          48,
          8448};
    case RowKernel::nll_forward:
      return {
          "void at::native::(anonymous namespace)::nll_loss_forward_reduce_cuda_kernel_2d<float, float, long>("
          "float*, float*, float const*, long const*, float const*, bool, long, long, long, long)",
          {1, 1, 1},
          {32, 1, 1},
          30,
          256};
    case RowKernel::nll_backward:
      return {
          "void at::native::(anonymous namespace)::nll_loss_backward_reduce_cuda_kernel_2d<float, long>(float*, "
          "float const*, long const*, float const*, float const*, bool, int, int, long, long)",
          {1, 1, 1},
          {32, 1, 1},
          28,
          0};
    case RowKernel::rotary:
      return {"rotary_kernel", {blocks(rows, 32), 1, 1}, {128, 1, 1}, 56, 0};
    case RowKernel::embedding:
      return {
          "void at::native::(anonymous namespace)::vectorized_gather_kernel<16, long>(char*, char*, long*, int, "
          "long, long, long, long, bool)",
          {by_row, blocks(columns * 2, 4096), 1},
          {256, 1, 1},
          32,
          0};
    case RowKernel::embedding_sort:
      return {
          "void cub::CUB_200200_NS::DeviceRadixSortOnesweepKernel<cub::CUB_200200_NS::DeviceRadixSortPolicy<long, "
          "long, unsigned long long>::Policy900, false, long, long, unsigned long long, int, int>",
          {blocks(rows, 5760), 1, 1},
          {384, 1, 1},
          64,
          36864};
    case RowKernel::embedding_backward:
      return {
          "void at::native::(anonymous namespace)::compute_grad_weight<c10::BFloat16, long>(long const*, "
          "c10::BFloat16 const*, long const*, long, long, long const*, long const*, float*, long)",
          {blocks(rows * columns, 2048), 1, 1},
          {256, 1, 1},
          40,
          0};
    case RowKernel::concatenate:
      return {
          "void at::native::(anonymous namespace)::CatArrayBatchedCopy<at::native::(anonymous namespace)::"
          "OpaqueType<2u>, unsigned int, 2, 64, 64>(at::native::(anonymous namespace)::OpaqueType<2u>*, "
          "at::native::(anonymous namespace)::CatArrInputTensorMetadata<at::native::(anonymous namespace)::"
          "OpaqueType<2u>, unsigned int, 64, 64>, at::native::(anonymous namespace)::TensorSizeStride<unsigned "
          "int, 4u>, int, unsigned int)",
          {blocks(rows * columns, 16384), 2, 1},
          {512, 1, 1},
          36,
          0};
    case RowKernel::column_sum:
      return {
          "void at::native::reduce_kernel<128, 4, at::native::ReduceOp<c10::BFloat16, at::native::func_wrapper_t<"
          "c10::BFloat16, at::native::sum_functor<c10::BFloat16, float, c10::BFloat16>::operator()("
          "at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, c10::BFloat16, 4, 4> >(...)",
          {blocks(columns, 128), blocks(rows, 4096), 1},
          {32, 4, 1},
          46,
          2064};
    case RowKernel::pool:
      return {
          "void at::native::(anonymous namespace)::max_pool_forward_nhwc<c10::BFloat16>(c10::BFloat16 const*, int, "
          "long, long, long, int, int, int, int, int, int, int, int, int, int, int, int, int, int, c10::BFloat16*, "
          "long*)",
          {blocks(rows, 64), 1, 1},
          {64, 4, 1},
          40,
          16384};
    case RowKernel::pool_backward:
      return {
          "void at::native::(anonymous namespace)::max_pool_backward_nhwc<c10::BFloat16, float>(c10::BFloat16 const*, "
          "long const*, int, long, long, long, int, int, int, int, int, int, int, int, int, int, int, int, int, int, "
          "c10::BFloat16*)",
          {blocks(rows, 64), 1, 1},
          {64, 4, 1},
          40,
          16384};
    case RowKernel::upsample:
      return {
          "void at::native::(anonymous namespace)::upsample_nearest2d_nhwc_out_frame<c10::BFloat16, &at::native::"
          "nearest_neighbor_compute_source_index>(c10::BFloat16 const*, c10::BFloat16*, unsigned long, unsigned long, "
          "unsigned long, unsigned long, unsigned long, float, float, unsigned long)",
          {blocks(rows * columns, 1024), 1, 1},
          {1024, 1, 1},
          28,
          0};
    case RowKernel::upsample_backward:
      return {
          "void at::native::(anonymous namespace)::upsample_nearest2d_backward_nhwc_out_frame<c10::BFloat16, float, "
          "&at::native::nearest_neighbor_bw_compute_source_index>(c10::BFloat16 const*, c10::BFloat16*, unsigned long, "
          "unsigned long, unsigned long, unsigned long, unsigned long, float, float, unsigned long)",
          {blocks(rows * columns, 1024), 1, 1},
          {1024, 1, 1},
          28,
          0};
    case RowKernel::group_statistics:
      return {
          "void at::native::(anonymous namespace)::RowwiseMomentsCUDAKernel<c10::BFloat16, float>(long, float, "
          "c10::BFloat16 const*, c10::BFloat16*, c10::BFloat16*)",
          {by_row, 1, 1},
          {512, 1, 1},
          32,
          0};
    case RowKernel::group_gradient:
      return {
          "void at::native::(anonymous namespace)::ComputeInternalGradientsCUDAKernel<c10::BFloat16>(long, "
          "c10::BFloat16 const*, c10::BFloat16 const*, float*, float*)",
          {by_row, 1, 1},
          {512, 1, 1},
          32,
          0};
    case RowKernel::gather:
      return {
          "void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long, unsigned int, 2, 2, -2, "
          "true>(at::cuda::detail::TensorInfo<c10::BFloat16, unsigned int>, at::cuda::detail::TensorInfo<c10::BFloat16 "
          "const, unsigned int>, at::cuda::detail::TensorInfo<long const, unsigned int>, int, int, unsigned int, "
          "unsigned int, long)",
          {std::min(blocks(rows * columns, 128), 1056U), 1, 1},
          {128, 1, 1},
          32,
          0};
    case RowKernel::scatter_add:
      return {
          "void at::native::(anonymous namespace)::indexFuncLargeIndex<c10::BFloat16, long, unsigned int, 2, 2, -2, "
          "true, at::native::(anonymous namespace)::ReduceAdd>(at::cuda::detail::TensorInfo<c10::BFloat16, unsigned "
          "int>, at::cuda::detail::TensorInfo<c10::BFloat16 const, unsigned int>, "
          "at::cuda::detail::TensorInfo<long const, unsigned int>, int, int, unsigned int, unsigned int, long, long, "
          "at::native::(anonymous namespace)::ReduceAdd const&, c10::BFloat16)",
          {std::min(blocks(rows * columns, 128), 1056U), 1, 1},
          {128, 1, 1},
          32,
          0};
    case RowKernel::bag_forward:
      return {
          "void split_embedding_codegen_forward_unweighted_kernel<float, float, c10::BFloat16, long, 128ul>("
          "at::GenericPackedTensorAccessor<float, 1ul, at::RestrictPtrTraits, long>, ...)",
          {blocks(rows, 4), 1, 1},
          {32, 8, 1},
          56,
          0};
    case RowKernel::bag_backward:
      return {
          "void split_embedding_backward_codegen_rowwise_adagrad_unweighted_kernel_warp_per_row_1<float, "
          "c10::BFloat16, float, 128ul, 1, 32, false>(...)",
          {blocks(rows, 8), 1, 1},
          {32, 8, 1},
          72,
          4096};
    case RowKernel::offsets:
      return {
          "void cub::CUB_200200_NS::DeviceScanKernel<cub::CUB_200200_NS::DeviceScanPolicy<long>::Policy900, long "
          "const*, long*, cub::CUB_200200_NS::ScanTileState<long, true>, cub::CUB_200200_NS::Sum, "
          "cub::CUB_200200_NS::NullType, int>(...)",
          {blocks(rows, 1920), 1, 1},
          {128, 1, 1},
          56,
          15360};
    case RowKernel::fft:
      return {
          "void regular_fft<400u, EPT<20u>, CONSTRUCTED, 0, (padding_t)1, (twiddle_t)0, (loadstore_modifier_t)2, "
          "(layout_t)0, unsigned int, float>(kernel_arguments_t<unsigned int>)",
          {blocks(rows, 4), 1, 1},
          {80, 1, 1},
          62,
          6400};
    case RowKernel::transpose:
      return {
          "void cudnn::engines_precompiled::nchwToNhwcKernel<__nv_bfloat16, __nv_bfloat16, float, false, true, "
          "(cudnnKernelDataType_t)0>(cudnn::engines_precompiled::nchw2nhwc_params_t<float>, __nv_bfloat16 const*, "
          "__nv_bfloat16*)",
          {blocks(rows * columns, 1024), 1, 1},
          {256, 1, 1},
          32,
          2112};
    case RowKernel::mean:
      return {
          "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<c10::BFloat16, at::native::MeanOps<"
          "c10::BFloat16, float, float, c10::BFloat16>, unsigned int, c10::BFloat16, 4, 4> >(...)",
          {blocks(rows, 16), 1, 1},
          {32, 16, 1},
          32,
          16};
  }
  return {};
}

KernelShape softmax_kernel(bool logarithm, bool forward, int64_t rows, int64_t columns) {
  const std::string direction = forward ? "Forward" : "Backward";
  if (columns <= 1024) {
    // One warp a row, held in registers.
    const std::string log = logarithm ? "true" : "false";
    return {.name = forward ? "void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, " + log +
                                  ", false>(float*, float const*, int, int, int, bool const*, int, bool)"
                            : "void (anonymous namespace)::softmax_warp_backward<float, float, float, 10, " + log +
                                  ", false>(float*, float const*, float const*, int, int, int, bool const*)",
            .grid = {blocks(rows, 4), 1, 1},
            .block = {32, 4, 1},
            .registers_per_thread = 64};
  }
  const std::string epilogue = std::string(logarithm ? "LogSoftMax" : "SoftMax") + direction + "Epilogue";
  return {.name = "void at::native::(anonymous namespace)::cunn_SoftMax" + direction +
                  "<4, float, float, float, at::native::(anonymous namespace)::" + epilogue +
                  (forward ? ">(float*, float const*, int)" : ">(float*, float const*, float const*, long)"),
          .grid = {static_cast<uint32_t>(rows), 1, 1},
          .block = {static_cast<uint32_t>(std::min<int64_t>(1024, columns / 4)), 1, 1},
          .registers_per_thread = 32,
          .shared_memory_bytes = 128};
}

KernelShape dropout_kernel(int64_t n, const hardware::Gpu& gpu) {
  return {.name =
              "void at::native::(anonymous namespace)::fused_dropout_kernel_vec<c10::BFloat16, float, unsigned int, 1, "
              "4, bool>(at::cuda::detail::TensorInfo<c10::BFloat16 const, unsigned int>, "
              "at::cuda::detail::TensorInfo<c10::BFloat16, unsigned int>, at::cuda::detail::TensorInfo<bool, unsigned "
              "int>, unsigned int, float, at::PhiloxCudaState)",
          .grid = {static_cast<uint32_t>(std::min<int64_t>((n + 1023) / 1024, int64_t{gpu.sm_count} * 8)), 1, 1},
          .block = {256, 1, 1},
          .registers_per_thread = 40};
}

}  // namespace td::sim
