// Decks and the names of drills.
//
// A drill is DECK.VERSION/SEED, e.g. "core.1/48213". A deck is an ordered list of cause ids with weights, independent
// of what else exists; any change of what a seed gives raises the version, so that a name stays what it was.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "drill/composition.h"
#include "drill/level.h"

namespace td::drill {

struct DeckEntry {
  std::string_view cause;
  int32_t weight = 1;
};

struct Deck {
  std::string_view id;  // "core"
  int32_t version = 1;
  std::string_view title;
  std::vector<DeckEntry> entries;
  Level level = Level::standard;
  Composition composition = Composition::all;
  bool is_default = false;

  [[nodiscard]] std::string name() const;  // "core.1"
};

// The default one first.
std::span<const Deck> all_decks();

// nullptr if there is none of that id, e.g. "first".
const Deck* find_deck(std::string_view id);

// The deck of the eleven causes at this level.
const Deck& core_deck(Level level);

struct DrillName {
  const Deck* deck = nullptr;
  uint32_t seed = 0;
};

// "core.1/48213". not_found lists the valid decks; invalid_argument says what a seed is.
Result<DrillName> parse_drill_name(std::string_view text);
std::string to_string(const DrillName& name);

// A seed from its decimal text, 0 to 4294967295, without sign or leading zeros. invalid_argument otherwise.
Result<uint32_t> parse_seed(std::string_view text);

// The cause that this seed draws from the deck, by weight, of those that have a scenario. Draws are independent: what
// has come says nothing about what comes.
std::string_view draw_cause(const Deck& deck, uint32_t seed);

}  // namespace td::drill
