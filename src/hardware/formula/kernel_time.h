// Kernel times from a roofline with shape-dependent efficiency, split into what the SM clock stretches and what the
// memory sets, so that a slow clock lengthens compute-bound kernels alone.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "hardware/gpu.h"

namespace td::hardware {

// Healthy time of one kernel: max(compute, memory) + fixed. All in nanoseconds, at nominal clocks.
struct KernelTime {
  double compute_ns = 0;
  double memory_ns = 0;
  double fixed_ns = 0;  // launch ramp and tail inside the kernel

  // At SM clock and memory clock factors (1 = nominal).
  [[nodiscard]] TimeNs total_ns(double sm_clock = 1.0, double hbm = 1.0) const;
};

// D[M,N] = A[M,K] B[K,N] in BF16: 2MNK / (peak x e), e = MAMF x sustained x wave x K / (K + 128): sustained clocks
// (0.96 Hopper, 0.90 Ampere, 0.92 Blackwell, 0.85 Ada), the wave filling of the better of 128x128 and 128x256 tiles;
// memory at 0.92 of the label; 1.5 us fixed.
//   output_bytes  bytes an element of D (2 BF16, 4 FP32)
// Source: efficiencies fitted to GEMMs in public H100 traces, within 12 % of them (docs/models/kernel_time.md).
KernelTime gemm_time(int64_t m, int64_t n, int64_t k, int32_t output_bytes, const Gpu& gpu);
double gemm_efficiency(int64_t m, int64_t n, int64_t k, const Gpu& gpu);
// `batch` of them in one kernel: the tiles of all fill the waves.
KernelTime batched_gemm_time(int64_t batch, int64_t m, int64_t n, int64_t k, int32_t output_bytes, const Gpu& gpu);

// One direction of a convolution as an implicit GEMM of m x n x k (positions, channels, taps): 2 m n k FLOP at 0.75 of
// a GEMM's efficiency (the gather of taps; our estimate, between cuDNN's 0.6 and 0.9 of cuBLAS), or its tensors through
// memory, whichever is longer.
KernelTime conv_time(int64_t m, int64_t n, int64_t k, double tensor_bytes, const Gpu& gpu);

// A kernel that streams `traffic_bytes` (read plus written): 0.88 of the label above 32 MB; up to 1.5x faster where the
// tensors fit in half of the L2; 1.5 us fixed.
KernelTime stream_time(double traffic_bytes, const Gpu& gpu);

// FlashAttention-2 forward over B x heads x S x head_dim: 4 B h S^2 d FLOP, half of it if causal; backward 2.5 times
// that.
// Efficiency 0.60 of peak on Ampere and Ada, 0.42 on Hopper, 0.30 on Blackwell (the kernel predates their tensor
// cores), x 0.85 for head_dim 64; backward x 0.85. Sources: arXiv:2307.08691, arXiv:2407.08608; Blackwell is ours.
KernelTime attention_forward_time(int64_t batch, int64_t heads, int64_t seq_len, int64_t head_dim, const Gpu& gpu,
                                  bool causal = true);
KernelTime attention_backward_time(int64_t batch, int64_t heads, int64_t seq_len, int64_t head_dim, const Gpu& gpu,
                                   bool causal = true);
double attention_forward_flop(int64_t batch, int64_t heads, int64_t seq_len, int64_t head_dim, bool causal = true);

// Fused Adam over `parameters`: 28 bytes each (BF16 gradient and weight with FP32 master and moments, or all FP32) at
// 0.85 of the label.
inline constexpr double kAdamBytesPerParameter = 28;
KernelTime adam_time(int64_t parameters, const Gpu& gpu);

}  // namespace td::hardware
