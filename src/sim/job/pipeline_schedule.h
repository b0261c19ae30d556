// The order in which one pipeline stage runs its forwards and backwards.
#pragma once

#include <cstdint>
#include <vector>

namespace td::sim {

// One microbatch through one chunk of the model. Chunk c of stage s is the c x stages + s -th part of the model.
struct PipelineOp {
  bool forward = true;
  int32_t chunk = 0;
  int32_t microbatch = 0;

  friend bool operator==(const PipelineOp&, const PipelineOp&) = default;
};

// 1F1B: as many forwards as there are stages behind this one, then one forward and one backward in turn, then the
// backwards that are left. Interleaved, for virtual_stages > 1: the same over chunks, `stages` microbatches a chunk at
// a time; microbatches must then be a multiple of stages.
//   stage  0 to stages - 1
// Source: arXiv:2104.04473 (Megatron-LM), 2.2.
std::vector<PipelineOp> pipeline_schedule(int32_t stage, int32_t stages, int32_t virtual_stages, int32_t microbatches);

}  // namespace td::sim
