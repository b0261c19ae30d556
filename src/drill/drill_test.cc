#include "drill/drill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "catalog/catalog.h"
#include "drill/explain_parts.h"
#include "sim/job/job.h"
#include "trace/check_trace.h"
#include "trace/dump.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 4;

SimulatedInstance simulated(const Scenario& scenario, uint64_t seed) {
  auto instance = simulate_instance(scenario, seed);
  if (!instance) ADD_FAILURE() << scenario.id << " " << seed << ": " << instance.error().text();
  return instance ? *std::move(instance) : SimulatedInstance{};
}

TEST(Scenarios, NameCatalogueCausesAndHaveAnExplainer) {
  for (const Scenario& scenario : all_scenarios()) {
    EXPECT_NE(catalog::find_cause(scenario.cause), nullptr) << scenario.cause;
    EXPECT_NE(find_explainer(scenario.cause), nullptr) << scenario.cause;
    EXPECT_NE(scenario.draw, nullptr);
  }
}

TEST(Scenarios, WinsLieWithinTheirBounds) {
  for (const Scenario& scenario : all_scenarios()) {
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      const SimulatedInstance instance = simulated(scenario, seed);
      const int64_t win = win_permille(instance.traced_measure, instance.fixed_measure);
      if (scenario.cause == "healthy") {
        EXPECT_EQ(win, 0) << seed;
        EXPECT_TRUE(looks_healthy(instance.traced_measure)) << seed;
      } else {
        EXPECT_GE(win, 50) << scenario.id << " " << seed;
        // Kernels that move too many bytes leave neither gaps nor exposed communication.
        const bool shows = scenario.cause != "memory_bound_kernel";
        EXPECT_EQ(looks_healthy(instance.traced_measure), !shows) << scenario.id << " " << seed;
      }
    }
  }
}

TEST(Scenarios, JobsCanExist) {
  for (const Scenario& scenario : all_scenarios()) {
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      const SimulatedInstance instance = simulated(scenario, seed);
      EXPECT_TRUE(sim::check_job(instance.job).has_value());
      EXPECT_LE(sim::memory_needed_bytes(instance.job), instance.job.gpu->memory_bytes);
      EXPECT_TRUE(sim::check_job(instance.instance.fixed_job).has_value());
      const int32_t mfu = mfu_permille(instance.job, instance.run.mean_step_ns, instance.run.tokens_per_step);
      EXPECT_GT(mfu, 50) << scenario.id << " " << seed;
      EXPECT_LT(mfu, 650) << scenario.id << " " << seed;
      EXPECT_GE(instance.run.steps.size(), 2U);
    }
  }
}

// Figures of the run in a prompt: framing_test.cc.
TEST(Exercise, StatesTheFabricAndNothingThatTheModelsSizeFollowsFrom) {
  for (const Scenario& scenario : all_scenarios()) {
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      SimulatedInstance instance = simulated(scenario, seed);
      const sim::Job job = instance.job;
      const TimeNs mean_step_ns = instance.run.mean_step_ns;
      const int64_t tokens = instance.run.tokens_per_step;
      TimeNs sum = 0;
      for (const sim::StepTime& step : instance.run.steps) sum += step.end_ns - step.begin_ns;
      EXPECT_NEAR(static_cast<double>(sum) / static_cast<double>(instance.run.steps.size()),
                  static_cast<double>(mean_step_ns), 1.0);
      EXPECT_EQ(tokens, sim::tokens_per_step(job));
      const Exercise exercise = make_exercise(std::move(instance), seed);
      EXPECT_NE(exercise.prompt.find(hardware::describe(job.fabric)), std::string::npos) << exercise.prompt;
      std::string stated = exercise.prompt + exercise.facts_json.dump();
      for (const Fact& fact : exercise.facts) stated += "\n" + fact.value;
      for (const std::string& title : exercise.rank_titles) stated += "\n" + title;
      EXPECT_EQ(stated.find(job.model->title), std::string::npos) << stated;
      EXPECT_EQ(stated.find("tokens/s"), std::string::npos) << stated;
      EXPECT_EQ(exercise.trace.ranks.size(), static_cast<size_t>(job.fabric.world_size()));
      EXPECT_EQ(exercise.rank_titles.size(), exercise.trace.ranks.size());
    }
  }
}

TEST(Truth, IsWholeAndItsSumsClose) {
  for (const Scenario& scenario : all_scenarios()) {
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      SCOPED_TRACE(std::string(scenario.id) + " " + std::to_string(seed));
      const SimulatedInstance instance = simulated(scenario, seed);
      const Truth truth = make_truth(instance);
      EXPECT_EQ(truth.cause, scenario.cause);
      EXPECT_EQ(truth.scenario, scenario.id);
      EXPECT_FALSE(truth.headline.empty());
      EXPECT_GE(truth.signature.size(), 3U);
      EXPECT_EQ(truth.read.size(), 4U);
      EXPECT_EQ(truth.ranks.size(), instance.run.trace.ranks.size());
      EXPECT_EQ(truth.win.step_ns - truth.win.fixed_step_ns, truth.win.win_ns);
      EXPECT_EQ(truth.win.win_millionths, share_millionths(truth.win.win_ns, truth.win.step_ns));
      // What is written out and what the second run gives agree by what grading calls right.
      const TimeNs apart = truth.win.reckoned_ns - truth.win.win_ns;
      const TimeNs allowed = std::max(truth.win.win_ns / 5, truth.win.step_ns * 3 / 100);
      EXPECT_LE(apart < 0 ? -apart : apart, allowed + kNsPerUs);
      ASSERT_FALSE(truth.right_fixes.empty());
      EXPECT_EQ(truth.right_fixes.front(), truth.fix.id);
      EXPECT_EQ(truth.right_confirms.front(), truth.confirm.id);
      EXPECT_NE(catalog::find_choice(catalog::all_fixes(), truth.fix.id), nullptr);
      EXPECT_FALSE(truth.lookalikes.empty());
    }
  }
}

