#include "drill/framing.h"

namespace td::drill::framing {
namespace {

// By the cost model, of the same code: true of a healthy run as well.
Prompt prompt(const PromptFacts& facts) {
  const OtherMachine other = facts.other.value_or(OtherMachine());
  return {"Another team runs the same code on " + other.hardware + " over the same links and needs " +
              other.percent.text + " less time a " + facts.step + " than you do on " + facts.machine +
              ". They ask whether your machine is broken. Is it?",
          {other.percent}};
}

bool fits(const PromptFacts& facts) { return facts.other.has_value(); }

}  // namespace

Framing elsewhere() { return {.id = "elsewhere", .causes = causes_but(""), .prompt = prompt, .fits = fits}; }

}  // namespace td::drill::framing
