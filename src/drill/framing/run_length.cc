#include "drill/framing.h"

namespace td::drill::framing {
namespace {

constexpr int kDaysLeft = 20;  // the same in every drill

std::string prompt(const PromptFacts& facts) {
  return "A run has " + std::to_string(kDaysLeft) + " days to go on " + facts.hardware + ", " + facts.fabric +
         ", and the deadline is tight. Which one change would you make, and how many days does it save?";
}

}  // namespace

Framing run_length() {
  return {.id = "run_length",
          .causes = {"healthy", "straggler", "bandwidth_bound_collective", "unoverlapped_allreduce",
                     "memory_bound_kernel", "sync_stalls", "launch_bound", "input_starvation", "recompilation"},
          .prompt = prompt};
}

}  // namespace td::drill::framing
