#include "drill/framing.h"
#include "drill/text.h"

namespace td::drill::framing {
namespace {

// The theory is refuted: the device does not idle while the host waits for a batch.
Prompt prompt(const PromptFacts& facts) {
  return {"\"The GPUs wait for data, double the loader workers\", says the author of the input pipeline. The " +
              facts.job + " makes " + facts.steps_per_hour.text + " " + facts.step + "s an hour on " + facts.machine +
              ". Would more workers help, and if not, what would?",
          {facts.steps_per_hour}};
}

bool fits(const PromptFacts& facts) { return facts.ends && facts.loader_idle_ns * 200 <= facts.mean_step_ns; }

std::string refuted(const PromptFacts& facts) {
  if (facts.loader_idle_ns == 0) return "No device idles for a moment while its host waits for a batch: 0 ms.";
  return "While a host waits for its batch the device idles " + dur_text(facts.loader_idle_ns) + " a " + facts.step +
         " at most, " + percent_text(share_millionths(facts.loader_idle_ns, facts.mean_step_ns)) +
         " of it. More workers win no more than that.";
}

}  // namespace

Framing loader_suspected() {
  return {.id = "loader_suspected",
          .causes = causes_but("input_starvation"),
          .prompt = prompt,
          .fits = fits,
          .theory = "input_starvation",
          .refuted = refuted};
}

}  // namespace td::drill::framing
