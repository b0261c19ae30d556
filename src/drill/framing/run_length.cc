#include "drill/framing.h"

namespace td::drill::framing {
namespace {

Prompt prompt(const PromptFacts& facts) {
  return {
      "A " + facts.job + " has " + facts.run_days.text + " days to go on " + facts.machine + ": " +
          facts.run_steps.text + " " + facts.step +
          "s at today's pace. The deadline is tight. Which one change would you make, and how many days does it save?",
      {facts.run_days, facts.run_steps}};
}

bool fits(const PromptFacts& facts) { return facts.ends; }

}  // namespace

Framing run_length() { return {.id = "run_length", .causes = causes_but(""), .prompt = prompt, .fits = fits}; }

}  // namespace td::drill::framing
