// What a training run keeps on each GPU, and whether it fits.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

// ZeRO by stage: what is split over the ranks. 2 bytes of weights, 2 of gradients, 12 of optimizer state (FP32 master
// weights and two moments).
struct Plan {
  std::string name;
  bool splits_gradients = false;
  bool splits_weights = false;
  bool splits_optimizer = true;
};

Plan draw_plan(RandomStream& stream) {
  switch (stream.uniform_int(0, 4)) {
    case 0:
      return {"plain data parallel (DDP, everything on every GPU)", false, false, false};
    case 1:
      return {"ZeRO-1 (optimizer state split over the GPUs)", false, false, true};
    case 2:
      return {"ZeRO-2 (optimizer state and gradients split over the GPUs)", true, false, true};
    default:
      return {"FSDP / ZeRO-3 (weights, gradients and optimizer state split over the GPUs)", true, true, true};
  }
}

Term bytes_of(const Term& each, bool split, const Term& gpus) { return split ? each / gpus : each; }

std::optional<Problem> draw(RandomStream& stream, const Wish& wish) {
  const hardware::Llm& llm = draw_llm(stream);
  const Chip chip = draw_linked_chip(stream);
  const Plan plan = draw_plan(stream);
  const double n = power_of_two(stream, 1, 9);
  const bool fp32_gradients = stream.chance_permille(250);

  Worksheet sheet("training_memory");
  const Term parameters = state_parameters(sheet, llm);
  const Term gpus = sheet.input("gpus", "GPUs", n);
  const Term weight = sheet.input("weight_bytes", "BF16 weight", 2, "B/param");
  const Term gradient = sheet.input("gradient_bytes", fp32_gradients ? "FP32 gradient" : "BF16 gradient",
                                    fp32_gradients ? 4 : 2, "B/param");
  const Term optimizer = sheet.input("optimizer_bytes", "FP32 master weight and two Adam moments", 12, "B/param");
  const Term each =
      sheet.step("Bytes a parameter on each GPU",
                 bytes_of(weight, plan.splits_weights, gpus) + bytes_of(gradient, plan.splits_gradients, gpus) +
                     bytes_of(optimizer, plan.splits_optimizer, gpus),
                 "B/param");
  const Term state = sheet.step("State on each GPU", parameters * each, "GB");
  const double share = state.value() / (chip.spec->memory_label_gb * 1e9);
  if (share > 4 || state.value() < 0.5e9) return std::nullopt;
  const std::string what = "You train " + std::string(llm.title) + " (" + parameters.text +
                           ") with Adam and mixed precision: BF16 weights, " + (fp32_gradients ? "FP32" : "BF16") +
                           " gradients, FP32 master weights and two FP32 moments. " +
                           count_of(static_cast<int64_t>(n), chip.gpu->title) + ", " + plan.name + ". ";
  sheet.conventions("GB = 10⁹ bytes, memory as labelled; activations counted only where the question says so.");
  sheet.in_the_head(
      fp32_gradients ? "18 bytes a parameter, less what is split" : "16 bytes a parameter, less what is split",
      digits(llm.parameters_b, 3) + " B × " + digits(each.value(), 3) + " B/param = " + state.text);
  if (wish.variant == 0) {
    if (share > 1.2) return std::nullopt;
    sheet.ask(what + "How much memory do weights, gradients and optimizer state take on each GPU?");
    const double p = parameters.value();
    sheet.slip("weights and gradients only",
               p * (bytes_of(weight, plan.splits_weights, gpus).value() +
                    bytes_of(gradient, plan.splits_gradients, gpus).value()),
               "Adam keeps 12 further bytes a parameter: master weight and two moments in FP32.");
    if (plan.splits_optimizer)
      sheet.slip("nothing split", p * (weight.value() + gradient.value() + 12),
                 "This plan splits state over the GPUs.");
    if (!plan.splits_weights)
      sheet.slip("everything split", p * (weight.value() + gradient.value() + 12) / n,
                 "This plan keeps more than that on every GPU.");
    sheet.slip("the master weights left out", p * (each.value() - (plan.splits_optimizer ? 4 / n : 4)),
               "Mixed precision keeps an FP32 copy of the weights.");
    return sheet.number(state, "GB");
  }
  const Term memory = state_memory(sheet, chip);
  const Term reserve = sheet.input("reserve", "kept for activations and buffers", 25, "%");
  const Term usable = sheet.step("Room for state: the memory less a quarter", memory * (term(1) - reserve), "GB");
  const double ratio = state.value() / usable.value();
  if ((ratio <= 1) != wish.yes || (ratio > 0.9 && ratio < 1.12) || ratio < 0.15) return std::nullopt;
  sheet.note(ratio <= 1 ? "It fits" : "It does not fit", state.text + (ratio <= 1 ? " < " : " > ") + usable.text);
  sheet.ask(what + "Each has " + memory.text +
            "; keep 25 % of it free for activations and buffers. Does the state fit?");
  return sheet.verdict(yes_or_no(), ratio <= 1 ? "yes" : "no");
}

}  // namespace

Category training_memory() {
  return {.id = "training_memory",
          .title = "Training memory",
          .identity = "16 bytes a parameter (2 weights + 2 gradients + 12 Adam), each part over N where it is split",
          .source = "Rajbhandari et al. 2020 (ZeRO), section 3",
          .is_core = true,
          .variants = 2,
          .draw = draw};
}

}  // namespace td::arithmetic::category
