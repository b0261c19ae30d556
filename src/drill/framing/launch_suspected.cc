#include "drill/framing.h"
#include "drill/text.h"

namespace td::drill::framing {
namespace {

// The theory is refuted: what is launched waits in the queue, the device does not wait for launches.
Prompt prompt(const PromptFacts& facts) {
  return {"In review somebody counts " + facts.kernels.text + " kernels a " + facts.step +
              ": \"We are launch-bound, this needs CUDA graphs.\" The " + facts.job + " runs on " + facts.machine +
              ". Do you agree? If not, what does the trace say?",
          {facts.kernels}};
}

bool fits(const PromptFacts& facts) { return facts.run_ahead_ns >= 200 * kNsPerUs; }

std::string refuted(const PromptFacts& facts) {
  return "The median kernel of the first rank starts " + dur_text(facts.run_ahead_ns) +
         " after its launch call began. The host is ahead: fewer launches win nothing.";
}

}  // namespace

Framing launch_suspected() {
  return {.id = "launch_suspected",
          .causes = causes_but("launch_bound"),
          .prompt = prompt,
          .fits = fits,
          .theory = "launch_bound",
          .refuted = refuted};
}

}  // namespace td::drill::framing
