#include "drill/contrast.h"

#include <gtest/gtest.h>

#include "trace/check_trace.h"
#include "trace/dump.h"

namespace td::drill {
namespace {

DrillName named(uint32_t seed) {
  auto name = parse_drill_name("core.1/" + std::to_string(seed));
  EXPECT_TRUE(name.has_value());
  return *name;
}

TimeNs mean_step_ns(const FixedRun& run) {
  return (run.steps.back().end_ns - run.steps.front().begin_ns) / static_cast<TimeNs>(run.steps.size());
}

TEST(Contrast, TheFaultyRunIsTheDrillsOwnAndTheOtherIsFaster) {
  int faulty = 0;
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    const DrillName name = named(seed);
    const auto contrast = open_contrast(name);
    const auto exercise = open_drill(name);
    const auto reveal = reveal_contrast(name, {.side = Side::a, .diagnosis = "inconclusive"});
    ASSERT_TRUE(contrast && exercise && reveal) << seed;
    const FixedRun& own = reveal->run == Side::a ? contrast->a : contrast->b;
    const FixedRun& other = reveal->run == Side::a ? contrast->b : contrast->a;
    EXPECT_EQ(trace::hash_of(own.trace), trace::hash_of(exercise->trace)) << seed;
    EXPECT_NE(trace::hash_of(other.trace), trace::hash_of(exercise->trace)) << seed;
    EXPECT_TRUE(trace::check_trace(other.trace, trace::Strictness::simulated).empty()) << seed;
    EXPECT_EQ(reveal->faulty == Side::neither, reveal->truth.cause == "healthy") << seed;
    if (reveal->faulty == Side::neither || reveal->truth.win.per_token) continue;
    EXPECT_GT(mean_step_ns(own), mean_step_ns(other)) << seed;
    ++faulty;
  }
  EXPECT_GT(faulty, 0);
}

TEST(Contrast, SideAndDiagnosisAreGradedApart) {
  const DrillName name = named(1);
  const auto truth = reveal_contrast(name, {.side = Side::a, .diagnosis = "inconclusive"});
  ASSERT_TRUE(truth.has_value());
  for (const Side side : {Side::a, Side::b, Side::neither}) {
    const auto reveal = reveal_contrast(name, {.side = side, .diagnosis = truth->truth.cause});
    ASSERT_TRUE(reveal.has_value());
    ASSERT_EQ(reveal->parts.size(), 2U);
    EXPECT_EQ(reveal->parts[0].grade, side == truth->faulty ? Grade::right : Grade::wrong);
    EXPECT_EQ(reveal->parts[1].id, "diagnosis");
    EXPECT_EQ(reveal->parts[1].grade, Grade::right);
  }
  EXPECT_EQ(truth->parts[1].grade, Grade::wrong);
}

TEST(Contrast, TheOrderIsDrawn) {
  int first = 0;
  for (uint32_t seed = 0; seed < 1000; ++seed) first += drawn_side(seed) == Side::a ? 1 : 0;
  EXPECT_GT(first, 430);
  EXPECT_LT(first, 570);
}

// What is said of both runs is true of both.
TEST(Contrast, FactsHoldWithAndWithoutTheFault) {
  for (const Scenario& scenario : all_scenarios()) {
    const auto traits = draw_traits(scenario.cause, 1, Composition::all);
    ASSERT_TRUE(traits.has_value());
    const auto drawn = scenario.draw({.seed = 1, .level = Level::standard, .traits = *traits});
    if (!drawn) continue;
    const auto run = job_as_run(drawn->job, drawn->faults);
    const auto fixed = job_as_run(drawn->fixed_job, drawn->fixed_faults);
    ASSERT_TRUE(run && fixed) << scenario.id;
    const auto facts = lasting_facts(*run);
    const auto fixed_facts = lasting_facts(*fixed);
    ASSERT_EQ(facts.size(), fixed_facts.size());
    for (size_t at = 0; at < facts.size(); ++at) EXPECT_EQ(facts[at].value, fixed_facts[at].value) << scenario.id;
  }
}

}  // namespace
}  // namespace td::drill
