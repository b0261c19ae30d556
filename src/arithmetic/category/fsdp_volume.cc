// What FSDP sends a step.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("fsdp_volume");
  const hardware::Llm& llm = draw_llm(stream);
  const double n = 8.0 * static_cast<double>(stream.uniform_int(1, 64));
  const bool fp32 = stream.chance_permille(300);
  if (llm.parameters_b * 16 / n > 60) return std::nullopt;
  const Term parameters = state_parameters(sheet, llm);
  const Term gpus = sheet.input("gpus", "that shard", n);
  const Term weight = sheet.input("weight_bytes", "BF16 weight", 2, "B/param");
  const Term gradient =
      sheet.input("gradient_bytes", fp32 ? "FP32 gradient" : "BF16 gradient", fp32 ? 4 : 2, "B/param");
  const Term factor = sheet.step("Each collective sends (n − 1)/n of its buffer", (gpus - term(1)) / gpus, "buffers");
  const Term gathers = sheet.step("Weights, gathered in forward and again in backward", term(2) * parameters * weight);
  const Term scatter = sheet.step("Gradients, reduce-scattered once", parameters * gradient);
  const Term bytes = sheet.step("Bytes that a GPU sends", (gathers + scatter) * plain(factor));
  const std::string start = "FSDP (weights freed after forward) trains " + std::string(llm.title) + " (" +
                            parameters.text + ") on " + digits(n, 3) + " GPUs, BF16 weights, " +
                            (fp32 ? "FP32" : "BF16") + " gradients in the reduce-scatter. ";
  sheet.conventions("One microbatch a step; ring collectives. GB = 10⁹ bytes, links one way.");
  sheet.in_the_head(fp32 ? "Two gathers of 2 bytes and a scatter of 4: 8 bytes a parameter" : "Three times the weights",
                    gathers.text + " + " + scatter.text);
  sheet.slip("one gather", (gathers.value() / 2 + scatter.value()) * factor.value(),
             "The weights are gathered again for backward.");
  sheet.slip("split over the GPUs", bytes.value() / n, "Each GPU sends nearly the whole buffer on, piece by piece.");
  if (wish.variant == 0) {
    sheet.ask(start + "How many bytes does each GPU send a step?");
    return sheet.number(bytes, "GB");
  }
  const Term rate =
      sheet.input("bandwidth", "of a GPU, one way", static_cast<double>(one_of(stream, {25, 50, 100, 400})), "GB/s");
  const Term time = sheet.step("Over the link", bytes / rate);
  sheet.ask(start + "Each GPU has " + rate.text +
            " one way. How much communication time is that a step, at wire speed?");
  sheet.slip("both directions", time.value() / 2, "The one-way rate applies.");
  return sheet.number(time, fitting_unit(time.quantity).symbol);
}

}  // namespace

Category fsdp_volume() {
  return {.id = "fsdp_volume",
          .title = "FSDP volume",
          .identity = "bytes = (n − 1)/n × P × (2 × weight bytes + gradient bytes)",
          .source = "Zhao et al. 2023 (PyTorch FSDP); nccl-tests factors",
          .is_core = false,
          .variants = 2,
          .draw = draw};
}

}  // namespace td::arithmetic::category
