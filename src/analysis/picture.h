// One step as rows of characters: what a terminal shows of a timeline.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/reading.h"

namespace td::analysis {

struct Measured;

// The first rank's median steady step, cut into columns. Empty without a step.
//   host rows  the thread that launches, by what it is in most of a column's time: a letter of HostClass, ' ' for
//   nothing GPU rows   by stream: eighths of the column that its work covers
Picture picture_of(const Measured& measured, size_t columns);

}  // namespace td::analysis
