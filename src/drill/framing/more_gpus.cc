#include "drill/framing.h"

namespace td::drill::framing {
namespace {

Prompt prompt(const PromptFacts& facts) {
  const PromptFacts::Price price = facts.price.value_or(PromptFacts::Price());
  return {"Finance asks whether to pay for a second set of GPUs. Today the " + facts.job + " runs on " + facts.machine +
              ", " + price.job.text + " an hour. Is the hardware that you have used well? Say what limits it.",
          {price.job}};
}

bool fits(const PromptFacts& facts) { return facts.price.has_value(); }

}  // namespace

Framing more_gpus() { return {.id = "more_gpus", .causes = causes_but(""), .prompt = prompt, .fits = fits}; }

}  // namespace td::drill::framing
