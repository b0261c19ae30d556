// Two runs of a drill's job side by side: as the drill has it, and with the fix applied. The learner says which of them
// has something wrong, and what.
//
// Both are shown in an order that the seed draws, and each has noise of its own (another run seed), so that neither the
// order nor slices that agree to the nanosecond tell anything. A healthy drill gives two healthy runs: neither is
// wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "drill/drill.h"

namespace td::drill {

enum class Side : uint8_t { a, b, neither };
std::string_view to_string(Side side);

// Nothing in here may tell the cause or the order.
struct Contrast {
  std::vector<Fact> facts;  // as true of one run as of the other
  FixedRun a;
  FixedRun b;
};

struct ContrastAnswer {
  Side side = Side::neither;
  std::string diagnosis;  // a catalogue id
};

struct ContrastReveal {
  Side faulty = Side::neither;
  Side run = Side::a;  // the drill's own run, in which the truth's evidence lies: the faulty one, unless neither is
  Truth truth;
  std::vector<Part> parts;  // "side", "diagnosis"
};

Result<Contrast> open_contrast(const DrillName& name);
Result<ContrastReveal> reveal_contrast(const DrillName& name, const ContrastAnswer& answer);

// Where the drill's own run stands. Never Side::neither.
Side drawn_side(uint32_t seed);

}  // namespace td::drill
