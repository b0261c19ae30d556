#include "drill/framing.h"

#include <algorithm>

#include "base/random.h"
#include "catalog/catalog.h"

namespace td::drill {
namespace {

constexpr int kWithTheoryPermille = 500;

bool is_told(const Framing& framing, std::string_view cause, const PromptFacts& facts) {
  const bool for_cause = std::ranges::find(framing.causes, cause) != framing.causes.end();
  return for_cause && (framing.fits == nullptr || framing.fits(facts));
}

}  // namespace

std::vector<std::string_view> causes_but(std::string_view theory) {
  std::vector<std::string_view> out;
  for (const catalog::Cause* cause : catalog::core_causes()) {
    if (cause->id != theory && cause->id != catalog::kInconclusive) out.push_back(cause->id);
  }
  return out;
}

const Framing* draw_framing(std::string_view cause, const PromptFacts& facts, uint64_t seed) {
  RandomStream stream(seed, "drill.framing");
  const bool with_theory = stream.chance_permille(kWithTheoryPermille);
  for (const bool theory : {with_theory, !with_theory}) {
    std::vector<const Framing*> fitting;
    for (const Framing& framing : all_framings()) {
      if (framing.theory.empty() == theory || !is_told(framing, cause, facts)) continue;
      fitting.push_back(&framing);
    }
    if (fitting.empty()) continue;
    return fitting[static_cast<size_t>(stream.uniform_int(0, std::ssize(fitting) - 1))];
  }
  return nullptr;
}

}  // namespace td::drill
