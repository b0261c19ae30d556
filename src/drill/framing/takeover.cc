#include "drill/framing.h"

namespace td::drill::framing {
namespace {

Prompt prompt(const PromptFacts& facts) {
  return {"You take over a " + facts.job + " on " + facts.machine + ", and this profile is all there is. It makes " +
              facts.steps_per_hour.text + " " + facts.step +
              "s an hour. Before it runs for three more weeks: is there something to win?",
          {facts.steps_per_hour}};
}

}  // namespace

Framing takeover() { return {.id = "takeover", .causes = causes_but(""), .prompt = prompt}; }

}  // namespace td::drill::framing
