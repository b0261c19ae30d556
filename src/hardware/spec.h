// What a data sheet says of a chip beyond what a simulation needs (gpu.h): further number formats, the label of its
// memory, a block's shared memory, the network card that it usually has. For sums done in the head.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "hardware/gpu.h"

namespace td::hardware {

struct ChipSpec {
  std::string_view gpu;                   // id in the catalogue of gpu.h
  double fp8_flop_per_s = 0;              // dense; 0: no FP8 units
  int32_t memory_label_gb = 0;            // as sold, meant as 10^9 bytes in sums
  int64_t shared_per_block_bytes = 0;     // most that one block may have; 0 where blocks have none of that kind
  bool accumulates_in_registers = false;  // false on Blackwell: Tensor Memory
  double network_bytes_per_s = 0;         // of the network card that one GPU of its usual server has, one way; 0: none
  std::string_view source;                // of the sheet's numbers, for people
};

// Chips that questions may name, oldest first. Each is in the catalogue of gpu.h.
std::span<const ChipSpec> all_chip_specs();
// By the id of the GPU, or nullptr.
const ChipSpec* find_chip_spec(std::string_view gpu_id);

}  // namespace td::hardware
