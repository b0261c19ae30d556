#include "drill/framing.h"

namespace td::drill::framing {
namespace {

// The plan is a guess, drawn; the run may be as good as it gets.
Prompt prompt(const PromptFacts& facts) {
  return {"The plan for this " + facts.job + " on " + facts.machine + " says " + facts.plan_step_ms.text + " a " +
              facts.step + "; measured is " + facts.plan_over_percent.text + " more. Is the plan wrong, or the run?",
          {facts.plan_step_ms, facts.plan_over_percent}};
}

}  // namespace

Framing behind_plan() { return {.id = "behind_plan", .causes = causes_but(""), .prompt = prompt}; }

}  // namespace td::drill::framing
