// What real traces come to (lifelike.h), the smallest and the largest: `td_gates --measure` over them.
#pragma once

#include <array>

#include "lifelike.h"

namespace td::gates {

struct Range {
  double least = 0;
  double most = 0;
};

// In the order of kLifelikeFields.
inline constexpr std::array<Range, kLifelikeFields.size()> kRealRanges = {{
    {0, 1e12},
    {0, 1e12},
    {0, 1e12},
    {0, 1e12},
    {0, 1e12},
    {0, 1e12},
    {0, 1e12},
    {0, 1e12},
}};

}  // namespace td::gates
