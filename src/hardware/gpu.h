// GPUs, each number with its source (gpu.cc). FLOP rates are dense; bandwidths decimal; NVLink one way.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace td::hardware {

enum class Generation : uint8_t { volta, turing, ampere, ada, hopper, blackwell, cdna2, cdna3 };

struct Gpu {
  std::string_view id;           // "h100_sxm"
  std::string_view title;        // "H100 SXM"
  std::string_view device_name;  // as the profiler prints it: "NVIDIA H100 80GB HBM3"
  Generation generation = Generation::hopper;
  double bf16_flop_per_s = 0;  // dense peak, FP32 accumulate; of FP16 where there is no BF16 (before Ampere)
  double fp32_flop_per_s = 0;
  double hbm_bytes_per_s = 0;  // label
  int64_t memory_bytes = 0;    // what the device reports
  int32_t sm_count = 0;
  int64_t l2_bytes = 0;
  int32_t max_sm_mhz = 0;
  int32_t compute_major = 0;
  int32_t compute_minor = 0;
  double matmul_efficiency_max = 0;  // best measured matmul over peak (MAMF)
  double scale_up_bytes_per_s = 0;   // one way per GPU; 0 without NVLink/xGMI
};

// AMD's parts: ROCm, HIP, RCCL and xGMI in place of CUDA, NCCL and NVLink.
bool is_amd(const Gpu& gpu);
// 16-bit training and inference runs in BF16; older parts take FP16.
bool has_bf16(const Gpu& gpu);
// The driver's CUDA or HIP link between GPUs of a node: "NVLink", "xGMI".
std::string_view scale_up_name(const Gpu& gpu);

std::span<const Gpu> all_gpus();
// By id ("h100_sxm"), or nullptr.
const Gpu* find_gpu(std::string_view id);
// By the device name that a trace prints, or nullptr if it is not in the catalogue.
const Gpu* find_gpu_by_device_name(std::string_view device_name);

}  // namespace td::hardware
