#include "drill/composition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "drill/deck.h"
#include "drill/scenario.h"

namespace td::drill {
namespace {

// The causes of the core deck that can be drawn, with their weights.
std::vector<DeckEntry> drawn_causes() {
  std::vector<DeckEntry> out;
  for (const DeckEntry& entry : core_deck(Level::standard).entries) {
    for (const Scenario& scenario : all_scenarios()) {
      if (scenario.cause != entry.cause) continue;
      out.push_back(entry);
      break;
    }
  }
  return out;
}

TEST(Composition, SharesAddUpToOne) {
  const std::vector<TraitClass> classes = all_trait_classes();
  ASSERT_FALSE(classes.empty());
  for (const DeckEntry& entry : drawn_causes()) {
    double sum = 0;
    for (const TraitClass& traits : classes) sum += share_of(traits, entry.cause);
    EXPECT_NEAR(sum, 1, 1e-9) << entry.cause;
  }
}

bool is_pipeline(const TraitClass& traits) { return traits.form->parallelism.kind == sim::Parallelism::Kind::pipeline; }

// What is asked, and what is reached with pipelines that only three causes have.
constexpr double kAllowed = 0.25;
constexpr double kPipelines = 0.85;

// No job tells its cause: chance is 1/12, for healthy 1/6.
TEST(Composition, NoTraitsTellTheCause) {
  const std::vector<DeckEntry> causes = drawn_causes();
  double highest = 0;
  for (const TraitClass& traits : all_trait_classes()) {
    double all = 0;
    for (const DeckEntry& entry : causes) all += entry.weight * share_of(traits, entry.cause);
    for (const DeckEntry& entry : causes) {
      const double posterior = all > 0 ? entry.weight * share_of(traits, entry.cause) / all : 0;
      highest = std::max(highest, posterior);
      ASSERT_LE(posterior, is_pipeline(traits) ? kPipelines : kAllowed)
          << entry.cause << " given " << traits.form->id << ", " << to_string(traits.family) << ", " << traits.ranks
          << " ranks, size " << traits.size << ", loader " << traits.loader;
    }
  }
  RecordProperty("highest_permille", static_cast<int>(highest * 1000));
}

TEST(Composition, CompiledJobsAreAThirdWhateverTheCause) {
  const std::vector<TraitClass> classes = all_trait_classes();
  for (const DeckEntry& entry : drawn_causes()) {
    double compiled = 0;
    for (const TraitClass& traits : classes) {
      if (traits.form->execution == sim::Execution::compiled) compiled += share_of(traits, entry.cause);
    }
    EXPECT_GE(compiled, 1.0 / 3) << entry.cause;
  }
}

// What is drawn has the table's shares.
TEST(Composition, DrawsFollowTheTable) {
  constexpr int kDraws = 3000;
  for (const std::string_view cause : {"healthy", "launch_bound", "recompilation"}) {
    std::map<sim::Execution, double> expected;
    for (const TraitClass& traits : all_trait_classes()) {
      expected[traits.form->execution] += share_of(traits, cause);
    }
    std::map<sim::Execution, int> drawn;
    for (uint64_t seed = 0; seed < kDraws; ++seed) {
      const auto traits = draw_traits(cause, seed, Composition::all);
      ASSERT_TRUE(traits.has_value()) << traits.error().text();
      ++drawn[traits->execution];
      EXPECT_GE(traits->step_ns, 60 * kNsPerMs);
      EXPECT_LE(traits->step_ns, (cause == "launch_bound" ? 120 : 330) * kNsPerMs);
    }
    for (const auto& [execution, share] : expected) {
      // Four standard deviations of a binomial.
      EXPECT_NEAR(drawn[execution], share * kDraws, 4 * std::sqrt(std::max(share * (1 - share), 0.0) * kDraws) + 1)
          << cause;
    }
  }
}

TEST(Composition, StepsAndRanksAreDrawnWhateverTheCause) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const auto one = draw_traits("straggler", seed, Composition::all);
    const auto other = draw_traits("bandwidth_bound_collective", seed, Composition::all);
    ASSERT_TRUE(one && other);
    EXPECT_EQ(one->recorded_steps, other->recorded_steps);
    EXPECT_EQ(one->fabric.world_size(), other->fabric.world_size());
  }
}

TEST(Composition, UnknownCausesAreErrors) {
  const auto traits = draw_traits("gremlins", 1, Composition::all);
  ASSERT_FALSE(traits.has_value());
  EXPECT_EQ(traits.error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace td::drill
