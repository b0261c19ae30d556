// How long a prompt takes before its first token.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("prefill_time");
  const hardware::Llm& llm = draw_llm(stream);
  const Chip chip = draw_chip(stream);
  const double n = chip.gpu->scale_up_bytes_per_s > 0 ? power_of_two(stream, 0, 3) : 1;
  if (llm.parameters_b * 2 > chip.spec->memory_label_gb * 0.8 * n ||
      (n > 1 && llm.parameters_b * 2 < chip.spec->memory_label_gb * 0.15 * n))
    return std::nullopt;
  const Term parameters = state_parameters(sheet, llm);
  const Term tokens = sheet.input(
      "prompt", "tokens", 512.0 * static_cast<double>(one_of(stream, {1, 2, 3, 4, 6, 8, 12, 16, 24, 32})), "tok");
  const Term gpus = sheet.input("gpus", "GPUs", n);
  const Term peak = state_peak(sheet, chip);
  const Term share = sheet.input("efficiency", "of the peak", static_cast<double>(stream.uniform_int(40, 70)), "%");
  const Term work = sheet.step("2 FLOPs a parameter and token", term(2, "FLOP/param/tok") * parameters * tokens);
  const Term rate = sheet.step("FLOPs a second", gpus * peak * share);
  const Term time = sheet.step("Time", work / rate);
  sheet.conventions("Forward only, attention and communication ignored. " + std::string(kDense));
  sheet.ask(std::string(llm.title) + " (" + parameters.text + ", BF16) prefills a prompt of " +
            digits(tokens.value(), 6) + " tokens on " + count_of(static_cast<int64_t>(n), chip.gpu->title) + " (" +
            peak.text + " dense BF16" + (n > 1 ? " each, tensor parallel" : "") + ") at " + share.text +
            " of the peak. How long does it take?");
  sheet.in_the_head("2PT over the rate", work.text + " / " + rate.text);
  sheet.slip("6PT: training", time.value() * 3, "Prefill is forward only: 2 FLOPs a parameter and token.");
  sheet.slip("FP8 or sparse peak", time.value() / 2, "The dense BF16 rate applies.");
  if (n > 1) sheet.slip("one GPU only", time.value() * n, "The GPUs share the work.");
  return sheet.number(time, fitting_unit(time.quantity).symbol);
}

}  // namespace

Category prefill_time() {
  return {.id = "prefill_time",
          .title = "Prefill time",
          .identity = "t = 2 P T / (N × peak × efficiency)",
          .source = "jax-ml/scaling-book, Inference",
          .is_core = false,
          .variants = 1,
          .draw = draw};
}

}  // namespace td::arithmetic::category
