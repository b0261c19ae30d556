#include "drill/framing.h"

namespace td::drill::framing {
namespace {

Prompt prompt(const PromptFacts& facts) {
  return {"An interviewer hands you this profile of a " + facts.job + " on " + facts.machine + ": " +
              facts.kernels.text + " kernels a " + facts.step +
              " on the first GPU. \"Two minutes. What is the biggest thing to win here, if there is one, and how would "
              "you prove it?\"",
          {facts.kernels}};
}

}  // namespace

Framing interview() { return {.id = "interview", .causes = causes_but(""), .prompt = prompt}; }

}  // namespace td::drill::framing
