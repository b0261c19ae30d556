#include "drill/framing.h"
#include "drill/text.h"

namespace td::drill::framing {
namespace {

// The theory is refuted: no rank is late.
Prompt prompt(const PromptFacts& facts) {
  return {"\"One of the " + std::to_string(facts.gpus) +
              " GPUs is slow and holds up the rest, let us drain its node\", writes the on-call engineer. The " +
              facts.job + " runs on " + facts.machine + ", " + facts.step_ms.text + " a " + facts.step +
              ". Which one is it, or is it something else?",
          {facts.step_ms}};
}

bool fits(const PromptFacts& facts) { return facts.transfer_ns > 0 && facts.spread_ns * 100 <= facts.mean_step_ns; }

std::string refuted(const PromptFacts& facts) {
  return "The last rank is done with backward " + dur_text(facts.spread_ns) + " after the first on average, " +
         percent_text(share_millionths(facts.spread_ns, facts.mean_step_ns)) + " of the " + facts.step +
         ": none holds up the rest.";
}

}  // namespace

Framing slow_gpu_suspected() {
  return {.id = "slow_gpu_suspected",
          .causes = causes_but("straggler"),
          .prompt = prompt,
          .fits = fits,
          .theory = "straggler",
          .refuted = refuted};
}

}  // namespace td::drill::framing
