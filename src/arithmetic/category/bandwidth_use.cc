// Which share of the memory bandwidth a decoder reaches.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("bandwidth_use");
  const hardware::Llm& llm = draw_llm(stream, 80);
  const Chip chip = draw_chip(stream);
  const int bits = one_of(stream, {16, 8, 4});
  if (llm.parameters_b * bits / 8 > chip.spec->memory_label_gb * 0.85) return std::nullopt;
  const Term parameters = state_parameters(sheet, llm);
  const Term weight = sheet.input("weight_bytes", "a weight", bits / 8.0, "B/param");
  const Term bandwidth = state_bandwidth(sheet, chip);
  const double most = bandwidth.value() / (parameters.value() * weight.value());
  const Term rate = sheet.input("rate", "of one sequence", rounded(most * (0.35 + 0.5 * stream.uniform()), 2), "tok/s");
  const Term bytes = sheet.step("Bytes a token: all weights", parameters * weight / term(1, "tok"), "GB/tok");
  const Term used = sheet.step("Bytes a second", bytes * rate, "GB/s");
  const Term share = sheet.step("Of the bandwidth", used / bandwidth, "%");
  sheet.conventions("One sequence, short context: the KV cache is small beside the weights. GB = 10⁹ bytes.");
  sheet.ask(std::string(llm.title) + " (" + parameters.text + ", " +
            (bits == 16 ? "BF16" : std::to_string(bits) + "-bit") + " weights) decodes one sequence at " + rate.text +
            " on " + count_of(1, chip.gpu->title) + " (" + bandwidth.text +
            "). Which share of the memory bandwidth is that?");
  sheet.in_the_head("GB of weights × tokens a second, over GB/s", digits(parameters.value() * weight.value() / 1e9, 3) +
                                                                      " × " + digits(rate.value(), 4) + " / " +
                                                                      digits(bandwidth.value() / 1e9, 4));
  if (bits != 16)
    sheet.slip("2 bytes a weight", share.value() * 16 / bits, "The weights have " + std::to_string(bits) + " bits.");
  return sheet.number(share, "%");
}

}  // namespace

Category bandwidth_use() {
  return {.id = "bandwidth_use",
          .title = "Bandwidth use of a decoder (MBU)",
          .identity = "MBU = bytes a token × tok/s / bandwidth",
          .source = "Databricks, LLM Inference Performance Engineering (2023)",
          .is_core = false,
          .variants = 1,
          .draw = draw};
}

}  // namespace td::arithmetic::category
