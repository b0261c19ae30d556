// Prompts against the runs that they are told of: every number in them, and every theory's refutation.
#include "drill/framing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "catalog/catalog.h"
#include "drill/draw.h"
#include "drill/drill.h"
#include "drill/host_hold.h"
#include "drill/text.h"
#include "sim/job/predict.h"

namespace td::drill {
namespace {

constexpr uint64_t kSeeds = 3;

SimulatedInstance simulated(const Scenario& scenario, uint64_t seed) {
  auto instance = simulate_instance(scenario, seed);
  if (!instance) ADD_FAILURE() << scenario.id << " " << seed << ": " << instance.error().text();
  return instance ? *std::move(instance) : SimulatedInstance{};
}

bool fits(const Framing& framing, const PromptFacts& facts) { return framing.fits == nullptr || framing.fits(facts); }

// The prompt without what `part` says, wherever it stands.
void blank(std::string& text, const std::string& part) {
  if (part.empty()) return;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part)) text.replace(at, part.size(), " ");
}

bool has_digit(std::string_view text) { return text.find_first_of("0123456789") != std::string_view::npos; }

// A figure, reckoned anew from the instance: exact, before it was rounded for the text. The drawn ones are checked
// against each other.
double reckoned(const Figure& figure, const PromptFacts& facts, const SimulatedInstance& instance) {
  const double step_ms = static_cast<double>(instance.run.mean_step_ns) / 1e6;
  const auto gpus = static_cast<double>(instance.run.trace.ranks.size());
  const double days = static_cast<double>(facts.run_days.value_millionths) / 1e6;
  const double price = static_cast<double>(gpu_cents_per_hour(instance.job.gpu->id)) / 100;
  switch (figure.quantity) {
    case Quantity::none:
      return NAN;
    case Quantity::step_ms:
      return step_ms;
    case Quantity::steps_per_hour:
      return 3600e3 / step_ms;
    case Quantity::kernels: {
      int64_t kernels = 0;
      const trace::RankTrace& rank = instance.run.trace.ranks.front();
      const sim::StepTime step = instance.run.steps.front();
      for (trace::SliceId slice = 0; slice < rank.slice_count(); ++slice) {
        const TimeNs begin = rank.start_ns[slice] + rank.clock_offset_ns;
        const bool in_step = begin >= step.begin_ns && begin < step.end_ns;
        kernels += rank.kind[slice] == trace::SliceKind::compute && in_step ? 1 : 0;
      }
      return static_cast<double>(kernels);
    }
    case Quantity::run_days:
      EXPECT_TRUE(days >= 5 && days <= 40) << days;
      return days;
    case Quantity::run_steps:
      return days * 24 * 3600e3 / step_ms;
    case Quantity::gpu_price:
      return price;
    case Quantity::job_price:
      return price * gpus;
    case Quantity::run_price:
      return price * gpus * 24 * days;
    case Quantity::plan_step_ms:
      return step_ms / (1 + static_cast<double>(facts.plan_over_percent.value_millionths) / 1e8);
    case Quantity::plan_over_percent:
      return (step_ms / (static_cast<double>(facts.plan_step_ms.value_millionths) / 1e6) - 1) * 100;
    case Quantity::other_percent: {
      sim::Job job = instance.job;
      job.gpu = hardware::find_gpu(facts.other.value_or(OtherMachine{}).gpu);
      const auto other = sim::predict(job);
      EXPECT_TRUE(other.has_value());
      return other ? 100 - static_cast<double>(other->step_ns) / 1e4 / step_ms : NAN;
    }
    case Quantity::longest_us: {
      TimeNs longest = 0;
      const trace::RankTrace& rank = instance.run.trace.ranks.front();
      const sim::StepTime step = instance.run.steps.front();
      for (trace::SliceId slice = 0; slice < rank.slice_count(); ++slice) {
        const TimeNs begin = rank.start_ns[slice] + rank.clock_offset_ns;
        if (rank.kind[slice] != trace::SliceKind::compute || begin < step.begin_ns) continue;
        if (begin + rank.dur_ns[slice] <= step.end_ns) longest = std::max<TimeNs>(longest, rank.dur_ns[slice]);
      }
      return static_cast<double>(longest) / 1e3;
    }
    case Quantity::memory_percent:
      return 100.0 * static_cast<double>(sim::memory_needed_bytes(instance.job)) /
             static_cast<double>(instance.job.gpu->memory_bytes);
  }
  return NAN;
}

