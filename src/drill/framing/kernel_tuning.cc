#include "drill/framing.h"
#include "drill/text.h"

namespace td::drill::framing {
namespace {

// The theory is refuted: all calls of that kernel together are a small part of the step.
Prompt prompt(const PromptFacts& facts) {
  return {"The kernel team wants a week to tune the longest kernel of this " + facts.job + ", " +
              facts.longest_us.text + ": \"it is at the top of the list.\" " + facts.machine +
              ". Read the trace in order before you give them the week.",
          {facts.longest_us}};
}

bool fits(const PromptFacts& facts) { return facts.longest_family_ns * 8 <= facts.mean_step_ns; }

std::string refuted(const PromptFacts& facts) {
  const TimeNs fifth_ns = facts.longest_family_ns / 5;
  return "All calls of that kernel take " + dur_text(facts.longest_family_ns) + " of a " + facts.step + " of " +
         dur_text(facts.mean_step_ns) + ". A fifth off each wins " +
         percent_text(share_millionths(fifth_ns, facts.mean_step_ns)) + ".";
}

}  // namespace

Framing kernel_tuning() {
  return {.id = "kernel_tuning",
          .causes = causes_but("memory_bound_kernel"),
          .prompt = prompt,
          .fits = fits,
          .theory = "memory_bound_kernel",
          .refuted = refuted};
}

}  // namespace td::drill::framing
