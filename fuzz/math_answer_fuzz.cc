// Any text as a typed answer, to problems that ask for every kind of unit. The first byte picks the problem.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "arithmetic/answer.h"
#include "arithmetic/card.h"
#include "arithmetic/category.h"
#include "arithmetic/grade.h"

namespace {

using namespace td::arithmetic;

const std::vector<Problem>& problems() {
  static const std::vector<Problem> kProblems = [] {
    std::vector<Problem> out;
    for (const Category& category : all_categories()) {
      for (uint32_t seed = 0; seed < 6; ++seed) {
        if (td::Result<Problem> problem = generate(category, seed)) out.push_back(*std::move(problem));
      }
    }
    for (uint32_t seed = 0; seed < 20; ++seed) out.push_back(draw_card(seed));
    return out;
  }();
  return kProblems;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const Problem& problem = problems()[data[0] % problems().size()];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const td::Result<Answer> answer = parse_answer(text, problem);
  if (!answer) {
    // A message that a person can act on, and never longer for a longer answer.
    if (answer.error().where != "answer" || answer.error().message.empty() || answer.error().message.size() > 700) {
      std::abort();
    }
    return 0;
  }
  if (answer->read_as.empty()) std::abort();
  if (problem.asks_verdict()) {
    if (answer->verdict.empty()) std::abort();
  } else {
    const double value = answer->quantity.value;
    if (!std::isfinite(value) || value < 0) std::abort();
  }
  const Judgement judgement = grade(problem, *answer);
  if (judgement.why.empty() || (judgement.grade == Grade::right && !judgement.slip.empty())) std::abort();
  return 0;
}