// What a reader of the text takes it for, in the figure's own unit: "2.3 million", "$13,478", "0.85 ms".
double read_number(const Figure& figure) {
  std::string digits;
  for (const char c : figure.text) {
    if ((c >= '0' && c <= '9') || c == '.') digits += c;
  }
  double value = digits.empty() ? NAN : std::stod(digits);
  if (figure.text.find("million") != std::string::npos) value *= 1e6;
  const bool us = figure.text.ends_with(" us");
  const bool ms = figure.text.ends_with(" ms");
  if (figure.quantity == Quantity::longest_us) return ms ? value * 1000 : value;
  return us ? value / 1000 : value;
}

// Half of the last printed digit, at most 5 %: "2.3 million" may be 2.25 to 2.35.
double printed_slack(const Figure& figure, double value) {
  const size_t point = figure.text.find('.');
  if (figure.text.find("million") != std::string::npos) return point == std::string::npos ? 0.51e6 : 0.051e6;
  if (figure.quantity == Quantity::run_steps) return 510;
  if (point != std::string::npos) return value * 0.006;
  return std::max(0.51, value * 0.006);
}

// Every number in every prompt that may be told of every scenario: the machine's, or a figure that the run bears out.
TEST(Framings, StateNoNumberThatTheRunContradicts) {
  std::map<std::string_view, int> told;
  for (const Scenario& scenario : all_scenarios()) {
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      const SimulatedInstance instance = simulated(scenario, seed);
      const PromptFacts facts = prompt_facts(instance, seed);
      for (const Framing& framing : all_framings()) {
        if (!fits(framing, facts)) continue;
        const Prompt prompt = framing.prompt(facts);
        SCOPED_TRACE(std::string(scenario.id) + " " + std::to_string(seed) + " " + std::string(framing.id) + ": " +
                     prompt.text);
        ++told[framing.id];
        EXPECT_FALSE(prompt.figures.empty());
        EXPECT_NE(prompt.text.find(facts.machine), std::string::npos);
        std::string rest = prompt.text;
        blank(rest, facts.machine);
        if (facts.other) blank(rest, facts.other->hardware);
        blank(rest, std::to_string(facts.gpus) + " GPUs");
        for (const Figure& figure : prompt.figures) {
          EXPECT_NE(prompt.text.find(figure.text), std::string::npos) << figure.text;
          blank(rest, figure.text);
          const double expected = reckoned(figure, facts, instance);
          EXPECT_NEAR(read_number(figure), expected, printed_slack(figure, expected)) << figure.text;
          EXPECT_NEAR(static_cast<double>(figure.value_millionths) / 1e6, expected, std::abs(expected) * 0.006 + 1e-6)
              << figure.text;
        }
        EXPECT_FALSE(has_digit(rest)) << rest;
      }
    }
  }
  for (const Framing& framing : all_framings()) {
    // Of the scenarios so far compiled jobs are the recompiling ones alone, and there the theory is right.
    const bool needs_compiled = framing.theory == "recompilation";
    EXPECT_TRUE(told.contains(framing.id) || needs_compiled) << framing.id << " fits no run";
  }
}

// Mean over the steps of the time that a rank's device idles under the calls that are meant, the most of any rank.
TimeNs idle_under(const SimulatedInstance& instance, HoldTest is_meant) {
  TimeNs most = 0;
  for (const trace::RankTrace& rank : instance.run.trace.ranks) {
    TimeNs sum = 0;
    for (const Interval& step : instance.traced_measure.steps) sum += hold_of(rank, step, is_meant).idle_ns;
    most = std::max(most, sum / std::ssize(instance.traced_measure.steps));
  }
  return most;
}

bool allocates(trace::SliceKind kind, std::string_view name) {
  return kind == trace::SliceKind::runtime && (name.starts_with("cudaMalloc") || name.starts_with("cudaFree"));
}

