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

// hipBLASLt: Alik_Bljk is A transposed (tn), MT the macro tile. Grids are printed in work-items.
KernelShape amd_kernel(GemmLayout layout, int64_t m, int64_t n) {
  std::string_view letters = "Alik_Bljk";
  if (layout == GemmLayout::nn) letters = "Ailk_Bljk";
  if (layout == GemmLayout::nt) letters = "Ailk_Bjlk";
  const bool small = m * n < int64_t{1} << 20;
  const std::string tile = small ? "MT64x32x256" : n > 2048 ? "MT256x192x64" : "MT256x128x64";
  const int64_t tiles =
      small ? int64_t{blocks(m, 64)} * blocks(n, 32) : int64_t{blocks(m, 256)} * blocks(n, n > 2048 ? 192 : 128);
  return {.name = "Cijk_" + std::string(letters) + "_BBS_BH_Bias_HA_S_SAV_UserArgs_" + tile +
                  "_MI16x16x1_SN_LDSB1_AFC1_AFEM1_AFEM1_ASEM1_CLR1_CADS0_DTLA0_DTLB0_DTVA0_DTVB0_EPS0_FDSI0_GRPM1_"
                  "GRVWA8_GRVWB8_GSUAMBSK_GLS0_ISA942_IU1_K1_LDSTI0_LBSPPA1024_LBSPPB256_LBSPPM0_LPA16_LPB16_LPM0",
          .grid = {static_cast<uint32_t>(tiles * 256), 1, 1},
          .block = {256, 1, 1},
          .registers_per_thread = 0,
          .shared_memory_bytes = 65536};
}

KernelShape turing_kernel(GemmLayout layout, int64_t m, int64_t n) {
  const bool large = n > 1024;
  return {.name = std::string("turing_fp16_s1688gemm_fp16_") + (large ? "256x128" : "128x128") + "_ldg8_f2f_" +
                  std::string(lower(layout)),
          .grid = {blocks(m, large ? 256 : 128), blocks(n, 128), 1},
          .block = {256, 1, 1},
          .registers_per_thread = 218,
          .shared_memory_bytes = 49152};
}

}  // namespace

KernelShape gemm_kernel(GemmLayout layout, int64_t m, int64_t n, bool fp32_out, const hardware::Gpu& gpu,
                        const Software& software) {
  switch (gpu.generation) {
    case hardware::Generation::blackwell:
      return nvjet_kernel(layout, m, n, gpu);
    case hardware::Generation::hopper:
      return software.nvjet ? nvjet_kernel(layout, m, n, gpu) : sm90_kernel(layout, m, n, fp32_out);
    case hardware::Generation::cdna2:
    case hardware::Generation::cdna3:
      return amd_kernel(layout, m, n);
    case hardware::Generation::volta:
    case hardware::Generation::turing:
      return turing_kernel(layout, m, n);
    default:
      return ampere_kernel(layout, m, n, fp32_out, gpu);
  }
}

std::string_view gemm_launch_call(const hardware::Gpu& gpu, const Software& software) {
  if (hardware::is_amd(gpu)) return "hipExtModuleLaunchKernel";
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
