#include "analysis/confidence.h"

#include <algorithm>

namespace td::analysis {

double confidence_of(Margin margin) {
  if (!(margin.value >= margin.threshold) || margin.threshold <= 0) return 0;
  const double part = margin.threshold / margin.value;
  return 1.0 - part * part / 2.0;
}

double confidence_of(std::initializer_list<Margin> margins, double evidence) {
  double weakest = 1;
  for (const Margin& margin : margins) weakest = std::min(weakest, confidence_of(margin));
  return weakest * std::clamp(evidence, 0.0, 1.0);
}

double step_evidence(long long steps) {
  const auto n = static_cast<double>(std::max(steps, 0LL));
  return n / (n + 0.25);
}

}  // namespace td::analysis
