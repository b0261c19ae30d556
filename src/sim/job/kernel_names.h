// The kernels that a library would pick, by GPU generation: real names, launch shapes, registers and shared memory.
// Sources: names read in public traces of each generation (docs/models/kernel_names.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hardware/gpu.h"

namespace td::sim {

// A kernel's identity, without its time.
struct KernelShape {
  std::string name;
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {128, 1, 1};
  int32_t registers_per_thread = 32;
  int32_t shared_memory_bytes = 0;
};

// Which software the job runs on: it changes names, not times.
struct Software {
  bool nvjet = true;      // cuBLAS 12.6+ on Hopper; older ones print sm90_xmma names
  bool std_array = true;  // recent PyTorch prints std::array where older ones print at::detail::Array
};

// Layout of A and B as BLAS letters: forward tn, input gradient nn, weight gradient nt.
enum class GemmLayout : uint8_t { tn, nn, nt };

KernelShape gemm_kernel(GemmLayout layout, int64_t m, int64_t n, bool fp32_out, const hardware::Gpu& gpu,
                        const Software& software);
// The runtime call that launches a GEMM of that generation ("cudaLaunchKernelExC", "cuLaunchKernelEx", ...).
std::string_view gemm_launch_call(const hardware::Gpu& gpu, const Software& software);

KernelShape flash_forward_kernel(int64_t batch, int64_t heads, int64_t seq_len, int64_t head_dim);
enum class FlashBackwardPart : uint8_t { dot_do_o, main, convert_dq };
KernelShape flash_backward_kernel(FlashBackwardPart part, int64_t batch, int64_t heads, int64_t seq_len,
                                  int64_t head_dim);

// Pointwise kernels over n elements of BF16 (or FP32 where the name says so).
enum class Pointwise : uint8_t {
  add,
  multiply,
  gelu,
  gelu_backward,
  silu,
  silu_backward,
  cast_to_float,
  cast_to_bf16,
  div_float,  // reducer: gradient into its bucket, divided by the world size
  div_bf16,
  relu,
  relu_backward,
  sigmoid,
  sigmoid_backward,
  tanh,
  tanh_backward,
  add_broadcast,
  multiply_broadcast,
  strided_copy,
  dropout_backward,
  squared_error,
  squared_error_backward,
  log_sigmoid,
  multiply_float,
  add_one,
  sine,
  power,
  logarithm,
};
KernelShape pointwise_kernel(Pointwise kind, int64_t n, const Software& software);

enum class RowKernel : uint8_t {
  layer_norm,
  rms_norm,
  norm_grad_input,
  norm_grad_weight,
  nll_forward,
  nll_backward,
  rotary,
  embedding,
  embedding_sort,
  embedding_backward,
  concatenate,
  column_sum,
  mean,
  pool,
  pool_backward,
  upsample,
  upsample_backward,
  group_statistics,
  group_gradient,
  gather,
  scatter_add,
  bag_forward,
  bag_backward,
  offsets,
  fft,
  transpose,
};
// `rows` of `columns` elements.
KernelShape row_kernel(RowKernel kind, int64_t rows, int64_t columns);
// Of FP32 rows: softmax or its logarithm. Rows of up to 1024 fit in a warp's registers.
KernelShape softmax_kernel(bool logarithm, bool forward, int64_t rows, int64_t columns);
KernelShape dropout_kernel(int64_t n, const hardware::Gpu& gpu);

// Implicit GEMMs of m output positions (or weights) by n channels, NHWC.
enum class ConvPass : uint8_t { forward, input_gradient, weight_gradient };
KernelShape conv_kernel(ConvPass pass, int64_t m, int64_t n, const hardware::Gpu& gpu);
enum class BatchNormPart : uint8_t { statistics, transform, backward_reduce, backward_elements };
KernelShape batch_norm_kernel(BatchNormPart part, int64_t rows, int64_t channels, const hardware::Gpu& gpu);

KernelShape adam_kernel(bool fp32_gradients, int64_t parameters);
KernelShape all_reduce_kernel(bool fp32, int32_t channels);

}  // namespace td::sim
