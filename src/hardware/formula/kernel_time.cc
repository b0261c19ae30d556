#include "hardware/formula/kernel_time.h"

#include <algorithm>

#include "base/math.h"

namespace td::hardware {
namespace {

constexpr double kFixedNs = 1500;
constexpr double kGemmHbmFrac = 0.92;
constexpr double kStreamHbmFrac = 0.88;
constexpr double kAdamHbmFrac = 0.85;
constexpr double kConvFrac = 0.75;
constexpr double kHalfEfficientK = 128;

int64_t tiles(int64_t size, int64_t tile) { return (size + tile - 1) / tile; }

// Share of the SMs that work, over all waves of tiles.
double wave_fill(int64_t m, int64_t n, int64_t tile_m, int64_t tile_n, int32_t sm_count) {
  const int64_t count = tiles(m, tile_m) * tiles(n, tile_n);
  return static_cast<double>(count) / static_cast<double>(tiles(count, sm_count) * sm_count);
}

// Training holds its clocks below those of a sweep of single matmuls: less on parts whose power limit is tight. Our
// estimate, set so that MFU comes out where public training runs lie (55 % on A100).
double sustained_frac(const Gpu& gpu) {
  switch (gpu.generation) {
    case Generation::hopper:
      return 1.0;  // fitted to GEMMs inside whole runs
    case Generation::blackwell:
      return 0.92;
    case Generation::ada:
      return 0.85;
    default:
      return 0.90;
  }
}

double attention_efficiency(int64_t head_dim, const Gpu& gpu) {
  const double by_head = head_dim <= 64 ? 0.85 : 1.0;
  switch (gpu.generation) {
    case Generation::hopper:
      return 0.42 * by_head;
    case Generation::blackwell:
      return 0.30 * by_head;
    case Generation::cdna3:
      return 0.24 * by_head;  // AOTriton in a public MI300X trace: 298 TFLOP/s
    case Generation::turing:
      return 0.35 * by_head;  // CUTLASS memory-efficient attention: FlashAttention-2 needs Ampere
    default:
      return 0.60 * by_head;
  }
}

}  // namespace

TimeNs KernelTime::total_ns(double sm_clock, double hbm) const {
  return round_to_int(std::max(compute_ns / sm_clock, memory_ns / hbm) + fixed_ns);
}

double gemm_efficiency(int64_t m, int64_t n, int64_t k, const Gpu& gpu) {
  const double wave = std::max(wave_fill(m, n, 128, 128, gpu.sm_count), wave_fill(m, n, 128, 256, gpu.sm_count));
  const double depth = static_cast<double>(k) / (static_cast<double>(k) + kHalfEfficientK);
  return gpu.matmul_efficiency_max * sustained_frac(gpu) * wave * depth;
}

KernelTime gemm_time(int64_t m, int64_t n, int64_t k, int32_t output_bytes, const Gpu& gpu) {
  if (m <= 0 || n <= 0 || k <= 0) return {};
  const double rows = static_cast<double>(m);
  const double columns = static_cast<double>(n);
  const double depth = static_cast<double>(k);
  const double flop = 2 * rows * columns * depth;
  const double bytes = 2 * (rows * depth + depth * columns) + output_bytes * rows * columns;
  return {.compute_ns = flop / (gpu.bf16_flop_per_s * gemm_efficiency(m, n, k, gpu)) * 1e9,
          .memory_ns = bytes / (kGemmHbmFrac * gpu.hbm_bytes_per_s) * 1e9,
          .fixed_ns = kFixedNs};
}

KernelTime batched_gemm_time(int64_t batch, int64_t m, int64_t n, int64_t k, int32_t output_bytes, const Gpu& gpu) {
  if (batch <= 0 || m <= 0 || n <= 0 || k <= 0) return {};
  const auto all = static_cast<double>(batch);
  const KernelTime one = gemm_time(m, n, k, output_bytes, gpu);
  // Rows of one after the other fill the waves as one GEMM of all rows does.
  const double e = gemm_efficiency(m * batch, n, k, gpu);
  return {.compute_ns = all * one.compute_ns * gemm_efficiency(m, n, k, gpu) / e,
          .memory_ns = all * one.memory_ns,
          .fixed_ns = one.fixed_ns};
}

KernelTime conv_time(int64_t m, int64_t n, int64_t k, double tensor_bytes, const Gpu& gpu) {
  if (m <= 0 || n <= 0 || k <= 0) return {};
  const double flop = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  return {.compute_ns = flop / (gpu.bf16_flop_per_s * gemm_efficiency(m, n, k, gpu) * kConvFrac) * 1e9,
          .memory_ns = tensor_bytes / (kStreamHbmFrac * gpu.hbm_bytes_per_s) * 1e9,
          .fixed_ns = kFixedNs};
}

KernelTime stream_time(double traffic_bytes, const Gpu& gpu) {
  // All of the gain while the traffic fits in half of the L2, none from the whole of it on.
  const double l2 = static_cast<double>(gpu.l2_bytes);
  const double fit = std::clamp((l2 - traffic_bytes) / (0.5 * l2), 0.0, 1.0);
  const double rate = kStreamHbmFrac * gpu.hbm_bytes_per_s * (1 + 0.5 * fit);
  return {.compute_ns = 0, .memory_ns = traffic_bytes / rate * 1e9, .fixed_ns = kFixedNs};
}

double attention_forward_flop(int64_t batch, int64_t heads, int64_t seq_len, int64_t head_dim, bool causal) {
  const double seq = static_cast<double>(seq_len);
  return 4.0 * static_cast<double>(batch * heads) * seq * seq * static_cast<double>(head_dim) / (causal ? 2 : 1);
}

KernelTime attention_forward_time(int64_t batch, int64_t heads, int64_t seq_len, int64_t head_dim, const Gpu& gpu,
                                  bool causal) {
  const double flop = attention_forward_flop(batch, heads, seq_len, head_dim, causal);
  const double bytes = 4 * 2.0 * static_cast<double>(batch * heads * seq_len * head_dim);
  return {.compute_ns = flop / (gpu.bf16_flop_per_s * attention_efficiency(head_dim, gpu)) * 1e9,
          .memory_ns = bytes / (kStreamHbmFrac * gpu.hbm_bytes_per_s) * 1e9,
          .fixed_ns = kFixedNs};
}

KernelTime attention_backward_time(int64_t batch, int64_t heads, int64_t seq_len, int64_t head_dim, const Gpu& gpu,
                                   bool causal) {
  const double flop = 2.5 * attention_forward_flop(batch, heads, seq_len, head_dim, causal);
  const double bytes = 8 * 2.0 * static_cast<double>(batch * heads * seq_len * head_dim);
  return {.compute_ns = flop / (gpu.bf16_flop_per_s * attention_efficiency(head_dim, gpu) * 0.85) * 1e9,
          .memory_ns = bytes / (kStreamHbmFrac * gpu.hbm_bytes_per_s) * 1e9,
          .fixed_ns = kFixedNs};
}

KernelTime adam_time(int64_t parameters, const Gpu& gpu) {
  const double bytes = kAdamBytesPerParameter * static_cast<double>(parameters);
  return {.compute_ns = 0, .memory_ns = bytes / (kAdamHbmFrac * gpu.hbm_bytes_per_s) * 1e9, .fixed_ns = kFixedNs};
}

}  // namespace td::hardware
