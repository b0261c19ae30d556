// What the all-to-all of a mixture of experts sends.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("moe_dispatch");
  const bool fp8 = stream.chance_permille(400);
  const double group = one_of(stream, {4.0, 8.0, 16.0, 32.0, 64.0});
  const Term tokens = sheet.input("tokens", "of one GPU", power_of_two(stream, 10, 14), "tok");
  const Term chosen = sheet.input("top_k", "experts a token", static_cast<double>(one_of(stream, {2, 4, 6, 8})));
  const Term hidden =
      sheet.input("hidden", "size", static_cast<double>(one_of(stream, {2048, 4096, 5120, 6144, 7168})));
  const Term element = sheet.input("element_bytes", fp8 ? "FP8" : "BF16", fp8 ? 1 : 2, "B/tok");
  const Term ranks = sheet.input("expert_parallel", "ranks that share the experts", group);
  const Term all = sheet.step("Every token goes to its experts", tokens * chosen * hidden * element);
  const Term sent = sheet.step("What leaves the GPU: (EP − 1)/EP of it", all * (ranks - term(1)) / ranks);
  const std::string start = "A mixture-of-experts layer: each GPU has " + digits(tokens.value(), 6) +
                            " tokens, hidden size " + hidden.text + ", top-" + chosen.text +
                            " of experts spread evenly over " + ranks.text + " GPUs, dispatched in " +
                            (fp8 ? "FP8" : "BF16") + ". ";
  sheet.conventions(
      "Even routing; one way (dispatch, not combine); each choice sent apart. GB = 10⁹ bytes, links one way.");
  sheet.slip("one expert a token", sent.value() / chosen.value(), "Each token goes to " + chosen.text + " experts.");
  sheet.in_the_head("Tokens × k × hidden × bytes, less what stays", all.text + " less 1/" + ranks.text);
  if (wish.variant == 0) {
    sheet.ask(start + "How many bytes does a GPU send in the dispatch?");
    sheet.slip(fp8 ? "BF16" : "FP8", sent.value() * (fp8 ? 2 : 0.5), fp8 ? "FP8 is one byte." : "BF16 is two bytes.");
    return sheet.number(sent, fitting_unit(sent.quantity).symbol);
  }
  const Term rate = sheet.input("bandwidth", "link of a GPU, one way", group <= 8 ? 450 : 50, "GB/s");
  const Term time = sheet.step("Over the link", sent / rate);
  sheet.ask(start + "The link of a GPU carries " + rate.text +
            " one way. How long does the dispatch take at wire speed?");
  sheet.slip("both directions", time.value() / 2,
             "The one-way rate applies: a GPU sends and receives at the same time.");
  sheet.slip("dispatch and combine", time.value() * 2, "Only the dispatch is asked.");
  return sheet.number(time, fitting_unit(time.quantity).symbol);
}

}  // namespace

Category moe_dispatch() {
  return {.id = "moe_dispatch",
          .title = "MoE dispatch",
          .identity = "bytes = tokens × k × hidden × bytes × (EP − 1)/EP",
          .source = "deepseek-ai/DeepEP README (dispatch sizes); nccl-tests (all-to-all factor)",
          .is_core = false,
          .variants = 2,
          .draw = draw};
}

}  // namespace td::arithmetic::category
