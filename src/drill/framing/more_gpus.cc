#include "drill/framing.h"

namespace td::drill::framing {
namespace {

std::string prompt(const PromptFacts& facts) {
  return "Finance asks whether to pay for a second set of GPUs. Today the job trains on " + facts.hardware + " (" +
         facts.fabric + "). Is the hardware that you have used well? Say what limits it.";
}

}  // namespace

Framing more_gpus() {
  return {.id = "more_gpus",
          .causes = {"healthy", "straggler", "bandwidth_bound_collective", "unoverlapped_allreduce",
                     "memory_bound_kernel", "sync_stalls", "launch_bound", "input_starvation", "recompilation"},
          .prompt = prompt};
}

}  // namespace td::drill::framing
