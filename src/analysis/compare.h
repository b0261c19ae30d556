// Two readings of one job, before and after a change: the same ledger side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/reading.h"

namespace td::analysis {

enum class Change : uint8_t { better, worse, same, not_comparable };
std::string_view to_string(Change change);

// A part of the step, mean over the ranks' steady steps. The parts named compute, exposed_comm, exposed_copy and those
// of idle by owner ("idle:sync") add up to the step, up to a nanosecond a part.
struct ComparedPart {
  std::string name;
  TimeNs before_ns = 0;
  TimeNs after_ns = 0;
};

struct Comparison {
  Change change = Change::not_comparable;
  std::vector<std::string> reasons;  // why not comparable; else what should be known beside the verdict
  std::optional<TimeNs> before_ns;   // mean steady step over the ranks
  std::optional<TimeNs> after_ns;
  // Twice the standard error of the difference of the two means, from the spread of the steps; where a side has fewer
  // than three steps a twentieth of the step stands in.
  std::optional<TimeNs> noise_ns;
  std::vector<ComparedPart> parts;  // the largest change first
  std::vector<std::string> gone;    // causes found before and not after, and the other way round
  std::vector<std::string> come;
  std::vector<std::string> stayed;
};

// Not comparable: a reading that is unreadable or without marked steps, different numbers of ranks, or steps that run
// other kernels (their number a step differs by more than a fifth and the largest kernels have other names). Better or
// worse: the mean step changed by more than the noise and by more than 1 %.
Comparison compare(const Reading& before, const Reading& after);

}  // namespace td::analysis
