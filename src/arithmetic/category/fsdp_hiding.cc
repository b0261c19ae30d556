// How many tokens hide a layer's all-gather behind its compute.
#include <cmath>

#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("fsdp_hiding");
  const Chip chip = draw_linked_chip(stream);
  const double n = one_of(stream, {8.0, 16.0, 32.0, 64.0});
  const bool in_node = n <= 8;
  sheet.source(chip.spec->source);
  const double wire = in_node ? chip.gpu->scale_up_bytes_per_s : chip.spec->network_bytes_per_s;
  const Term ranks = sheet.input("gpus", "that shard the layer", n);
  const Term bus = sheet.input("bus_bandwidth", "of the all-gather", rounded(wire * 0.8 / 1e9), "GB/s");
  const Term peak = state_peak(sheet, chip);
  const Term share = sheet.input("efficiency", "of the peak in the layer's GEMMs",
                                 static_cast<double>(stream.uniform_int(40, 65)), "%");
  const Term weight = sheet.input("weight_bytes", "BF16 weight", 2, "B/param");
  const Term flop = term(2, "FLOP/param/tok");
  const Term gather = sheet.step("Gathering one parameter", weight * (ranks - term(1)) / ranks / bus, "ps/param");
  const Term compute = sheet.step("Computing with it, one token forward", flop / (peak * share), "fs/param/tok");
  const Term tokens =
      sheet.step("Tokens at which the two are equal; the size of the layer cancels", gather / compute, "tok");
  const std::string start = "FSDP over " + count_of(static_cast<int64_t>(n), chip.gpu->title) + " (" + peak.text +
                            " dense BF16, GEMMs at " + share.text +
                            " of it). The all-gather of the next layer's BF16 weights runs at " + bus.text +
                            " of bus bandwidth while the present layer computes. ";
  sheet.conventions(
      "Equal layers, forward only, 2 FLOPs a parameter and token, no slow-down by overlap. Tokens are those of one "
      "GPU.");
  sheet.in_the_head("bytes × efficiency × peak / (2 × bandwidth), a little less",
                    digits(peak.value() * share.value() / 1e12, 3) + "e12 / " + digits(bus.value() / 1e9, 3) + "e9");
  if (wish.variant == 0) {
    sheet.ask(start + "From how many tokens a GPU on does forward hide it?");
    sheet.slip("both directions", tokens.value() / 2, "The one-way rate applies.");
    sheet.slip("the peak", tokens.value() / share.value(), "The GEMMs reach only their share of the peak.");
    sheet.slip("FP8 or sparse peak", tokens.value() * 2, "The dense BF16 rate applies.");
    return sheet.number(tokens, "tok");
  }
  const double own =
      256 * std::floor(tokens.value() * (wish.yes ? spread(stream, 1.3, 6, 3) : 1 / spread(stream, 1.3, 6, 3)) / 256);
  const double ratio = own / tokens.value();
  if (own < 256 || (ratio > 1) != wish.yes || (ratio > 0.8 && ratio < 1.25)) return std::nullopt;
  const Term have = sheet.input("tokens", "of one GPU", own, "tok");
  sheet.note(ratio > 1 ? "More tokens than that: it hides" : "Fewer tokens than that: it sticks out",
             have.text + (ratio > 1 ? " > " : " < ") + tokens.text);
  sheet.ask(start + "Each GPU has " + digits(own, 6) + " tokens. Does forward hide the all-gather?");
  return sheet.verdict({{"yes", "y true hides hidden"}, {"no", "n false not exposed"}}, ratio > 1 ? "yes" : "no");
}

}  // namespace

Category fsdp_hiding() {
  return {.id = "fsdp_hiding",
          .title = "FSDP: does the all-gather hide",
          .identity = "tokens* = bytes × e × peak × (n − 1)/n / (2 × busbw)",
          .source = "jax-ml/scaling-book, Training; timing of the all-gather as in nccl-tests",
          .is_core = false,
          .variants = 2,
          .draw = draw};
}

}  // namespace td::arithmetic::category
