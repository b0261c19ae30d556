// Units as people type them: "TB/s", "tb/s", "Gbps", "tokens per second", "TFLOPS", "µs".
#pragma once

#include <optional>
#include <string_view>

#include "arithmetic/quantity.h"
#include "arithmetic/unit.h"

namespace td::arithmetic {

struct TypedUnit {
  double scale = 1;  // of one such unit in base units
  Dimension dimension;
  bool was_bits = false;  // typed in bits; `scale` has the division by 8
};

// Nothing if the text is no unit. `asked` decides what cannot be told otherwise: a lone prefix ("989T") is of the asked
// kind, "TFLOPS" is a rate where a rate is asked, and words for what is counted may be shortened. Small b after a
// capital prefix is bits (Gb/s), as is "bps"; "gb/s" in small letters alone is bytes.
std::optional<TypedUnit> parse_unit(std::string_view text, const Unit& asked);

// Whether a number of that unit answers what is asked. Tokens, parameters and samples may be left out ("kB" for
// "kB/tok"): the question says what it is per.
bool answers(const Dimension& typed, const Dimension& asked);

}  // namespace td::arithmetic
