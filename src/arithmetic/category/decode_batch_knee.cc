// From which batch on decoding is limited by compute.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("decode_batch_knee");
  const Chip chip = draw_chip(stream);
  const bool fp8_math = chip.spec->fp8_flop_per_s > 0 && stream.chance_permille(400);
  const double weight_value = fp8_math ? 1 : one_of(stream, {2.0, 2.0, 1.0, 0.5});
  const Term peak = fp8_math ? state_fp8_peak(sheet, chip) : state_peak(sheet, chip);
  const Term bandwidth = state_bandwidth(sheet, chip);
  const Term weight = sheet.input("weight_bytes", "a weight", weight_value, "B/param");
  const Term share = sheet.input("efficiency", "of the peak that the GEMMs reach",
                                 static_cast<double>(stream.uniform_int(50, 100)), "%");
  const Term reading = sheet.step("Reading one weight", weight / bandwidth, "fs/param");
  const Term computing =
      sheet.step("Using it for one sequence: 2 FLOPs", term(2, "FLOP/param") / (peak * share), "fs/param");
  const Term batch = sheet.step("Sequences at which the two are equal", reading / computing, "sequences");
  const std::string format = weight_value == 2 ? "BF16" : weight_value == 1 ? "8-bit" : "4-bit";
  sheet.conventions("Weights only: the KV cache has its own intensity, which the batch does not raise. " +
                    std::string(kDense));
  sheet.ask("A decoder with " + format + " weights computes in " + (fp8_math ? "FP8" : "BF16") + " on " +
            count_of(1, chip.gpu->title) + " (" + peak.text + " dense " + (fp8_math ? "FP8" : "BF16") +
            ", of which GEMMs reach " + share.text + "; " + bandwidth.text +
            "). From which batch size on are the weight GEMMs of decode compute-bound?");
  sheet.in_the_head("The ridge × bytes a weight / 2", digits(peak.value() * share.value() / bandwidth.value(), 3) +
                                                          " × " + digits(weight_value, 2) + " / 2");
  sheet.slip(
      "bytes a weight left out", batch.value() * 2 / weight_value,
      "A weight of " + format + " has " + digits(weight_value, 2) + " bytes: intensity at batch B is 2B over that.");
  sheet.slip(fp8_math ? "BF16 peak" : "FP8 peak", batch.value() * (fp8_math ? 0.5 : 2),
             std::string("The GEMMs compute in ") + (fp8_math ? "FP8." : "BF16."));
  return sheet.number(batch, "sequences");
}

}  // namespace

Category decode_batch_knee() {
  return {.id = "decode_batch_knee",
          .title = "Decode batch knee",
          .identity = "B* = peak × bytes a weight / (2 × bandwidth)",
          .source = "jax-ml/scaling-book, Inference: critical batch size",
          .is_core = false,
          .variants = 1,
          .draw = draw};
}

}  // namespace td::arithmetic::category