// Letters in sentences exist, and each evidence span lies on slices of its row inside the shown steps; one that
// says "idle" lies on a stretch of its rank without GPU work.
TEST(Truth, EvidenceIsOnTheTrace) {
  for (const Scenario& scenario : all_scenarios()) {
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      SCOPED_TRACE(std::string(scenario.id) + " " + std::to_string(seed));
      const SimulatedInstance instance = simulated(scenario, seed);
      const Truth truth = make_truth(instance);
      std::set<char> letters;
      for (const EvidenceSpan& span : truth.evidence) {
        letters.insert(span.letter);
        ASSERT_LT(static_cast<size_t>(span.rank), instance.run.trace.ranks.size());
        const trace::RankTrace& rank = instance.run.trace.ranks[static_cast<size_t>(span.rank)];
        ASSERT_LT(span.track, rank.tracks.size());
        const bool on_host = rank.tracks[span.track].kind == trace::TrackKind::host_thread;
        EXPECT_TRUE(on_host || rank.tracks[span.track].kind == trace::TrackKind::stream) << span.letter;
        EXPECT_LT(span.at.begin_ns, span.at.end_ns);
        EXPECT_GE(span.at.begin_ns, instance.run.steps.front().begin_ns);
        EXPECT_LE(span.at.end_ns, instance.run.steps.back().end_ns + kNsPerMs);
        bool work = false;
        for (trace::SliceId slice = rank.tracks[span.track].begin; slice < rank.tracks[span.track].end; ++slice) {
          const TimeNs begin = rank.start_ns[slice] + rank.clock_offset_ns;
          work = work || (begin < span.at.end_ns && begin + rank.dur_ns[slice] > span.at.begin_ns);
        }
        const bool is_idle = span.text.starts_with("idle");
        // Without compute there may still be NCCL on another row, and nothing on this one.
        EXPECT_TRUE(work || is_idle || span.text.starts_with("no compute")) << span.letter;
        if (!is_idle || on_host) continue;
        for (trace::SliceId slice = 0; slice < rank.slice_count(); ++slice) {
          if (!trace::is_gpu_work(rank.kind[slice])) continue;
          const TimeNs begin = rank.start_ns[slice] + rank.clock_offset_ns;
          EXPECT_FALSE(begin < span.at.end_ns && begin + rank.dur_ns[slice] > span.at.begin_ns) << span.letter;
        }
      }
      for (const Sentence& sentence : truth.signature) {
        for (char letter : sentence.evidence) EXPECT_TRUE(letters.contains(letter)) << letter;
      }
    }
  }
}

// What the straggler's truth says is what was injected, and the trace shows it.
TEST(Truth, StragglerNamesTheInjectedRank) {
  const Scenario& scenario = *find_scenario("straggler_clock");
  std::set<int64_t> ranks;
  constexpr uint64_t kStragglers = 12;
  for (uint64_t seed = 0; seed < kStragglers; ++seed) {
    const SimulatedInstance instance = simulated(scenario, seed);
    const Truth truth = make_truth(instance);
    const int64_t rank = instance.instance.faults.front().number("rank");
    ranks.insert(rank);
    EXPECT_TRUE(truth.headline.starts_with("Straggler: rank " + std::to_string(rank) + ", ")) << truth.headline;
    EXPECT_EQ(static_cast<int64_t>(instance.traced_measure.last_rank()), rank) << seed;
    EXPECT_EQ(instance.traced_measure.times_last(static_cast<size_t>(rank)),
              static_cast<int64_t>(instance.traced_measure.steps.size()))
        << seed;
    // Late by more than the jitter that a healthy run may show.
    ASSERT_TRUE(truth.number.has_value());
    EXPECT_GT(truth.number->value_millionths, instance.traced_measure.mean_step_ns / 50);
  }
  EXPECT_GE(ranks.size(), 4U);
}

TEST(Drill, IsTheSameForEverybody) {
  const auto name = parse_drill_name("first.1/48213");
  ASSERT_TRUE(name.has_value());
  const auto first = open_drill(*name);
  const auto second = open_drill(*name);
  ASSERT_TRUE(first.has_value()) << first.error().text();
  EXPECT_EQ(trace::hash_of(first->trace), trace::hash_of(second->trace));
  EXPECT_EQ(first->prompt, second->prompt);
}

// `reveal` simulates again: what it fixes is the trace that `open` showed.
TEST(Drill, RevealTalksOfTheTraceThatWasShown) {
  for (uint32_t seed = 0; seed < 6; ++seed) {
    const DrillName name{find_deck("first"), seed};
    const auto exercise = open_drill(name);
    Answer answer;
    answer.diagnosis = "inconclusive";
    const auto reveal = reveal_drill(name, answer);
    ASSERT_TRUE(exercise.has_value() && reveal.has_value());
    EXPECT_EQ(reveal->truth.cause, draw_cause(*name.deck, seed));
    const Interval first = exercise->steps.front();
    EXPECT_GE(reveal->truth.evidence.front().at.begin_ns, first.begin_ns);
    EXPECT_LE(reveal->truth.evidence.front().at.end_ns, first.end_ns + kNsPerMs);
    EXPECT_EQ(reveal->fixed.trace.ranks.size(), exercise->trace.ranks.size());
    EXPECT_EQ(reveal->verdict.right, 0);
  }
}

}  // namespace
}  // namespace td::drill
