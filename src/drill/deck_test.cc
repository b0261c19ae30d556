#include "drill/deck.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "catalog/catalog.h"

namespace td::drill {
namespace {

TEST(DrillName, RoundTrips) {
  for (std::string_view text : {"first.1/0", "core.1/48213", "hard.1/4294967295"}) {
    const auto name = parse_drill_name(text);
    ASSERT_TRUE(name.has_value()) << name.error().text();
    EXPECT_EQ(to_string(*name), text);
  }
}

TEST(DrillName, ErrorsSayWhatIsValid) {
  for (std::string_view text : {"", "first.1", "first/7", "first.2/7", "nope.1/7", "FIRST.1/7"}) {
    const auto name = parse_drill_name(text);
    ASSERT_FALSE(name.has_value()) << text;
    const bool names_a_deck = text.find('/') != std::string_view::npos;
    EXPECT_EQ(name.error().code, names_a_deck ? ErrorCode::not_found : ErrorCode::invalid_argument) << text;
    EXPECT_NE(name.error().message.find("first.1"), std::string::npos) << name.error().message;
  }
  for (std::string_view text : {"first.1/", "first.1/-1", "first.1/+1", "first.1/4294967296", "first.1/7x",
                                "first.1/ 7", "first.1/007", "first.1/1e3", "first.1/7/8"}) {
    const auto name = parse_drill_name(text);
    ASSERT_FALSE(name.has_value()) << text;
    EXPECT_NE(name.error().message.find("0 to 4294967295"), std::string::npos) << name.error().message;
  }
}

TEST(Deck, DrawsByWeight) {
  const Deck& deck = *find_deck("first");
  std::map<std::string_view, int> counts;
  constexpr int kDraws = 4000;
  for (uint32_t seed = 0; seed < kDraws; ++seed) ++counts[draw_cause(deck, seed)];
  ASSERT_EQ(counts.size(), 3U);
  // Four standard deviations of a binomial around 1/2 and 1/4: 126 and 110.
  EXPECT_NEAR(counts["healthy"], 2000, 126);
  EXPECT_NEAR(counts["straggler"], 1000, 110);
  EXPECT_NEAR(counts["bandwidth_bound_collective"], 1000, 110);
}

TEST(Deck, NeighbouringSeedsAreIndependent) {
  const Deck& deck = *find_deck("first");
  int same = 0;
  constexpr int kDraws = 4000;
  for (uint32_t seed = 0; seed < kDraws; ++seed) same += draw_cause(deck, seed) == draw_cause(deck, seed + 1) ? 1 : 0;
  // 1/4 + 1/16 + 1/16 = 3/8; four standard deviations: 122.
  EXPECT_NEAR(same, 1500, 122);
}

TEST(Deck, TheDefaultIsTheElevenCausesWithHealthyTwice) {
  const Deck& core = core_deck(Level::standard);
  EXPECT_TRUE(core.is_default);
  EXPECT_EQ(core.name(), "core.1");
  EXPECT_EQ(core_deck(Level::hard).name(), "hard.1");
  for (const Deck* deck : {&core, &core_deck(Level::hard)}) {
    EXPECT_EQ(deck->entries.size(), 11U);
    for (const DeckEntry& entry : deck->entries) EXPECT_EQ(entry.weight, entry.cause == "healthy" ? 2 : 1);
  }
  int defaults = 0;
  for (const Deck& deck : all_decks()) defaults += deck.is_default ? 1 : 0;
  EXPECT_EQ(defaults, 1);
  EXPECT_EQ(&all_decks()[0], &core);
}

TEST(Deck, AllElevenCausesAreDrawn) {
  std::set<std::string_view> drawn;
  for (uint32_t seed = 0; seed < 400; ++seed) drawn.insert(draw_cause(core_deck(Level::standard), seed));
  EXPECT_EQ(drawn.size(), 11U);
}

// The same seed says nothing of the other level.
TEST(Deck, LevelsDrawApart) {
  int same = 0;
  constexpr int kDraws = 2000;
  for (uint32_t seed = 0; seed < kDraws; ++seed) {
    same += draw_cause(core_deck(Level::standard), seed) == draw_cause(core_deck(Level::hard), seed) ? 1 : 0;
  }
  EXPECT_LT(same, kDraws / 5);
}

TEST(Level, RoundTripsAndErrorsSayWhatIsValid) {
  for (const Level level : {Level::standard, Level::hard}) {
    const auto parsed = parse_level(to_string(level));
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(*parsed, level);
  }
  const auto wrong = parse_level("harder");
  ASSERT_FALSE(wrong.has_value());
  EXPECT_NE(wrong.error().message.find("standard or hard"), std::string::npos) << wrong.error().message;
}

TEST(Deck, NamesOnlyCatalogueCauses) {
  for (const Deck& deck : all_decks()) {
    for (const DeckEntry& entry : deck.entries) EXPECT_NE(catalog::find_cause(entry.cause), nullptr) << entry.cause;
  }
}

}  // namespace
}  // namespace td::drill