// Where a framing with a theory fits, the trace refutes it, by a measurement of this test's own.
TEST(Framings, TheoriesAreRefutedByTheTrace) {
  for (const Scenario& scenario : all_scenarios()) {
    const SimulatedInstance instance = simulated(scenario, 40);
    const PromptFacts facts = prompt_facts(instance, 40);
    const Measured& traced = instance.traced_measure;
    const std::map<std::string_view, bool> refuted = {
        {"launch_bound", traced.median_run_ahead_ns >= 200 * kNsPerUs},
        {"input_starvation", idle_under(instance, waits_for_batch) * 100 <= traced.mean_step_ns},
        {"allocator_stalls", idle_under(instance, allocates) * 100 <= traced.mean_step_ns},
        {"recompilation", idle_under(instance, compiles) * 100 <= traced.mean_step_ns},
        {"sync_stalls", facts.sync_idle_ns * 100 <= traced.mean_step_ns},
        {"straggler", traced.after_first_ns(traced.last_rank()) * 50 <= traced.mean_step_ns},
        {"memory_bound_kernel", traced.longest_kernel_ns * 8 <= traced.mean_step_ns},
        {"bandwidth_bound_collective",
         std::abs(static_cast<double>(facts.transfer_ns) / static_cast<double>(facts.expected_transfer_ns) - 1) < 0.3},
    };
    for (const Framing& framing : all_framings()) {
      if (framing.theory.empty() || !fits(framing, facts)) continue;
      SCOPED_TRACE(std::string(scenario.id) + " " + std::string(framing.id));
      ASSERT_TRUE(refuted.contains(framing.theory));
      EXPECT_TRUE(refuted.at(framing.theory));
      EXPECT_TRUE(has_digit(framing.refuted(facts))) << framing.refuted(facts);
    }
  }
}

TEST(Framings, EveryCauseHasFiveOfWhichTwoHoldATheory) {
  std::set<std::string> prompts;
  for (const Framing& framing : all_framings()) {
    EXPECT_GE(framing.causes.size(), 3U) << framing.id;
    EXPECT_EQ(framing.theory.empty(), framing.refuted == nullptr) << framing.id;
    if (framing.theory.empty()) continue;
    EXPECT_NE(catalog::find_cause(framing.theory), nullptr) << framing.id;
    EXPECT_NE(framing.fits, nullptr) << framing.id;
  }
  for (const Scenario& scenario : all_scenarios()) {
    size_t all = 0;
    size_t with_theory = 0;
    const SimulatedInstance instance = simulated(scenario, 41);
    const PromptFacts facts = prompt_facts(instance, 41);
    for (const Framing& framing : all_framings()) {
      const bool told = std::ranges::find(framing.causes, scenario.cause) != framing.causes.end();
      if (!told || !fits(framing, facts)) continue;
      ++all;
      with_theory += framing.theory.empty() ? 0 : 1;
    }
    EXPECT_GE(all, 5U) << scenario.id;
    EXPECT_GE(with_theory, 2U) << scenario.id;
  }
}

// A theory's word may name what the colleague supposes; no prompt says what it is.
TEST(Framings, NameNoCauseOfTheirOwn) {
  const SimulatedInstance instance = simulated(*find_scenario("healthy"), 42);
  const PromptFacts facts = prompt_facts(instance, 42);
  for (const Framing& framing : all_framings()) {
    if (!fits(framing, facts)) continue;
    const std::string text = framing.prompt(facts).text;
    for (const std::string_view telling : {"straggl", "healthy", "bandwidth", "clock", "stall", "bubble", "starv"}) {
      EXPECT_EQ(text.find(telling), std::string::npos) << text;
    }
  }
}

// The reveal says what refutes the theory of the prompt that was shown, and grades the theory as a lookalike.
TEST(Framings, TheRevealAnswersThePromptsTheory) {
  int with_theory = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const SimulatedInstance instance = simulated(*find_scenario("straggler_clock"), seed);
    const PromptFacts facts = prompt_facts(instance, seed);
    const Framing* framing = draw_framing("straggler", facts, seed);
    ASSERT_NE(framing, nullptr);
    const Truth truth = drill_truth(instance, seed);
    EXPECT_EQ(truth.theory.has_value(), !framing->theory.empty()) << seed;
    if (!truth.theory) continue;
    ++with_theory;
    EXPECT_EQ(truth.theory->cause, framing->theory);
    const auto lookalike = std::ranges::find(truth.lookalikes, framing->theory, &Lookalike::cause);
    ASSERT_NE(lookalike, truth.lookalikes.end());
    EXPECT_NE(lookalike->text.find(truth.theory->refuted), std::string::npos);
  }
  EXPECT_GE(with_theory, 3);
  EXPECT_LE(with_theory, 9);
}

}  // namespace
}  // namespace td::drill
