// How long Adam takes over a GPU's own parameters.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::string_view local_unit(double billions) { return billions >= 1 ? "B params" : "Mparams"; }

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("optimizer_step");
  const hardware::Llm& llm = draw_llm(stream, 80);
  const Chip chip = draw_chip(stream);
  const double n = power_of_two(stream, 0, 6);
  const double share = llm.parameters_b * 16 / n / chip.spec->memory_label_gb;
  if (share > 0.85 || llm.parameters_b / n < 0.05) return std::nullopt;
  const Term parameters = state_parameters(sheet, llm);
  const Term gpus = sheet.input("gpus", "that split the optimizer", n);
  const Term bandwidth = state_bandwidth(sheet, chip);
  const Term reached = sheet.input("reached", "of the bandwidth", static_cast<double>(stream.uniform_int(75, 92)), "%");
  const Term traffic = sheet.input("traffic", "read and written", 28, "B/param");
  const Term local = sheet.step("Parameters of one GPU", parameters / gpus, local_unit(llm.parameters_b / n));
  const Term bytes =
      sheet.step("Bytes: gradient 2, master, two moments read and written 24, weight 2", local * traffic);
  const Term time = sheet.step("Memory-bound", bytes / (bandwidth * reached));
  sheet.conventions(
      "Fused Adam: reads gradient, FP32 master and moments, writes master, moments and the BF16 weight: 28 bytes a "
      "parameter.");
  sheet.ask("The Adam step of " + std::string(llm.title) + " (" + parameters.text + ") " +
            (n > 1 ? "is split over " + count_of(static_cast<int64_t>(n), chip.gpu->title) + ", each with "
                   : "runs on one " + chip.title() + " with ") +
            bandwidth.text + ". It moves 28 bytes a parameter and reaches " + reached.text +
            " of the bandwidth. How long does it take?");
  sheet.in_the_head("Parameters of a GPU × 28, over the bandwidth that is reached",
                    bytes.text + " / " + bandwidth.text + " / " + reached.text);
  if (n > 1) sheet.slip("nothing split", time.value() * n, "Each GPU updates its own share.");
  sheet.slip("16 bytes a parameter", time.value() * 16 / 28,
             "16 bytes are kept; 28 are moved, since state is read and written.");
  return sheet.number(time, fitting_unit(time.quantity).symbol);
}

}  // namespace

Category optimizer_step() {
  return {.id = "optimizer_step",
          .title = "Optimizer step",
          .identity = "t = P_local × 28 B / (r × bandwidth)",
          .source = "Traffic of a fused Adam: 2 + 12 read, 12 + 2 written",
          .is_core = false,
          .variants = 1,
          .draw = draw};
}

}  // namespace td::arithmetic::category
