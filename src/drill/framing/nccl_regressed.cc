#include "drill/framing.h"
#include "drill/text.h"

namespace td::drill::framing {
namespace {

// The theory is refuted: the shortest bar of each bucket takes what bytes / busbw says.
Prompt prompt(const PromptFacts& facts) {
  const PromptFacts::Price price = facts.price.value_or(PromptFacts::Price());
  return {"A colleague has opened a ticket: \"NCCL got slower with the new container. We pay " + price.job.text +
              " an hour for it and should pin the old version.\" It is a " + facts.job + " on " + facts.machine +
              ", profiled on all ranks. What is it, and what would you do?",
          {price.job}};
}

bool fits(const PromptFacts& facts) {
  return facts.price && facts.transfer_ns * 10 >= facts.expected_transfer_ns * 8 &&
         facts.transfer_ns * 10 <= facts.expected_transfer_ns * 13 && facts.transfer_ns > 0;
}

std::string refuted(const PromptFacts& facts) {
  return "Counted from the last arrival, all-reduce takes " + dur_text(facts.transfer_ns) + " a " + facts.step +
         "; bytes / busbw of this fabric gives " + dur_text(facts.expected_transfer_ns) +
         ". NCCL is as fast as the links let it be; what the bars hold beyond that is waiting.";
}

}  // namespace

Framing nccl_regressed() {
  return {.id = "nccl_regressed",
          .causes = causes_but("bandwidth_bound_collective"),
          .prompt = prompt,
          .fits = fits,
          .theory = "bandwidth_bound_collective",
          .refuted = refuted};
}

}  // namespace td::drill::framing
