// FLOPs of attention beside those of the weights.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("attention_share");
  const hardware::Llm& llm = draw_llm(stream);
  const Term parameters = state_parameters(sheet, llm);
  const Term layers = sheet.input("layers", "layers", llm.layers);
  const Term width = sheet.input("width", "heads × head size", static_cast<double>(llm.heads) * llm.head_dim);
  const Term context =
      sheet.input("sequence", "tokens", 1024.0 * static_cast<double>(stream.uniform_int(2, 128)), "tok");
  const Term weights = sheet.step("Of the weights, a token: 6P", term(6, "FLOP/param/tok") * parameters);
  const Term attention = sheet.step("Of causal attention, a token: 6 L S h (12 without the mask)",
                                    term(6, "FLOP/tok/tok") * layers * width * context);
  const Term share = sheet.step("Attention over weights", attention / weights, "%");
  sheet.conventions("Training: forward and backward. Causal attention skips the masked half. Share relative to 6P.");
  sheet.ask("You train " + std::string(llm.title) + " (" + parameters.text + ", " + layers.text +
            " layers, heads together " + width.text + " wide) on sequences of " + digits(context.value(), 6) +
            " tokens. How large are the FLOPs of causal attention, relative to the 6P of the weights?");
  sheet.in_the_head("About S/(12 h): P is roughly 12 L h²",
                    digits(context.value(), 6) + " / (12 × " + width.text + ")");
  sheet.slip("no causal mask", share.value() * 2, "Half of the scores are masked and skipped.");
  sheet.slip("forward only", share.value() / 3, "Both sides are forward and backward.");
  if (share.value() < 0.01) return std::nullopt;
  return sheet.number(share, "%");
}

}  // namespace

Category attention_share() {
  return {.id = "attention_share",
          .title = "Attention share of the FLOPs",
          .identity = "attention / weights = 6 L S h / 6P",
          .source = "Chowdhery et al. 2022, appendix B (with the causal half skipped)",
          .is_core = false,
          .variants = 1,
          .draw = draw};
}

}  // namespace td::arithmetic::category
