#include "drill/framing.h"

namespace td::drill::framing {
namespace {

// The theory is refuted in all of them: the shortest bar of each bucket takes what bytes / busbw says.
std::string prompt(const PromptFacts& facts) {
  return "A colleague has opened a ticket: \"NCCL got slower with the new container, we should pin the old "
         "version.\" " +
         facts.hardware + ", " + facts.fabric +
         "; steady steps, profiled on all ranks. What is it, and what would you do?";
}

}  // namespace

Framing nccl_regressed() {
  return {.id = "nccl_regressed",
          .causes = {"healthy", "straggler", "bandwidth_bound_collective", "unoverlapped_allreduce",
                     "memory_bound_kernel", "sync_stalls", "launch_bound", "input_starvation"},
          .prompt = prompt};
}

}  // namespace td::drill::framing
