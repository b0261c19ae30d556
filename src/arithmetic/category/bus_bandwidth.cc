// Bus bandwidth of a collective from what a trace shows of it.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("bus_bandwidth");
  const Chip chip = draw_linked_chip(stream);
  const double n = one_of(stream, {4.0, 8.0, 16.0, 64.0});
  const double link = n <= 8 ? chip.gpu->scale_up_bytes_per_s : chip.spec->network_bytes_per_s;
  const bool reduce = stream.chance_permille(600);
  const std::string kind = reduce ? "all_reduce" : one_of(stream, {"all_gather", "reduce_scatter"});
  const double gb = spread(stream, 0.05, 8, 3);
  const double share = 0.3 + 0.6 * stream.uniform();
  const double factor_value = (reduce ? 2 : 1) * (n - 1) / n;
  const Term ranks = sheet.input("ranks", "of the collective", n);
  const Term size = sheet.input("size", "whole buffer", gb, "GB");
  const Term time =
      sheet.input("time", "last arrival to end", rounded(gb * 1e9 * factor_value / (link * share) * 1e3), "ms");
  const Term factor =
      reduce ? sheet.step("Factor of an all-reduce: 2(n − 1)/n", term(2) * (ranks - term(1)) / ranks, "buffers")
             : sheet.step("Factor of this collective: (n − 1)/n", (ranks - term(1)) / ranks, "buffers");
  const Term algorithm = sheet.step("Algorithm bandwidth: buffer over time", size / time, "GB/s");
  const Term bus = sheet.step("Bus bandwidth", algorithm * plain(factor), "GB/s");
  const std::string start = "A trace shows " + std::string(kind.starts_with('r') ? "a " : "an ") + kind + " of " +
                            size.text + " (the whole buffer) over " + ranks.text + " ranks: " + time.text +
                            " from the last rank's arrival to the common end. ";
  sheet.conventions("Buffer size as nccl-tests defines it. GB = 10⁹ bytes.");
  sheet.slip("algorithm bandwidth", algorithm.value(),
             "Bus bandwidth has the factor of the collective, so that it compares with the link.");
  if (wish.variant == 0) {
    sheet.ask(start + "What is the bus bandwidth?");
    sheet.in_the_head("Buffer over time, then the factor", algorithm.text + " × " + digits(factor.value(), 3));
    return sheet.number(bus, "GB/s");
  }
  sheet.source(chip.spec->source);
  const Term wire = sheet.input("bandwidth", "link of a GPU, one way", link / 1e9, "GB/s");
  const Term used = sheet.step("Share of the link", bus / wire, "%");
  sheet.ask(start + "The link of a GPU carries " + wire.text + " one way. Which share of it does the collective use?");
  sheet.in_the_head("Bus bandwidth over the one-way rate", bus.text + " / " + wire.text);
  sheet.slip("both directions", used.value() / 2, "The one-way rate applies.");
  sheet.slip("algorithm bandwidth", used.value() / factor.value(), "Bus bandwidth has the factor of the collective.");
  return sheet.number(used, "%");
}

}  // namespace

Category bus_bandwidth() {
  return {.id = "bus_bandwidth",
          .title = "Bus bandwidth from a trace",
          .identity =
              "busbw = factor × S / t; factor 2(n − 1)/n for all-reduce, (n − 1)/n for all-gather and reduce-scatter",
          .source = "nccl-tests doc/PERFORMANCE.md",
          .is_core = false,
          .variants = 2,
          .draw = draw};
}

}  // namespace td::arithmetic::category
