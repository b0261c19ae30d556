#include "drill/framing.h"

namespace td::drill::framing {
namespace {

// The theory is refuted in all of them: the device idles well under 2 % of the step, and __next__ returns in
// microseconds.
std::string prompt(const PromptFacts& facts) {
  return "\"The GPUs are waiting for data, double the loader workers\", says the author of the input pipeline. The "
         "job runs on " +
         facts.hardware + " (" + facts.fabric + "). Would more workers help, and if not, what would?";
}

}  // namespace

Framing loader_suspected() {
  return {.id = "loader_suspected",
          .causes = {"healthy", "straggler", "bandwidth_bound_collective", "unoverlapped_allreduce",
                     "memory_bound_kernel", "sync_stalls", "launch_bound", "recompilation"},
          .prompt = prompt};
}

}  // namespace td::drill::framing
