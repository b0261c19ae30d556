// A mixture of experts whose ranks do not have the same number of tokens: who is late is late in the experts alone.
#pragma once

#include <cstddef>
#include <optional>

#include "analysis/measured.h"

namespace td::analysis {

struct ExpertSkew {
  size_t fullest = 0;  // indices in Measured::ranks
  size_t emptiest = 0;
  TimeNs most_ns = 0;      // of the experts' kernels, mean per step, on the fullest rank
  TimeNs mean_ns = 0;      // over the ranks
  double factor = 1;       // most / mean
  double rest_factor = 1;  // the same of all other kernels
  TimeNs wait_ns = 0;      // exposed waiting, mean over ranks
  TimeNs gain_ns = 0;      // what even experts would save per step
  bool by_name = true;     // kernels are named as experts'; else they are those between two all-to-alls
};

inline constexpr double kExpertSpread = 0.15;  // max over mean, less one

// Nothing unless the ranks of the job exchange tokens in all-to-alls and only the kernels between these differ over the
// ranks. Tokens may crowd on another rank in each layer, so the excess is taken collective by collective.
std::optional<ExpertSkew> expert_skew(const Measured& measured);

}  // namespace td::analysis
