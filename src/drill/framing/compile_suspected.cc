#include "drill/framing.h"
#include "drill/text.h"

namespace td::drill::framing {
namespace {

// The theory is refuted: no compiler runs while the device idles.
Prompt prompt(const PromptFacts& facts) {
  return {"Since the " + facts.job +
              " uses torch.compile, a colleague says, \"it compiles over and over, that is where the time goes\": " +
              facts.step_ms.text + " a " + facts.step + " on " + facts.machine + ". Turn it off? What would you do?",
          {facts.step_ms}};
}

bool fits(const PromptFacts& facts) { return facts.compiled && facts.compile_idle_ns * 200 <= facts.mean_step_ns; }

std::string refuted(const PromptFacts& facts) {
  if (facts.compile_idle_ns == 0) return "No device idles under compile frames: 0 ms in what is shown.";
  return "Under compile frames a device idles " + dur_text(facts.compile_idle_ns) + " a " + facts.step + " at most, " +
         percent_text(share_millionths(facts.compile_idle_ns, facts.mean_step_ns)) + " of it.";
}

}  // namespace

Framing compile_suspected() {
  return {.id = "compile_suspected",
          .causes = causes_but("recompilation"),
          .prompt = prompt,
          .fits = fits,
          .theory = "recompilation",
          .refuted = refuted};
}

}  // namespace td::drill::framing
