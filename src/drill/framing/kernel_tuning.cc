#include "drill/framing.h"

namespace td::drill::framing {
namespace {

// The theory is refuted in all of them: the longest kernel is a small share of the step.
std::string prompt(const PromptFacts& facts) {
  return "The kernel team wants a week to tune the longest kernel of the job: \"it is at the top of the list.\" " +
         facts.hardware + ", " + facts.fabric + ". Read the trace in order before you give them the week.";
}

}  // namespace

Framing kernel_tuning() {
  return {.id = "kernel_tuning",
          .causes = {"healthy", "straggler", "bandwidth_bound_collective", "unoverlapped_allreduce", "sync_stalls",
                     "launch_bound", "input_starvation", "recompilation"},
          .prompt = prompt};
}

}  // namespace td::drill::framing
