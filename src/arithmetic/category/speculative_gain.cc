// What speculative decoding gains.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("speculative_gain");
  const double a = static_cast<double>(stream.uniform_int(10, 18)) * 0.05;
  const int k = static_cast<int>(stream.uniform_int(2, 7));
  const Term accepted = sheet.input("acceptance", "of a drafted token", rounded(a * 100, 3), "%");
  const Term drafted = sheet.input("drafted", "tokens", k);
  const Term cost = sheet.input("draft_cost", "a drafted token, of a target step",
                                static_cast<double>(stream.uniform_int(2, 15)), "%");
  double power = 1;
  std::string sum = "1";
  Term tokens = term(1);
  for (int i = 1; i <= k; ++i) {
    power *= accepted.value();
    sum += " + " + digits(power, 3);
    tokens = tokens + term(power);
  }
  tokens.text = sum;
  tokens.level = 3;
  const Term expected = sheet.step("Tokens a round: 1 + a + a² + ... + a^k", tokens, "tokens");
  const Term price = sheet.step("Its cost, in steps of the target", term(1) + drafted * cost, "steps");
  const Term gain = sheet.step("Gain", plain(expected) / plain(price), "times");
  sheet.conventions(
      "Each drafted token is accepted independently; checking k + 1 tokens costs one target step (memory-bound).");
  sheet.ask("Speculative decoding drafts " + drafted.text + " tokens a round; each is accepted with " + accepted.text +
            ", a drafted token costs " + cost.text +
            " of a target step. How many times faster is it than plain decoding?");
  sheet.in_the_head("(1 − a^(k+1))/(1 − a), over 1 + k c", expected.text + " / " + digits(price.value(), 3));
  sheet.slip("the draft is free", expected.value(),
             "Drafting costs " + digits(price.value() - 1, 2) + " target steps a round.");
  sheet.slip("a × k + 1", (accepted.value() * k + 1) / price.value(),
             "After the first rejection the rest of the draft is thrown away: the powers of a add up.");
  return sheet.number(gain, "times");
}

}  // namespace

Category speculative_gain() {
  return {.id = "speculative_gain",
          .title = "Speculative decoding",
          .identity = "gain = (1 − a^(k+1)) / (1 − a) / (1 + k c)",
          .source = "Leviathan et al. 2022 (arXiv:2211.17192)",
          .is_core = false,
          .variants = 1,
          .draw = draw};
}

}  // namespace td::arithmetic::category
