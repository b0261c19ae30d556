#include "drill/deck.h"

#include <charconv>

#include "base/random.h"
#include "drill/scenario.h"

namespace td::drill {

std::string Deck::name() const { return std::string(id) + "." + std::to_string(version); }

std::span<const Deck> all_decks() {
  // Healthy comes twice as often as any fault: who always finds something has not learnt to read.
  static const std::vector<DeckEntry> kElevenCauses = {
      {"healthy", 2},          {"unoverlapped_allreduce", 1},     {"input_starvation", 1}, {"launch_bound", 1},
      {"straggler", 1},        {"memory_bound_kernel", 1},        {"sync_stalls", 1},      {"pipeline_bubbles", 1},
      {"allocator_stalls", 1}, {"bandwidth_bound_collective", 1}, {"recompilation", 1}};
  static const std::vector<Deck> kDecks = {
      {.id = "core",
       .version = 1,
       .title = "All eleven causes",
       .entries = kElevenCauses,
       .level = Level::standard,
       .is_default = true},
      {.id = "hard",
       .version = 1,
       .title = "All eleven causes, hard: smaller effects, and the second look decides",
       .entries = kElevenCauses,
       .level = Level::hard},
      {.id = "first",
       .version = 1,
       .title = "Data-parallel training: healthy, or one of two lookalikes",
       .entries = {{"healthy", 2}, {"straggler", 1}, {"bandwidth_bound_collective", 1}},
       .composition = Composition::data_parallel},
  };
  return kDecks;
}

const Deck* find_deck(std::string_view id) {
  for (const Deck& deck : all_decks()) {
    if (deck.id == id) return &deck;
  }
  return nullptr;
}

const Deck& core_deck(Level level) { return *find_deck(level == Level::hard ? "hard" : "core"); }

namespace {

bool has_scenario(std::string_view cause) {
  for (const Scenario& scenario : all_scenarios()) {
    if (scenario.cause == cause) return true;
  }
  return false;
}

std::string valid_decks() {
  std::string out;
  for (const Deck& deck : all_decks()) out += (out.empty() ? "" : ", ") + deck.name();
  return out;
}

}  // namespace

Result<uint32_t> parse_seed(std::string_view text) {
  uint32_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  const bool whole = !text.empty() && error == std::errc() && end == text.data() + text.size();
  if (!whole || (text.size() > 1 && text.front() == '0')) {
    return fail(ErrorCode::invalid_argument,
                "seed is " + quote_short(text) + ", expected a whole number from 0 to 4294967295");
  }
  return seed;
}

Result<DrillName> parse_drill_name(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    return fail(ErrorCode::invalid_argument, "drill is " + quote_short(text) + ", expected DECK.VERSION/SEED, e.g. " +
                                                 all_decks()[0].name() + "/48213; decks: " + valid_decks());
  }
  for (const Deck& deck : all_decks()) {
    if (deck.name() == text.substr(0, slash)) return DrillName{&deck, TRY(parse_seed(text.substr(slash + 1)))};
  }
  return fail(ErrorCode::not_found, "no deck " + quote_short(text.substr(0, slash)) + "; decks: " + valid_decks());
}

std::string to_string(const DrillName& name) { return name.deck->name() + "/" + std::to_string(name.seed); }

std::string_view draw_cause(const Deck& deck, uint32_t seed) {
  std::vector<DeckEntry> entries;
  int64_t total = 0;
  for (const DeckEntry& entry : deck.entries) {
    if (!has_scenario(entry.cause)) continue;
    entries.push_back(entry);
    total += entry.weight;
  }
  RandomStream stream(seed, "drill.cause." + deck.name());
  int64_t left = stream.uniform_int(0, total - 1);
  for (const DeckEntry& entry : entries) {
    left -= entry.weight;
    if (left < 0) return entry.cause;
  }
  return entries.back().cause;
}

}  // namespace td::drill
