// What tensor parallelism adds to every token.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("tp_latency");
  const hardware::Llm& llm = draw_llm(stream);
  sheet.source(kModelSource);
  const Term layers = sheet.input("layers", "layers", llm.layers);
  const Term each =
      sheet.input("latency", "of a small all-reduce", static_cast<double>(stream.uniform_int(5, 40)), "us");
  const Term count = sheet.step("All-reduces a token: after attention and after the MLP of each layer",
                                term(2) * layers, "all-reduces");
  const Term time = sheet.step("In a row", plain(count) * each);
  const std::string start =
      std::string(llm.title) + " (" + layers.text +
      " layers) decodes with tensor parallelism; an all-reduce of one token's activations takes " + each.text +
      ", nearly all latency. ";
  sheet.conventions("Two all-reduces a layer, none hidden. us is microseconds.");
  sheet.in_the_head("Twice the layers, times the latency", digits(2.0 * llm.layers, 4) + " × " + each.text);
  if (wish.variant == 0) {
    sheet.ask(start + "How much communication time is that a token?");
    sheet.slip("one all-reduce a layer", time.value() / 2, "There are two: after attention and after the MLP.");
    return sheet.number(time, fitting_unit(time.quantity).symbol);
  }
  const Term rest = sheet.input("rest", "reading weights and the rest", spread(stream, 2, 30), "ms");
  const Term share = sheet.step("Share of the token's time", time / (time + rest), "%");
  sheet.ask(start + "The rest of a decode step takes " + rest.text + ". Which share of the step is communication?");
  sheet.slip("one all-reduce a layer", time.value() / 2 / (time.value() / 2 + rest.value()),
             "There are two: after attention and after the MLP.");
  sheet.slip("over the rest", time.value() / rest.value(), "The share is of the whole step.");
  if (share.value() < 0.02) return std::nullopt;
  return sheet.number(share, "%");
}

}  // namespace

Category tp_latency() {
  return {.id = "tp_latency",
          .title = "Tensor-parallel latency",
          .identity = "t = 2 × layers × α",
          .source = "Shoeybi et al. 2019 (two all-reduces a layer and direction)",
          .is_core = false,
          .variants = 2,
          .draw = draw};
}

}  // namespace td::arithmetic::category
