#include "sim/job/kernel_names.h"

#include <algorithm>

namespace td::sim {
namespace {

uint32_t blocks(int64_t n, int64_t per_block) {
  return static_cast<uint32_t>(std::max<int64_t>(1, (n + per_block - 1) / per_block));
}

std::string_view lower(GemmLayout layout) {
  switch (layout) {
    case GemmLayout::tn:
      return "tn";
    case GemmLayout::nn:
      return "nn";
    case GemmLayout::nt:
      return "nt";
  }
  return "tn";
}

std::string_view nvjet_suffix(GemmLayout layout) {
  switch (layout) {
    case GemmLayout::tn:
      return "TNN";
    case GemmLayout::nn:
      return "NNN";
    case GemmLayout::nt:
      return "NTN";
  }
  return "TNN";
}

KernelShape nvjet_kernel(GemmLayout layout, int64_t m, int64_t n, const hardware::Gpu& gpu) {
  const bool blackwell = gpu.generation == hardware::Generation::blackwell;
  // cuBLAS picks wide tiles for wide outputs.
  std::string tile = blackwell ? "256x128_64x6_2x1_2cta_v_bz" : "128x256_64x4_1x2_h_bz_coopA";
  if (n <= 4096 && !blackwell) tile = "192x192_64x4_2x1_v_bz_coopB";
  if (n <= 4096 && blackwell) tile = "144x128_64x6_2x1_v_bz";
  const int64_t tile_count = static_cast<int64_t>(blocks(m, 192)) * blocks(n, 192);
  const int64_t persistent = std::min<int64_t>(tile_count, gpu.sm_count);
  return {.name = "nvjet_tst_" + tile + "_" + std::string(nvjet_suffix(layout)),
          .grid = {2, blocks(persistent, 2), 1},
          .block = {blackwell ? 256U : 384U, 1, 1},
          .registers_per_thread = 168,
          .shared_memory_bytes = blackwell ? 221184 : 213656};
}

KernelShape sm90_kernel(GemmLayout layout, int64_t m, int64_t n, bool fp32_out) {
  const bool wide = n > 4096;
  return {.name = std::string("sm90_xmma_gemm_") + (fp32_out ? "bf16f32_bf16f32_f32_" : "bf16bf16_bf16f32_f32_") +
                  std::string(lower(layout)) + "_n_tilesize" +
                  (wide ? "256x128x64_warpgroupsize2x1x1" : "128x128x64_warpgroupsize1x1x1") +
                  "_execute_segment_k_off_kernel__5x_cublas",
          .grid = {blocks(m, wide ? 256 : 128), blocks(n, 128), 1},
          .block = {384, 1, 1},
          .registers_per_thread = 168,
          .shared_memory_bytes = 231424};
}

KernelShape ampere_kernel(GemmLayout layout, int64_t m, int64_t n, bool fp32_out, const hardware::Gpu& gpu) {
  // Ada has 99 KiB of shared memory a block, so its tiles are smaller.
  const bool large = gpu.generation == hardware::Generation::ampere && n > 2048;
  return {.name = std::string("ampere_bf16_s16816gemm_") + (fp32_out ? "fp32_" : "bf16_") +
                  (large ? "256x128_ldg8_f2f_stages_64x3_" : "128x128_ldg8_f2f_stages_32x5_") +
                  std::string(lower(layout)),
          .grid = {blocks(m, large ? 256 : 128), blocks(n, 128), 1},
          .block = {256, 1, 1},
          .registers_per_thread = large ? 238 : 230,
          .shared_memory_bytes = large ? 147456 : 81920};
}

std::string functor_kernel(std::string_view functor, const Software& software) {
  const std::string array = software.std_array ? "std::array<char*, 3ul>" : "at::detail::Array<char*, 3>";
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

std::string flash_traits(int64_t head_dim, bool backward) {
  const std::string d = std::to_string(head_dim);
  return backward ? "pytorch_flash::Flash_bwd_kernel_traits<" + d +
                        ", 64, 128, 8, 4, 4, 4, false, false, cutlass::bfloat16_t, "
                        "pytorch_flash::Flash_kernel_traits<" +
                        d + ", 64, 128, 8, cutlass::bfloat16_t> >"
                  : "pytorch_flash::Flash_fwd_kernel_traits<" + d +
                        ", 128, 64, 4, false, false, cutlass::bfloat16_t, pytorch_flash::Flash_kernel_traits<" + d +
                        ", 128, 64, 4, cutlass::bfloat16_t> >";
}

}  // namespace

KernelShape gemm_kernel(GemmLayout layout, int64_t m, int64_t n, bool fp32_out, const hardware::Gpu& gpu,
                        const Software& software) {
  switch (gpu.generation) {
    case hardware::Generation::blackwell:
      return nvjet_kernel(layout, m, n, gpu);
    case hardware::Generation::hopper:
      return software.nvjet ? nvjet_kernel(layout, m, n, gpu) : sm90_kernel(layout, m, n, fp32_out);
    default:
      return ampere_kernel(layout, m, n, fp32_out, gpu);
  }
}

std::string_view gemm_launch_call(const hardware::Gpu& gpu, const Software& software) {
  if (gpu.generation < hardware::Generation::hopper) return "cudaLaunchKernel";
  const bool nvjet = software.nvjet || gpu.generation == hardware::Generation::blackwell;
  return nvjet ? "cuLaunchKernelEx" : "cudaLaunchKernelExC";
}

KernelShape flash_forward_kernel(int64_t batch, int64_t heads, int64_t seq_len, int64_t head_dim) {
  return {.name = "void pytorch_flash::flash_fwd_kernel<" + flash_traits(head_dim, false) +
                  ", false, true, false, false, true, true, false>(pytorch_flash::Flash_fwd_params)",
          .grid = {blocks(seq_len, 128), static_cast<uint32_t>(batch), static_cast<uint32_t>(heads)},
          .block = {128, 1, 1},
          .registers_per_thread = 255,
          .shared_memory_bytes = head_dim <= 64 ? 49152 : 65536};
}

KernelShape flash_backward_kernel(FlashBackwardPart part, int64_t batch, int64_t heads, int64_t seq_len,
                                  int64_t head_dim) {
  const auto b = static_cast<uint32_t>(batch);
  const auto h = static_cast<uint32_t>(heads);
  const std::string traits = flash_traits(head_dim, true);
  switch (part) {
    case FlashBackwardPart::dot_do_o:
      return {.name = "void pytorch_flash::flash_bwd_dot_do_o_kernel<true, " + traits +
                      ">(pytorch_flash::Flash_bwd_params)",
              .grid = {blocks(seq_len, 64), b, h},
              .block = {256, 1, 1},
              .registers_per_thread = 52,
              .shared_memory_bytes = 0};
    case FlashBackwardPart::main:
      return {.name = "void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<" + traits +
                      ", false, true, false, false, true, true, false>(pytorch_flash::Flash_bwd_params)",
              .grid = {blocks(seq_len, 128), b, h},
              .block = {256, 1, 1},
              .registers_per_thread = 255,
              .shared_memory_bytes = 147456};
    case FlashBackwardPart::convert_dq:
      return {.name = "void pytorch_flash::flash_bwd_convert_dq_kernel<" + traits +
                      ">(pytorch_flash::Flash_bwd_params, int)",
              .grid = {blocks(seq_len, 64), b, h},
              .block = {256, 1, 1},
              .registers_per_thread = 70,
              .shared_memory_bytes = 16384};
  }
  return {};
}

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
          software);
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
          software);
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
          "at::native::AUnaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> >", software);
      break;
    case Pointwise::div_bf16:
      shape.name = functor_kernel(
          "at::native::AUnaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, "
          "at::native::binary_internal::MulFunctor<float> >",
          software);
      break;
  }
  return shape;
}

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
    case RowKernel::softmax_forward:
      return {
          "void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float, float, float, at::native::("
          "anonymous namespace)::LogSoftMaxForwardEpilogue>(float*, float const*, int)",
          {by_row, 1, 1},
          {1024, 1, 1},
          32,
          128};
    case RowKernel::softmax_backward:
      return {
          "void at::native::(anonymous namespace)::cunn_SoftMaxBackward<4, float, float, float, at::native::("
          "anonymous namespace)::LogSoftMaxBackwardEpilogue>(float*, float const*, float const*, long)",
          {by_row, 1, 1},
          {1024, 1, 1},
          32,
          128};
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
  }
  return {};
}

KernelShape adam_kernel(bool fp32_gradients, int64_t parameters) {
  // 320 chunks of 65,536 elements a launch.
  const std::string type = fp32_gradients ? "float" : "c10::BFloat16";
  return {.name =
              "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)"
              "::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous namespace)::FusedAdamMathFunctor<" +
              type +
              ", 4, (at::native::ADAM_MODE)1, false>, float const*, double, double, double, double, double, "
              "bool, float*, float*>",
          .grid = {blocks(parameters, 65536), 1, 1},
          .block = {512, 1, 1},
          .registers_per_thread = 64,
          .shared_memory_bytes = 0};
}

KernelShape all_reduce_kernel(bool fp32, int32_t channels) {
  return {.name = std::string("ncclDevKernel_AllReduce_Sum_") + (fp32 ? "f32" : "bf16") +
                  "_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
          .grid = {static_cast<uint32_t>(channels), 1, 1},
          .block = {544, 1, 1},
          .registers_per_thread = 96,
          .shared_memory_bytes = 83024};
}

}  // namespace td::sim
