#include "arithmetic/draw.h"

#include <span>

#include "base/math.h"

namespace td::arithmetic {

Chip draw_chip(RandomStream& stream) {
  const std::span<const hardware::ChipSpec> specs = hardware::all_chip_specs();
  const hardware::ChipSpec& spec =
      specs[static_cast<size_t>(stream.uniform_int(0, static_cast<int64_t>(specs.size()) - 1))];
  return {.gpu = hardware::find_gpu(spec.gpu), .spec = &spec};
}

Chip draw_linked_chip(RandomStream& stream) {
  for (;;) {
    const Chip chip = draw_chip(stream);
    if (chip.gpu->scale_up_bytes_per_s > 0) return chip;
  }
}

const hardware::Llm& draw_llm(RandomStream& stream, double most_b) {
  const std::span<const hardware::Llm> llms = hardware::all_llms();
  for (;;) {
    const hardware::Llm& llm = llms[static_cast<size_t>(stream.uniform_int(0, static_cast<int64_t>(llms.size()) - 1))];
    if (llm.experts == 0 && llm.parameters_b <= most_b) return llm;
  }
}

double rounded(double value, int significant) {
  if (value <= 0) return value;
  double scale = 1;
  double limit = 1;
  for (int i = 1; i < significant; ++i) limit *= 10;
  while (value * scale < limit) scale *= 10;
  while (value * scale >= limit * 10) scale /= 10;
  const auto whole = static_cast<double>(round_to_int(value * scale));
  // Dividing by a power of ten gives the double nearest to the printed digits; multiplying by its inverse may not.
  return scale >= 1 ? whole / scale : whole * static_cast<double>(round_to_int(1 / scale));
}

double spread(RandomStream& stream, double low, double high, int significant) {
  const double share = stream.uniform();
  return rounded(exp_exact(log_exact(low) + share * (log_exact(high) - log_exact(low))), significant);
}

double power_of_two(RandomStream& stream, int low, int high) {
  return static_cast<double>(int64_t{1} << stream.uniform_int(low, high));
}

std::string count_of(int64_t count, std::string_view title) {
  std::string out = count == 1 ? "one " : std::to_string(count) + " × ";
  out += title;
  return out;
}

Term state_peak(Worksheet& sheet, const Chip& chip) {
  sheet.source(chip.spec->source);
  return sheet.input("peak", chip.title() + ", dense BF16 peak", chip.gpu->bf16_flop_per_s / 1e12, "TFLOP/s");
}

Term state_fp8_peak(Worksheet& sheet, const Chip& chip) {
  sheet.source(chip.spec->source);
  return sheet.input("peak", chip.title() + ", dense FP8 peak", chip.spec->fp8_flop_per_s / 1e12, "TFLOP/s");
}

Term state_bandwidth(Worksheet& sheet, const Chip& chip) {
  sheet.source(chip.spec->source);
  return sheet.input("memory_bandwidth", chip.title() + ", memory bandwidth", chip.gpu->hbm_bytes_per_s / 1e12, "TB/s");
}

Term state_memory(Worksheet& sheet, const Chip& chip) {
  sheet.source(chip.spec->source);
  return sheet.input("memory", chip.title() + ", memory", chip.spec->memory_label_gb, "GB");
}

Term state_parameters(Worksheet& sheet, const hardware::Llm& llm) {
  sheet.source(kModelSource);
  return sheet.input("parameters", std::string(llm.title) + ", parameters", llm.parameters_b, "B params");
}

}  // namespace td::arithmetic
