// What must hold of every instance: gate 6.
#pragma once

#include <string>
#include <vector>

#include "analysis/facts.h"
#include "drill/draw.h"

namespace td::gates {

// One sentence for each law that is broken. `thorough`: also those that simulate or read again.
std::vector<std::string> broken_laws(const drill::SimulatedInstance& instance, const analysis::Facts& facts,
                                     bool thorough);

}  // namespace td::gates
