#include "drill/framing.h"
#include "drill/text.h"

namespace td::drill::framing {
namespace {

// The theory is refuted: the device is busy under that wait.
Prompt prompt(const PromptFacts& facts) {
  return {"The main thread sits in a synchronising call for much of each " + facts.step +
              ", and a pull request removes it \"to get the time back\": the " + facts.job + " has " +
              facts.run_days.text + " days to go. It runs on " + facts.machine +
              ". Review it: how much will it win, and what would you change instead, if anything?",
          {facts.run_days}};
}

bool fits(const PromptFacts& facts) {
  return facts.ends && facts.sync_ns * 10 >= facts.mean_step_ns * 3 && facts.sync_idle_ns * 100 <= facts.mean_step_ns;
}

std::string refuted(const PromptFacts& facts) {
  return "The host is blocked " + dur_text(facts.sync_ns) + " a " + facts.step + ", and for all but " +
         dur_text(facts.sync_idle_ns) +
         " of that the device is busy under it. Without the call the host would wait elsewhere.";
}

}  // namespace

Framing sync_suspected() {
  return {.id = "sync_suspected",
          .causes = causes_but("sync_stalls"),
          .prompt = prompt,
          .fits = fits,
          .theory = "sync_stalls",
          .refuted = refuted};
}

}  // namespace td::drill::framing
