// Where the roofline bends, and what is attainable at an intensity.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, const Wish& wish) {
  const Chip chip = draw_chip(stream);
  const bool fp8 = chip.spec->fp8_flop_per_s > 0 && stream.chance_permille(400);
  const std::string format = fp8 ? "FP8" : "BF16";
  Worksheet sheet("roofline_knee");
  const Term peak = fp8 ? state_fp8_peak(sheet, chip) : state_peak(sheet, chip);
  const Term bandwidth = state_bandwidth(sheet, chip);
  const std::string of =
      chip.title() + ": " + peak.text + " dense " + format + ", " + bandwidth.text + " of memory bandwidth. ";
  sheet.conventions(std::string(kDense));
  const double ridge_value = peak.value() / bandwidth.value();
  if (wish.variant == 0) {
    // A share of the peak, so that the question is not always the same few numbers.
    const Term share = sheet.input("share", "of the peak", static_cast<double>(stream.uniform_int(50, 95)), "%");
    const Term rate = sheet.step("Rate to reach", share * peak, "TFLOP/s");
    const Term needed = sheet.step("Intensity that feeds it", rate / bandwidth, "FLOP/B");
    sheet.ask(of + "You want a kernel to run at " + share.text +
              " of the peak. What arithmetic intensity does it need at least?");
    sheet.in_the_head("Ridge first, then the share of it",
                      digits(ridge_value, 3) + " × " + share.text + " ≈ " + needed.text);
    sheet.slip("the ridge itself", ridge_value, "Less than the whole peak is asked for.");
    sheet.slip(fp8 ? "BF16 peak" : "FP8 peak", needed.value() * (fp8 ? 0.5 : 2),
               "The kernel computes in " + format + ".");
    return sheet.number(needed, "FLOP/B");
  }
  const double factor = wish.yes ? spread(stream, 1.35, 20) : 1 / spread(stream, 1.35, 60);
  const Term intensity = sheet.input("intensity", "of the kernel", rounded(ridge_value * factor, 2), "FLOP/B");
  const Term ridge = sheet.step("Ridge point", peak / bandwidth, "FLOP/B");
  const bool computes = intensity.value() > ridge.value();
  if (wish.variant == 1) {
    const Term fed = sheet.step("What the memory can feed", intensity * bandwidth, "TFLOP/s");
    const Term attainable = sheet.step("The smaller of the two", min_of(peak, fed), "TFLOP/s");
    sheet.ask(of + "A " + format + " kernel has an arithmetic intensity of " + intensity.text +
              ". What is the most that it can attain, in TFLOP/s?");
    sheet.in_the_head(computes ? "Right of the ridge: it is the peak"
                               : "Left of the ridge: the share of the peak is intensity over ridge",
                      computes ? intensity.text + " > " + ridge.text
                               : peak.text + " × " + digits(intensity.value(), 3) + "/" + digits(ridge.value(), 3));
    sheet.in_practice("The best measured GEMM reaches " + digits(chip.gpu->matmul_efficiency_max * 100, 2) +
                          " % of the peak, copies about 90 % of the bandwidth",
                      text_of({attainable.value() * (computes ? chip.gpu->matmul_efficiency_max : 0.9),
                               attainable.quantity.dimension},
                              unit("TFLOP/s")));
    if (computes) sheet.slip("above the roof", fed.value(), "The peak caps it: the kernel is right of the ridge.");
    if (!computes) sheet.slip("the peak", peak.value(), "The memory cannot feed the peak at this intensity.");
    if (computes)
      sheet.slip(fp8 ? "BF16 peak" : "FP8 peak", attainable.value() * (fp8 ? 0.5 : 2),
                 "The kernel computes in " + format + ".");
    return sheet.number(attainable, "TFLOP/s");
  }
  sheet.note(computes ? "Right of the ridge: compute" : "Left of the ridge: memory",
             intensity.text + (computes ? " > " : " < ") + ridge.text);
  sheet.ask(of + "A " + format + " kernel does " + digits(intensity.value(), 4) +
            " FLOPs for each byte that it moves. Compute-bound or memory-bound?");
  sheet.in_the_head(
      "TFLOP/s over TB/s is the ridge",
      digits(peak.value() / 1e12, 4) + " / " + digits(bandwidth.value() / 1e12, 3) + " ≈ " + digits(ridge.value(), 3));
  return sheet.verdict(compute_or_memory(), computes ? "compute-bound" : "memory-bound");
}

}  // namespace

Category roofline_knee() {
  return {.id = "roofline_knee",
          .title = "Roofline knee and attainable FLOP/s",
          .identity = "attainable = min(peak, AI × bandwidth); ridge = peak / bandwidth",
          .source = "Roofline model, Williams et al. 2009",
          .is_core = true,
          .variants = 3,
          .draw = draw};
}

}  // namespace td::arithmetic::category
