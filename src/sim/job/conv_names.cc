// Convolutions and batch norms as cuDNN, PyTorch and MIOpen name them.
#include <algorithm>

#include "sim/job/kernel_names.h"

namespace td::sim {
namespace {

uint32_t blocks(int64_t n, int64_t per_block) {
  return static_cast<uint32_t>(std::max<int64_t>(1, (n + per_block - 1) / per_block));
}

std::string_view pass_name(ConvPass pass) {
  switch (pass) {
    case ConvPass::forward:
      return "fprop";
    case ConvPass::input_gradient:
      return "dgrad";
    case ConvPass::weight_gradient:
      return "wgrad";
  }
  return "fprop";
}

// Implicit GEMM of the Turing generation; Volta has its own of the same form.
std::string turing_name(ConvPass pass) {
  switch (pass) {
    case ConvPass::forward:
      return "turing_fp16_s1688cudnn_fp16_256x128_ldg8_relu_f2f_exp_small_nhwc_tn_v1";
    case ConvPass::input_gradient:
      return "turing_fp16_s1688cudnn_fp16_256x128_ldg8_dgrad_f2f_exp_small_nhwc_tt_v1";
    case ConvPass::weight_gradient:
      return "turing_fp16_s1688cudnn_fp16_256x128_ldg8_wgrad_idx_exp_interior_nhwc_nt_v1";
  }
  return {};
}

std::string amd_name(ConvPass pass) {
  switch (pass) {
    case ConvPass::forward:
      return "igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1_bt128x128x32_wt32x32x8_ws1x1_wr2x2_ta1x8x2x1_1x4x1x64_tb1x8x2x1_"
             "1x4x1x64_"
             "gkgs";
    case ConvPass::input_gradient:
      return "igemm_bwd_gtcx3_nhwc_bf16_bx0_ex0_bt128x128x32_wt32x32x8_ws1x1_wr2x2_ta1x8x2x1_1x4x1x64_tb1x8x1x2_"
             "1x4x1x64_"
             "gkgs";
    case ConvPass::weight_gradient:
      return "igemm_wrw_gtcx3_nhwc_bf16_bx0_ex0_bt256x256x32_wt32x32x8_ws2x2_wr2x2_ta1x4x1x8_1x8x1x32_tb1x4x1x8_"
             "1x8x1x32_"
             "gkgs";
  }
  return {};
}

}  // namespace

KernelShape conv_kernel(ConvPass pass, int64_t m, int64_t n, const hardware::Gpu& gpu) {
  const bool narrow = n <= 64;
  KernelShape out{.name = {},
                  .grid = {blocks(m, narrow ? 256 : 128), blocks(n, narrow ? 64 : 128), 1},
                  .block = {narrow ? 128U : 256U, 1, 1},
                  .registers_per_thread = narrow ? 246 : 234,
                  .shared_memory_bytes = narrow ? 81920 : 98304};
  switch (gpu.generation) {
    case hardware::Generation::cdna2:
    case hardware::Generation::cdna3:
      out.name = amd_name(pass);
      out.registers_per_thread = 0;
      out.shared_memory_bytes = 32768;
      return out;
    case hardware::Generation::volta:
    case hardware::Generation::turing:
      out.name = turing_name(pass);
      out.shared_memory_bytes = 49152;
      return out;
    case hardware::Generation::hopper:
    case hardware::Generation::blackwell: {
      // cuDNN's CUTLASS kernels of the generation before are what these parts run for most shapes.
      const std::string tile = narrow ? "256x64_32x4" : "128x128_32x5";
      const std::string inner =
          "cutlass_tensorop_bf16_s16816" + std::string(pass_name(pass)) + "_optimized_bf16_" + tile + "_nhwc_align8";
      out.name = "void cutlass__5x_cudnn::Kernel<" + inner + ">(" + inner + "::Params)";
      return out;
    }
    default: {
      const std::string tile =
          narrow ? "tilesize256x64x32_stage4_warpsize4x1x1" : "tilesize128x128x32_stage4_warpsize2x2x1";
      const std::string indexed = pass == ConvPass::forward ? "" : "indexed_";
      out.name = "sm80_xmma_" + std::string(pass_name(pass)) + "_implicit_gemm_" + indexed +
                 "bf16bf16_bf16f32_f32_nhwckrsc_nhwc_" + tile + "_g1_tensor16x8x16_execute_kernel__5x_cudnn";
      return out;
    }
  }
}

KernelShape batch_norm_kernel(BatchNormPart part, int64_t rows, int64_t channels, const hardware::Gpu& gpu) {
  const bool amd = gpu.generation == hardware::Generation::cdna2 || gpu.generation == hardware::Generation::cdna3;
  KernelShape out{.name = {},
                  .grid = {blocks(channels, 32), std::min(blocks(rows, 256), 128U), 1},
                  .block = {32, 16, 1},
                  .registers_per_thread = 40,
                  .shared_memory_bytes = 4224};
  switch (part) {
    case BatchNormPart::statistics:
      out.name =
          amd ? "MIOpenBatchNormFwdTrainSpatial"
              : "void at::native::batch_norm_collect_statistics_channels_last_kernel<at::native::Var, "
                "c10::BFloat16, float, 4>(c10::BFloat16 const*, float*, float*, float volatile*, int*, int, int, "
                "float)";
      return out;
    case BatchNormPart::transform:
      out.name = amd ? "MIOpenBatchNormFwdTrainSpatialFinal"
                     : "void at::native::batch_norm_transform_input_channels_last_kernel<c10::BFloat16, float, float, "
                       "4>(c10::BFloat16 const*, c10::BFloat16 const*, float const*, float const*, float const*, float "
                       "const*, c10::BFloat16*, int, int, bool)";
      return out;
    case BatchNormPart::backward_reduce:
      out.name =
          amd ? "MIOpenBatchNormBwdSpatial"
              : "void at::native::batch_norm_backward_reduce_channels_last_kernel<4, c10::BFloat16, float, float>("
                "c10::BFloat16 const*, c10::BFloat16 const*, float const*, float const*, float*, float*, float*, "
                "float*, float volatile*, int*, int, int)";
      return out;
    case BatchNormPart::backward_elements:
      out.name = amd ? "MIOpenBatchNormBwdSpatialDX"
                     : "void at::native::batch_norm_backward_elemt_channels_last_kernel_impl<4, c10::BFloat16, float, "
                       "float>(c10::BFloat16 const*, c10::BFloat16 const*, float const*, float const*, float const*, "
                       "float const*, float const*, c10::BFloat16*, float, int, int)";
      return out;
  }
  return out;
}

}  // namespace td::sim
