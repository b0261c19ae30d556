// What a finding's confidence means: how far its deciding numbers stand from the thresholds that they must pass.
#pragma once

#include <initializer_list>

namespace td::analysis {

// One criterion: `value` must reach `threshold` (both > 0).
struct Margin {
  double value = 0;
  double threshold = 1;
};

// 1 - 1 / (2 m^2), m = value / threshold: 0.5 at the threshold, 0.78 at 1.5 times, 0.875 at twice, 0.98 at five times;
// 0 below.
double confidence_of(Margin margin);

// The weakest criterion's confidence, times `evidence` (0..1): what the amount and quality of the trace allow.
double confidence_of(std::initializer_list<Margin> margins, double evidence);

// n / (n + 1/4) for n steady steps: 0.8 for one, 0.92 for three.
double step_evidence(long long steps);

}  // namespace td::analysis
