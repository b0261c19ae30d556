#include "drill/framing.h"

namespace td::drill::framing {
namespace {

Prompt prompt(const PromptFacts& facts) {
  return {"Somebody has looked at this " + facts.job + " on " + facts.machine + " for a week and found nothing; a " +
              facts.step + " takes " + facts.step_ms.text +
              ". You get a second look before it is signed off. Do you sign?",
          {facts.step_ms}};
}

}  // namespace

Framing second_look() { return {.id = "second_look", .causes = causes_but(""), .prompt = prompt}; }

}  // namespace td::drill::framing
