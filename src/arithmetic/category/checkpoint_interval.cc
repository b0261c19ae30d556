// How often to write a checkpoint.
#include <cmath>

#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("checkpoint_interval");
  const Term cost = sheet.input("cost", "of a checkpoint", static_cast<double>(stream.uniform_int(2, 60)) * 5, "s");
  const Term failures =
      sheet.input("mtbf", "mean time between failures of the job", static_cast<double>(stream.uniform_int(2, 72)), "h");
  const double interval_s = std::sqrt(2 * cost.value() * failures.value());
  const Term squared = sheet.step("2 C M", term(2) * cost * failures, "s²");
  const Term interval{{interval_s, dimension_of(Base::second)}, "sqrt(" + squared.text + ")", 0};
  const Term best = sheet.step("Young's interval: its root", interval);
  sheet.conventions("C is small beside the interval; failures are independent; C is what training stands still.");
  const std::string start =
      "A checkpoint stops training for " + cost.text + "; the job fails every " + failures.text + " on average. ";
  if (wish.variant == 0) {
    sheet.ask(start + "How far apart should checkpoints be, by Young's rule?");
    sheet.in_the_head("Root of twice the product, in seconds; an hour is 3600 s",
                      "sqrt(2 × " + digits(cost.value(), 3) + " × " + digits(failures.value(), 6) + ")");
    sheet.slip("the 2 left out", interval_s / std::sqrt(2.0), "It is the root of 2 C M.");
    return sheet.number(best, fitting_unit(best.quantity).symbol);
  }
  const Term tax = sheet.step("Writing: cost over interval", cost / best, "%");
  const Term both = sheet.step("Lost work after a failure costs as much again", term(2) * tax, "%");
  if (both.value() > 0.3) return std::nullopt;
  sheet.ask(start +
            "With checkpoints at Young's interval, which share of the time goes to writing them and to repeating lost "
            "work, together?");
  sheet.in_the_head("2C over the interval, which is sqrt(2C/M)",
                    "2 × " + digits(cost.value(), 3) + " s / " + best.text);
  sheet.slip("writing only", tax.value(), "On average half an interval is lost at each failure: as much again.");
  return sheet.number(both, "%");
}

}  // namespace

Category checkpoint_interval() {
  return {.id = "checkpoint_interval",
          .title = "Checkpoint interval",
          .identity = "interval = sqrt(2 C M); tax = C / interval, and as much again in lost work",
          .source = "Young 1974",
          .is_core = false,
          .variants = 2,
          .draw = draw};
}

}  // namespace td::arithmetic::category
