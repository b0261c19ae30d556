// What synchronisations cost a step.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("sync_cost");
  const Term count = sheet.input("syncs", "a step", static_cast<double>(stream.uniform_int(5, 200)));
  const Term idle =
      sheet.input("idle", "GPU idle after each", static_cast<double>(stream.uniform_int(3, 30)) * 10, "us");
  const Term time = sheet.input("time", "of the step", spread(stream, 20, 400), "ms");
  const Term lost = sheet.step("Idle a step", count * idle);
  const Term share = sheet.step("Of the step", lost / time, "%");
  if (share.value() < 0.02 || share.value() > 0.6) return std::nullopt;
  sheet.conventions(
      "Each idle time is what the GPU waits from the end of the copy to the next kernel. us is microseconds.");
  const std::string start = "A training step of " + time.text + " calls .item() " + count.text +
                            " times; after each the GPU stands idle for " + idle.text + ". ";
  sheet.in_the_head("Count times idle; 1000 us are a millisecond",
                    digits(count.value(), 4) + " × " + digits(idle.value() * 1e6, 4) + " us = " + lost.text);
  if (wish.variant == 0) {
    sheet.ask(start + "Which share of the step is lost?");
    return sheet.number(share, "%");
  }
  const Term without = sheet.step("Without them", time - lost);
  const Term gain = sheet.step("Speed-up", time / without, "times");
  if (gain.value() < 1.12) return std::nullopt;
  sheet.ask(start + "How many times faster is the step without them?");
  sheet.slip("the share added", 1 + share.value(), "The step without them is the shorter one: divide by it.");
  return sheet.number(gain, "times");
}

}  // namespace

Category sync_cost() {
  return {.id = "sync_cost",
          .title = "Cost of synchronisations",
          .identity = "lost = syncs × idle after each",
          .source = "Timing of a device-to-host copy and the next launch in public traces",
          .is_core = false,
          .variants = 2,
          .draw = draw};
}

}  // namespace td::arithmetic::category
