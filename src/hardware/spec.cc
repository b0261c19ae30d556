#include "hardware/spec.h"

#include <array>

namespace td::hardware {
namespace {

constexpr std::string_view kAmpere =
    "NVIDIA A100 data sheet and Ampere tuning guide (163 KiB of shared memory a block).";
constexpr std::string_view kAda =
    "NVIDIA L40S data sheet (dense rates: half of the sparse ones printed there) and Ada tuning guide.";
constexpr std::string_view kHopper =
    "NVIDIA H100/H200 data sheets (dense: half of the sparse rates printed there) and Hopper tuning guide (227 KiB a "
    "block).";
constexpr std::string_view kBlackwell =
    "NVIDIA HGX B200 page (dense, 8.0 TB/s a GPU; older sheets say 7.7) and Blackwell tuning guide.";

// fp8: dense. shared_per_block: cudaDeviceProp.sharedMemPerBlockOptin as public traces print it. network: one card a
// GPU in DGX/HGX servers, 200 Gb/s with A100, 400 Gb/s with H100 and later.
constexpr std::array kSpecs = {
    ChipSpec{"a100_40gb", 0, 40, 166'912, true, 25e9, kAmpere},
    ChipSpec{"a100_80gb", 0, 80, 166'912, true, 25e9, kAmpere},
    ChipSpec{"l40s", 733e12, 48, 101'376, true, 25e9, kAda},
    ChipSpec{"h100_sxm", 1979e12, 80, 232'448, true, 50e9, kHopper},
    ChipSpec{"h200", 1979e12, 141, 232'448, true, 50e9, kHopper},
    ChipSpec{"b200", 4500e12, 180, 232'448, false, 50e9, kBlackwell},
};

}  // namespace

std::span<const ChipSpec> all_chip_specs() { return kSpecs; }

const ChipSpec* find_chip_spec(std::string_view gpu_id) {
  for (const ChipSpec& spec : kSpecs) {
    if (spec.gpu == gpu_id) return &spec;
  }
  return nullptr;
}

}  // namespace td::hardware
