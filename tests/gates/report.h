// The table of all gates, with bounds.
#pragma once

#include <vector>

#include "sample.h"

namespace td::gates {

// Prints every number and returns how many bounds are not met.
int report(const std::vector<Sample>& samples);

}  // namespace td::gates
