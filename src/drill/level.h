// How hard a drill is. A level is a property of a deck, so that a drill's name says it: "core.1/7", "hard.1/7".
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace td::drill {

enum class Level : uint8_t {
  standard,  // the effect is large, and one look decides between lookalikes
  hard,      // smaller effects (still at least 5 % of the mean step), more noise, a second look decides
};

std::string_view to_string(Level level);  // "standard", "hard"

// invalid_argument lists the valid ones.
Result<Level> parse_level(std::string_view text);

}  // namespace td::drill
