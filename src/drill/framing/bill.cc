#include "drill/framing.h"

namespace td::drill::framing {
namespace {

Prompt prompt(const PromptFacts& facts) {
  const PromptFacts::Price price = facts.price.value_or(PromptFacts::Price());
  return {"The rest of a " + facts.job + " on " + facts.machine + " will cost " + price.run.text + ", " +
              facts.run_days.text + " days at " + price.gpu.text +
              " a GPU and hour. Your manager wants a share of that back. How much can you promise, and from what?",
          {price.run, facts.run_days, price.gpu}};
}

bool fits(const PromptFacts& facts) { return facts.ends && facts.price; }

}  // namespace

Framing bill() { return {.id = "bill", .causes = causes_but(""), .prompt = prompt, .fits = fits}; }

}  // namespace td::drill::framing
