#include "drill/framing.h"
#include "drill/text.h"

namespace td::drill::framing {
namespace {

// Days for a budget of tokens at the traced rate.
std::string days_text(int64_t tokens, int64_t tokens_per_s) {
  constexpr int64_t kSecondsPerDay = 86400;
  return decimal_text(tokens, tokens_per_s * kSecondsPerDay, 1) + " days";
}

std::string prompt(const PromptFacts& facts) {
  constexpr int64_t kBudgetTokens = 100000000000;
  return "At " + grouped_text(facts.tokens_per_s) + " tokens/s the next 100 B tokens of the " + facts.model +
         " will take " + days_text(kBudgetTokens, facts.tokens_per_s) + " on " + facts.hardware + ", " + facts.fabric +
         ". The deadline is tight. Which one change would you make, and how many days does it save?";
}

}  // namespace

Framing run_length() {
  return {.id = "run_length",
          .causes = {"healthy", "straggler", "bandwidth_bound_collective", "unoverlapped_allreduce",
                     "memory_bound_kernel", "sync_stalls", "launch_bound", "input_starvation", "recompilation"},
          .prompt = prompt};
}

}  // namespace td::drill::framing
