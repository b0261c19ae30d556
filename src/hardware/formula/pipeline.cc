#include "hardware/formula/pipeline.h"

namespace td::hardware {

double bubble_frac(int32_t stages, int64_t microbatches, int32_t virtual_stages) {
  const double work = static_cast<double>(virtual_stages) * static_cast<double>(microbatches);
  return (stages - 1) / (work + stages - 1);
}

}  // namespace td::hardware
