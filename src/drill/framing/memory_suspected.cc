#include "drill/framing.h"
#include "drill/text.h"

namespace td::drill::framing {
namespace {

// The theory is refuted: the device does not idle under allocator calls.
Prompt prompt(const PromptFacts& facts) {
  return {"A " + facts.job + " on " + facts.machine + " needs about " + facts.memory_percent.text +
              " of each GPU's memory. \"The rest is in pieces by now, the allocator must be thrashing: set expandable "
              "segments and it will fly.\" Will it?",
          {facts.memory_percent}};
}

bool fits(const PromptFacts& facts) { return facts.allocator_idle_ns * 200 <= facts.mean_step_ns; }

std::string refuted(const PromptFacts& facts) {
  if (facts.allocator_idle_ns == 0) return "No device idles under cudaMalloc or cudaFree: 0 ms in what is shown.";
  return "Under cudaMalloc and cudaFree a device idles " + dur_text(facts.allocator_idle_ns) + " a " + facts.step +
         " at most, " + percent_text(share_millionths(facts.allocator_idle_ns, facts.mean_step_ns)) + " of it.";
}

}  // namespace

Framing memory_suspected() {
  return {.id = "memory_suspected",
          .causes = causes_but("allocator_stalls"),
          .prompt = prompt,
          .fits = fits,
          .theory = "allocator_stalls",
          .refuted = refuted};
}

}  // namespace td::drill::framing
