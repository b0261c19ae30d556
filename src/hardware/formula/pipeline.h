// What a pipeline's fill and drain cost.
#pragma once

#include <cstdint>

namespace td::hardware {

// The share of a step in which a stage of a 1F1B pipeline has nothing to do, 0 to 1: (p - 1) / (v m + p - 1), where the
// step is (m + (p - 1) / v) times a stage's forward and backward of one microbatch. All stages equal, messages free.
//   stages p, microbatches m, virtual_stages v (chunks a stage, 1 without interleaving), each at least 1
// Source: arXiv:2104.04473 (Megatron-LM), 2.2.
double bubble_frac(int32_t stages, int64_t microbatches, int32_t virtual_stages);

}  // namespace td::hardware
