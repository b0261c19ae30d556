// What a million tokens cost.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("cost_per_token");
  const Term price =
      sheet.input("price", "of a GPU hour", static_cast<double>(stream.uniform_int(10, 120)) / 10, "$/h");
  const Term gpus = sheet.input("gpus", "of the deployment", static_cast<double>(one_of(stream, {1, 2, 4, 8, 16})));
  const Term rate = sheet.input("rate", "of all GPUs", rounded(spread(stream, 800, 60000), 2), "tok/s");
  const Term use =
      sheet.input("utilisation", "of that rate, over the day", static_cast<double>(stream.uniform_int(4, 20)) * 5, "%");
  const Term hourly = sheet.step("Cost an hour", gpus * price, "$/h");
  const Term tokens = sheet.step("Tokens an hour", rate * use, "Mtok/h");
  const Term cost = sheet.step("Cost a million tokens", hourly / tokens, "$/Mtok");
  if (cost.value() * 1e6 < 0.02) return std::nullopt;
  sheet.conventions("M = 10⁶. Nothing but the GPUs is paid for.");
  sheet.ask("A deployment of " + gpus.text + (gpus.value() > 1 ? " GPUs" : " GPU") + " at " + price.text +
            " each gives " + rate.text + " in all when busy; averaged over the day it runs at " + use.text +
            " of that. What do a million tokens cost?");
  sheet.in_the_head("1000 tok/s are 3.6 M tokens an hour", hourly.text + " / " + tokens.text);
  sheet.slip("fully busy", cost.value() * use.value(),
             "It runs at " + use.text + " of its rate; the GPUs are paid for all day.");
  if (gpus.value() > 1)
    sheet.slip("one GPU paid", cost.value() / gpus.value(),
               "The rate is that of all GPUs, and all of them are paid for.");
  return sheet.number(cost, "$/Mtok");
}

}  // namespace

Category cost_per_token() {
  return {.id = "cost_per_token",
          .title = "Cost of a million tokens",
          .identity = "$/Mtok = $/h / (tok/s × 3600) × 10⁶",
          .source = "Arithmetic",
          .is_core = false,
          .variants = 1,
          .draw = draw};
}

}  // namespace td::arithmetic::category
