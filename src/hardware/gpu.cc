#include "hardware/gpu.h"

#include <array>

namespace td::hardware {
namespace {

// Sources, by column.
//   peaks, memory rate, SMs, L2, NVLink: NVIDIA data sheets and architecture papers of each part (dense rates).
//   device_name, memory_bytes, compute capability: what cudaDeviceProp of that part reports, as public profiler traces
//     print it (H100, A100 40 and 80 GB, B200); H200 and L40S are the label times the ratio that their siblings show.
//     L4, T4, A10 and RTX 4090: label times the ratio of their siblings' reports, within 1 %. MI300X prints
//     "AMD Instinct MI300X" and compute capability 9.4 (gfx942); its L2 is 8 x 4 MB.
//   max_sm_mhz: the clock at which the peak is quoted: peak = MHz x SMs x 4 tensor cores x FMA a cycle x 2, e.g. H100
//     1830e6 x 528 x 512 x 2 = 989e12. nvidia-smi may show more (H100: 1980).
//   matmul_efficiency_max: best shape of a matmul sweep over the peak (stas00/ml-engineering, MAMF table: A100 271,
//     H100 and H200 794, B200 1745 TFLOP/s); L40S has no entry there, 0.75 is our estimate.
//   scale_up_bytes_per_s: half of the headline NVLink rate, which adds both directions.
constexpr std::array kGpus = {
    Gpu{.id = "h100_sxm",
        .title = "H100 SXM",
        .device_name = "NVIDIA H100 80GB HBM3",
        .generation = Generation::hopper,
        .bf16_flop_per_s = 989e12,
        .fp32_flop_per_s = 67e12,
        .hbm_bytes_per_s = 3.35e12,
        .memory_bytes = 85'018'279'936,
        .sm_count = 132,
        .l2_bytes = 50'000'000,
        .max_sm_mhz = 1830,
        .compute_major = 9,
        .compute_minor = 0,
        .matmul_efficiency_max = 0.80,
        .scale_up_bytes_per_s = 450e9},
    Gpu{.id = "h200",
        .title = "H200",
        .device_name = "NVIDIA H200",
        .generation = Generation::hopper,
        .bf16_flop_per_s = 989e12,
        .fp32_flop_per_s = 67e12,
        .hbm_bytes_per_s = 4.8e12,
        .memory_bytes = 150'111'059'968,
        .sm_count = 132,
        .l2_bytes = 50'000'000,
        .max_sm_mhz = 1830,
        .compute_major = 9,
        .compute_minor = 0,
        .matmul_efficiency_max = 0.80,
        .scale_up_bytes_per_s = 450e9},
    Gpu{.id = "a100_80gb",
        .title = "A100 80GB SXM",
        .device_name = "NVIDIA A100-SXM4-80GB",
        .generation = Generation::ampere,
        .bf16_flop_per_s = 312e12,
        .fp32_flop_per_s = 19.5e12,
        .hbm_bytes_per_s = 2.039e12,
        .memory_bytes = 84'990'623'744,
        .sm_count = 108,
        .l2_bytes = 40'000'000,
        .max_sm_mhz = 1410,
        .compute_major = 8,
        .compute_minor = 0,
        .matmul_efficiency_max = 0.87,
        .scale_up_bytes_per_s = 300e9},
    Gpu{.id = "a100_40gb",
        .title = "A100 40GB SXM",
        .device_name = "NVIDIA A100-SXM4-40GB",
        .generation = Generation::ampere,
        .bf16_flop_per_s = 312e12,
        .fp32_flop_per_s = 19.5e12,
        .hbm_bytes_per_s = 1.555e12,
        .memory_bytes = 42'297'524'224,
        .sm_count = 108,
        .l2_bytes = 40'000'000,
        .max_sm_mhz = 1410,
        .compute_major = 8,
        .compute_minor = 0,
        .matmul_efficiency_max = 0.87,
        .scale_up_bytes_per_s = 300e9},
    Gpu{.id = "b200",
        .title = "B200",
        .device_name = "NVIDIA B200",
        .generation = Generation::blackwell,
        .bf16_flop_per_s = 2250e12,
        .fp32_flop_per_s = 80e12,
        .hbm_bytes_per_s = 8.0e12,
        .memory_bytes = 191'503'138'816,
        .sm_count = 148,
        .l2_bytes = 126'000'000,
        .max_sm_mhz = 1965,
        .compute_major = 10,
        .compute_minor = 0,
        .matmul_efficiency_max = 0.78,
        .scale_up_bytes_per_s = 900e9},
    Gpu{.id = "l40s",
        .title = "L40S",
        .device_name = "NVIDIA L40S",
        .generation = Generation::ada,
        .bf16_flop_per_s = 362e12,
        .fp32_flop_per_s = 91.6e12,
        .hbm_bytes_per_s = 0.864e12,
        .memory_bytes = 47'697'362'944,
        .sm_count = 142,
        .l2_bytes = 96'000'000,
        .max_sm_mhz = 2520,
        .compute_major = 8,
        .compute_minor = 9,
        .matmul_efficiency_max = 0.75,
        .scale_up_bytes_per_s = 0},
    Gpu{.id = "l4",
        .title = "L4",
        .device_name = "NVIDIA L4",
        .generation = Generation::ada,
        .bf16_flop_per_s = 121e12,
        .fp32_flop_per_s = 30.3e12,
        .hbm_bytes_per_s = 0.300e12,
        .memory_bytes = 23'595'319'296,
        .sm_count = 58,
        .l2_bytes = 48'000'000,
        .max_sm_mhz = 2040,
        .compute_major = 8,
        .compute_minor = 9,
        .matmul_efficiency_max = 0.60,
        .scale_up_bytes_per_s = 0},
    Gpu{.id = "t4",
        .title = "T4",
        .device_name = "Tesla T4",
        .generation = Generation::turing,
        .bf16_flop_per_s = 65e12,
        .fp32_flop_per_s = 8.1e12,
        .hbm_bytes_per_s = 0.320e12,
        .memory_bytes = 15'828'320'256,
        .sm_count = 40,
        .l2_bytes = 4'000'000,
        .max_sm_mhz = 1590,
        .compute_major = 7,
        .compute_minor = 5,
        .matmul_efficiency_max = 0.50,
        .scale_up_bytes_per_s = 0},
    Gpu{.id = "a10",
        .title = "A10",
        .device_name = "NVIDIA A10",
        .generation = Generation::ampere,
        .bf16_flop_per_s = 125e12,
        .fp32_flop_per_s = 31.2e12,
        .hbm_bytes_per_s = 0.600e12,
        .memory_bytes = 23'609'475'072,
        .sm_count = 72,
        .l2_bytes = 6'000'000,
        .max_sm_mhz = 1695,
        .compute_major = 8,
        .compute_minor = 6,
        .matmul_efficiency_max = 0.62,
        .scale_up_bytes_per_s = 0},
    Gpu{.id = "rtx_4090",
        .title = "RTX 4090",
        .device_name = "NVIDIA GeForce RTX 4090",
        .generation = Generation::ada,
        .bf16_flop_per_s = 165.2e12,
        .fp32_flop_per_s = 82.6e12,
        .hbm_bytes_per_s = 1.008e12,
        .memory_bytes = 25'386'352'640,
        .sm_count = 128,
        .l2_bytes = 72'000'000,
        .max_sm_mhz = 2520,
        .compute_major = 8,
        .compute_minor = 9,
        .matmul_efficiency_max = 0.92,
        .scale_up_bytes_per_s = 0},
    Gpu{.id = "mi300x",
        .title = "MI300X",
        .device_name = "AMD Instinct MI300X",
        .generation = Generation::cdna3,
        .bf16_flop_per_s = 1307e12,
        .fp32_flop_per_s = 163.4e12,
        .hbm_bytes_per_s = 5.3e12,
        .memory_bytes = 206'141'652'992,
        .sm_count = 304,
        .l2_bytes = 32'000'000,
        .max_sm_mhz = 2100,
        .compute_major = 9,
        .compute_minor = 4,
        .matmul_efficiency_max = 0.51,
        .scale_up_bytes_per_s = 448e9},
};

}  // namespace

bool is_amd(const Gpu& gpu) { return gpu.generation == Generation::cdna2 || gpu.generation == Generation::cdna3; }

bool has_bf16(const Gpu& gpu) { return gpu.generation != Generation::volta && gpu.generation != Generation::turing; }

std::string_view scale_up_name(const Gpu& gpu) { return is_amd(gpu) ? "xGMI" : "NVLink"; }

std::span<const Gpu> all_gpus() { return kGpus; }

const Gpu* find_gpu(std::string_view id) {
  for (const Gpu& gpu : kGpus) {
    if (gpu.id == id) return &gpu;
  }
  return nullptr;
}

const Gpu* find_gpu_by_device_name(std::string_view device_name) {
  for (const Gpu& gpu : kGpus) {
    if (gpu.device_name == device_name) return &gpu;
  }
  return nullptr;
}

}  // namespace td::hardware
