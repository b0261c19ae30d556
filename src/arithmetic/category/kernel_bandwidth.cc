// Fraction of the peak that a kernel in a trace reaches.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("kernel_bandwidth");
  const Chip chip = draw_chip(stream);
  const Term bandwidth = state_bandwidth(sheet, chip);
  const double gb = spread(stream, 0.05, 12, 2);
  const double reached_value = 0.2 + 0.72 * stream.uniform();
  const Term moved = sheet.input("traffic", "read and written", gb, "GB");
  sheet.conventions("Traffic is what crosses the memory, read plus written. GB = 10⁹ bytes.");
  if (wish.variant == 0) {
    const Term time =
        sheet.input("time", "of the kernel", rounded(gb * 1e9 / (bandwidth.value() * reached_value) * 1e3, 2), "ms");
    const Term rate = sheet.step("Rate", moved / time, "TB/s");
    const Term share = sheet.step("Of the peak", rate / bandwidth, "%");
    sheet.ask("A kernel moved " + moved.text + " in " + time.text + " on " + count_of(1, chip.gpu->title) + " (" +
              bandwidth.text + "). Which fraction of the peak bandwidth is that?");
    sheet.in_the_head("GB over ms is TB/s", digits(gb, 3) + " / " + digits(time.value() * 1e3, 3) + " = " + rate.text);
    return sheet.number(share, "%");
  }
  if (wish.variant == 1) {
    const Term share = sheet.input("reached", "of the peak", static_cast<double>(stream.uniform_int(75, 92)), "%");
    const Term time = sheet.step("Time", moved / (bandwidth * share));
    sheet.ask("An elementwise kernel must move " + moved.text + " on " + count_of(1, chip.gpu->title) + " (" +
              bandwidth.text + ", of which such kernels reach " + share.text + "). How long should it take?");
    sheet.in_the_head("GB over TB/s is ms, and a little more",
                      digits(gb, 3) + " / " + digits(bandwidth.value() / 1e12, 3) + " / " + share.text);
    return sheet.number(time, fitting_unit(time.quantity).symbol);
  }
  const Term payload = term(gb, "GB");
  const Term time =
      sheet.input("time", "of the copy", rounded(2 * gb * 1e9 / (bandwidth.value() * reached_value) * 1e3, 2), "ms");
  const Term traffic = sheet.step("A copy reads and writes each byte", term(2) * payload);
  const Term rate = sheet.step("Rate", traffic / time, "TB/s");
  const Term share = sheet.step("Of the peak", rate / bandwidth, "%");
  sheet.ask("A device-to-device copy of a " + payload.text + " tensor took " + time.text + " on " +
            count_of(1, chip.gpu->title) + " (" + bandwidth.text + "). Which fraction of the peak bandwidth is that?");
  sheet.in_the_head("Twice the tensor; GB over ms is TB/s",
                    digits(2 * gb, 3) + " / " + digits(time.value() * 1e3, 3) + " = " + rate.text);
  sheet.slip("read or written only", share.value() / 2, "A copy moves each byte twice.");
  return sheet.number(share, "%");
}

}  // namespace

Category kernel_bandwidth() {
  return {.id = "kernel_bandwidth",
          .title = "Kernel bandwidth from a trace",
          .identity = "share = bytes / time / peak bandwidth",
          .source = "A copy of n bytes moves 2n: 1.52 TB/s of payload on an H100 is 91 % of 3.35",
          .is_core = false,
          .variants = 3,
          .draw = draw};
}

}  // namespace td::arithmetic::category
