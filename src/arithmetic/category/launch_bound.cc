// Is the step set by the kernels or by the host that launches them?
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("launch_bound");
  const double kernels = static_cast<double>(stream.uniform_int(15, 150)) * 10;
  const double period_us = rounded(spread(stream, 5, 14), 2);
  const double ratio =
      wish.yes || wish.variant == 1 ? spread(stream, 1.4, 4, 3) : 1 / spread(stream, 1.4, 4, 3);  // host over GPU
  const Term count = sheet.input("kernels", "a step", kernels, "kernels");
  const Term mean = sheet.input("kernel_time", "on average", rounded(period_us / ratio, 2), "us");
  const Term period = sheet.input("launch_period", "host time a kernel", period_us, "us");
  const Term device = sheet.step("The GPU's own work", plain(count) * mean);
  const Term host = sheet.step("Launching it, one after another", plain(count) * period);
  const std::string start = "A step launches " + count.text + " of " + mean.text + " on average. The host needs " +
                            period.text + " to issue each (framework and launch together). ";
  sheet.conventions("One stream, one launching thread, nothing else waits. us is microseconds.");
  sheet.slip("the two added", device.value() + host.value(),
             "Host and GPU work at the same time: the longer one sets the step.");
  if (wish.variant == 0) {
    const Term step = sheet.step("They run side by side: the longer one", max_of(device, host));
    sheet.ask(start + "How long is the step?");
    sheet.in_the_head("Kernels times the longer of the two",
                      count.text + " × " + (ratio > 1 ? period.text : mean.text));
    sheet.slip("the other one", smaller(device.quantity, host.quantity).value, "The longer of the two sets the step.");
    return sheet.number(step, fitting_unit(step.quantity).symbol);
  }
  if (wish.variant == 1) {
    const Term gap = sheet.input("graph_gap", "between kernels of a graph", 1, "us");
    const Term graph = sheet.step("With a CUDA graph: kernels and short gaps", plain(count) * (mean + gap));
    const Term gain = sheet.step("Speed-up", max_of(device, host) / graph, "times");
    if (gain.value() < 1.2) return std::nullopt;
    sheet.ask(start + "A CUDA graph would replay them with gaps of " + gap.text +
              ". How many times faster is the step?");
    sheet.in_the_head("Per kernel: the longer of the two, over time and gap",
                      digits(period_us, 3) + " / " + digits(mean.value() * 1e6 + 1, 3));
    return sheet.number(gain, "times");
  }
  sheet.note(ratio > 1 ? "The host is the slower one" : "The GPU is the slower one",
             host.text + (ratio > 1 ? " > " : " < ") + device.text);
  sheet.ask(start + "Host-bound or GPU-bound?");
  sheet.in_the_head("Compare the two times of one kernel", period.text + " against " + mean.text);
  return sheet.verdict(
      {{"host-bound", "host cpu cpu-bound launch launch-bound"}, {"gpu-bound", "gpu device device-bound"}},
      ratio > 1 ? "host-bound" : "gpu-bound");
}

}  // namespace

Category launch_bound() {
  return {.id = "launch_bound",
          .title = "Launch-bound steps",
          .identity = "t = max(Σ kernel time, kernels × launch period)",
          .source = "CUDA: launches are asynchronous, a stream runs in order",
          .is_core = false,
          .variants = 3,
          .draw = draw};
}

}  // namespace td::arithmetic::category
