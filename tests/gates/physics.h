// Whether an instance could have happened: gate 3.
#pragma once

#include <string>
#include <vector>

#include "drill/draw.h"

namespace td::gates {

// One sentence for each rule that is broken, at most a few a rule: the invariants of a trace; transfers of world-wide
// collectives within 5 % of the model's table times the drawn contention; matrix products no faster than the GPU's
// peak; a model that fits the memory; an MFU under 65 %.
std::vector<std::string> unphysical(const drill::SimulatedInstance& instance);

}  // namespace td::gates
