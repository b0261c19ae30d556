#include <array>

#include "catalog/catalog.h"

namespace td::catalog {

std::span<const Choice> all_fixes() {
  static constexpr std::array<Choice, 13> kFixes = {{
      {"change_nothing", "Change nothing"},
      {"reset_clocks_or_drain", "Reset that GPU's clock, or drain the node"},
      {"compress_gradients", "Fewer bytes on the wire: bf16 gradients by a communication hook"},
      {"accumulate_gradients", "More microbatches a step: accumulate under no_sync"},
      {"interleave_stages", "Interleave the pipeline: several chunks of layers a stage"},
      {"faster_fabric", "Faster fabric, more NICs a node"},
      {"overlap_hooks", "Reduce inside backward: bucketed hooks on"},
      {"more_workers", "More loader workers, prefetch, cheaper decode"},
      {"cuda_graphs", "Fewer launches: CUDA graphs, torch.compile"},
      {"faster_host", "A faster host: CPU clock, pinned cores, no hooks in the loop"},
      {"fuse_or_quantise", "Fewer bytes through HBM: fuse, quantise, larger batch"},
      {"remove_syncs", "Keep values on the device: no sync inside the step"},
      {"stable_shapes", "Stable shapes: bucket or mark dynamic, expandable segments"},
  }};
  return kFixes;
}

}  // namespace td::catalog
