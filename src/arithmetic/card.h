// Spec flash cards: one number of one chip, asked both ways.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arithmetic/draw.h"
#include "arithmetic/problem.h"
#include "base/result.h"

namespace td::arithmetic {

// A property that cards ask for and the reference page lists.
struct Spec {
  std::string_view id;                          // "bf16_peak"
  std::string_view title;                       // "dense BF16 peak"
  std::string_view unit;                        // as printed
  double (*value)(const Chip& chip) = nullptr;  // in base units; 0: the chip has none
};

std::span<const Spec> all_specs();
std::vector<Chip> all_chips();

// Forwards ("H100 SXM: memory bandwidth?") or backwards ("Which chip has 3.35 TB/s?", only where the number tells). The
// category is "spec_card".
Problem draw_card(uint32_t seed);

// Cards are named "card.1/SEED".
std::string card_name(uint32_t seed);
Result<uint32_t> parse_card_name(std::string_view name);

}  // namespace td::arithmetic
