// What a lower SM clock does to a step.
#include <cmath>

#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("clock_throttle");
  const double share_value = static_cast<double>(stream.uniform_int(30, 95));
  const Term time = sheet.input("time", "of a step at full clock", spread(stream, 50, 900), "ms");
  const Term share = sheet.input("compute_share", "that the SM clock sets", share_value, "%");
  const double full_mhz = static_cast<double>(one_of(stream, {1410, 1755, 1830, 1965, 1980}));
  const Term full = sheet.input("full_clock", "MHz", full_mhz, "MHz");
  const Term slow =
      sheet.input("slow_clock", "MHz", 15 * std::floor(full_mhz * (0.5 + 0.4 * stream.uniform()) / 15), "MHz");
  const Term compute = sheet.step("The part that stretches", time * share * full / slow);
  const Term rest = sheet.step("The part that does not", time * (term(1) - share));
  const Term all = sheet.step("Together", compute + rest);
  const std::string start = "A step takes " + time.text + ", " + share.text +
                            " of it compute-bound. The SM clock drops from " + full.text + " to " + slow.text +
                            "; the memory clock stays. ";
  sheet.conventions("Compute-bound time goes with 1/clock; memory-bound and waiting time stays.");
  sheet.slip("everything stretched", time.value() * full.value() / slow.value(),
             "Memory-bound time does not depend on the SM clock.");
  sheet.in_the_head(
      "Only the compute share grows, by one clock over the other",
      digits(full.value() / slow.value(), 3) + " × " + share.text + " + " + digits(100 - share_value, 3) + " %");
  if (wish.variant == 0) {
    sheet.ask(start + "How long is the step now?");
    return sheet.number(all, fitting_unit(all.quantity).symbol);
  }
  const Term more = sheet.step("Growth", (all - time) / time, "%");
  sheet.ask(start + "By how many percent does the step grow?");
  sheet.slip("the clock's drop", 1 - slow.value() / full.value(),
             "The time grows with 1/clock, and only the compute share does.");
  sheet.slip("everything stretched", full.value() / slow.value() - 1,
             "Memory-bound time does not depend on the SM clock.");
  if (more.value() < 0.03) return std::nullopt;
  return sheet.number(more, "%");
}

}  // namespace

Category clock_throttle() {
  return {.id = "clock_throttle",
          .title = "Clock throttle",
          .identity = "t′ = t_compute × f/f′ + t_rest",
          .source = "Compute rate goes with the SM clock: peak = clock × SMs × FMA a cycle × 2",
          .is_core = false,
          .variants = 2,
          .draw = draw};
}

}  // namespace td::arithmetic::category
