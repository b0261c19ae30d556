// One detector = one file that looks for one cause in what the earlier steps measured.
// Each file detect/ID.cc defines `Detector td::analysis::detect::ID()`.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "analysis/reading.h"

namespace td::analysis {

struct Measured;  // analysis/measured.h: everything before the findings

struct Detector {
  std::string_view cause;  // catalogue id
  // The finding, or nothing if this cause does not hold here.
  std::optional<Finding> (*detect)(const Measured& measured) = nullptr;
};

std::span<const Detector> all_detectors();

}  // namespace td::analysis
