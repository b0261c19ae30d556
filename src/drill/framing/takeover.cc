#include "drill/framing.h"

namespace td::drill::framing {
namespace {

std::string prompt(const PromptFacts& facts) {
  return "You take over a training job, and this is the only profile of it: data parallel on " + facts.hardware + ", " +
         facts.fabric + ". Before it runs for three more weeks: is there something to win?";
}

}  // namespace

Framing takeover() {
  return {.id = "takeover",
          .causes = {"healthy", "straggler", "bandwidth_bound_collective", "unoverlapped_allreduce",
                     "memory_bound_kernel", "sync_stalls", "launch_bound", "input_starvation", "recompilation"},
          .prompt = prompt};
}

}  // namespace td::drill::framing
