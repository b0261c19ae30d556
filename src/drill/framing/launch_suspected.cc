#include "drill/framing.h"

namespace td::drill::framing {
namespace {

// The theory is refuted in all of them: the run-ahead is milliseconds deep, the device never waits for a launch.
std::string prompt(const PromptFacts& facts) {
  return "In review somebody points at the hundreds of launches a step: \"We are launch-bound, this needs CUDA "
         "graphs.\" " +
         facts.hardware + ", " + facts.fabric + ". Do you agree? If not, what does the trace say?";
}

}  // namespace

Framing launch_suspected() {
  return {.id = "launch_suspected",
          .causes = {"healthy", "straggler", "bandwidth_bound_collective", "unoverlapped_allreduce",
                     "memory_bound_kernel", "input_starvation"},
          .prompt = prompt};
}

}  // namespace td::drill::framing
