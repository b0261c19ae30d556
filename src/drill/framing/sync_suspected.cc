#include "drill/framing.h"

namespace td::drill::framing {
namespace {

// The theory is refuted in all of them: the device is busy under that wait; the gap after it is a few tens of us.
bool fits(const PromptFacts& facts) { return facts.sync_permille >= 500; }

std::string prompt(const PromptFacts& facts) {
  return "The main thread sits in loss.item() for most of each step, and a pull request removes that sync \"to get "
         "the time back\". " +
         facts.hardware + ", " + facts.fabric +
         ". Review it: how much will it win, and what would you change instead, if anything?";
}

}  // namespace

Framing sync_suspected() {
  return {.id = "sync_suspected",
          .causes = {"healthy", "straggler", "bandwidth_bound_collective", "unoverlapped_allreduce",
                     "memory_bound_kernel", "input_starvation"},
          .prompt = prompt,
          .fits = fits};
}

}  // namespace td::drill::framing
