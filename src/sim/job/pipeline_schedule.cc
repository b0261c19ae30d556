#include "sim/job/pipeline_schedule.h"

#include <algorithm>

namespace td::sim {

std::vector<PipelineOp> pipeline_schedule(int32_t stage, int32_t stages, int32_t virtual_stages, int32_t microbatches) {
  const int32_t total = microbatches * virtual_stages;
  const int32_t behind = stages - 1 - stage;
  // A chunk's microbatches come in groups of `stages`, so that the first is back from the last stage when the group
  // ends.
  const int32_t ahead = virtual_stages == 1 ? behind : 2 * behind + (virtual_stages - 1) * stages;
  const int32_t warmup = std::min(total, ahead);
  const auto op = [&](int32_t number, bool forward) {
    if (virtual_stages == 1) return PipelineOp{forward, 0, number};
    const int32_t round = number / (stages * virtual_stages);
    const int32_t chunk = number % (stages * virtual_stages) / stages;
    return PipelineOp{forward, forward ? chunk : virtual_stages - 1 - chunk, round * stages + number % stages};
  };
  std::vector<PipelineOp> out;
  for (int32_t i = 0; i < warmup; ++i) out.push_back(op(i, true));
  for (int32_t i = warmup; i < total; ++i) {
    out.push_back(op(i, true));
    out.push_back(op(i - warmup, false));
  }
  for (int32_t i = total - warmup; i < total; ++i) out.push_back(op(i, false));
  return out;
}

}  // namespace td::sim
