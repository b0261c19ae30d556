// A long collective: a late rank, or a slow wire?
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("straggler_or_wire");
  const double n = one_of(stream, {4.0, 8.0, 16.0, 32.0});
  const Term ranks = sheet.input("ranks", "of the all-reduce", n);
  const Term size = sheet.input("size", "whole buffer", spread(stream, 0.1, 4, 2), "GB");
  const Term good = sheet.input("bus_bandwidth", "that this fabric gives when all is well",
                                static_cast<double>(one_of(stream, {40, 80, 180, 230, 360})), "GB/s");
  const Term factor = sheet.step("Factor of an all-reduce: 2(n − 1)/n", term(2) * (ranks - term(1)) / ranks, "buffers");
  const Term wire = sheet.step("Time that the wire needs", size * plain(factor) / good);
  const std::string start = "An all-reduce of " + size.text + " over " + ranks.text + " ranks. This fabric gives " +
                            good.text + " of bus bandwidth when all is well. ";
  sheet.conventions("A collective's kernel runs from a rank's own arrival to the common end. GB = 10⁹ bytes.");
  const double slow = spread(stream, 3, 30, 2);
  if (wish.variant == 0) {
    const Term seen = sheet.input("seen", "kernel on this rank", rounded(wire.value() * slow * 1e3), "ms");
    const Term wait = sheet.step("What is left is waiting for the last rank", seen - wire);
    sheet.ask(start + "On rank 0 its kernel lasts " + seen.text +
              ". How much of that is waiting for another rank, if the wire is well?");
    sheet.in_the_head("Twice the buffer over the bandwidth, taken off", seen.text + " − " + wire.text);
    sheet.slip("the wire's own time", wire.value(), "That is the transfer; the wait is the rest.");
    return sheet.number(wait, fitting_unit(wait.quantity).symbol);
  }
  const double least = wish.yes ? 1.02 + 0.1 * stream.uniform() : slow * 0.93;
  const Term longest = sheet.input("longest", "kernel over the ranks", rounded(wire.value() * slow * 1e3), "ms");
  const Term shortest = sheet.input("shortest", "kernel over the ranks", rounded(wire.value() * least * 1e3), "ms");
  sheet.note(wish.yes ? "The shortest kernel is the transfer, and it is as long as the wire needs"
                      : "Even the shortest kernel is far longer than the wire needs",
             shortest.text + " against " + wire.text);
  sheet.ask(start + "Over the ranks, its kernels last from " + shortest.text + " to " + longest.text +
            ". A late rank, or a slow wire?");
  sheet.in_the_head("The shortest kernel belongs to the last arrival: compare it with the wire's time",
                    shortest.text + " / " + wire.text);
  return sheet.verdict({{"late rank", "late straggler rank late-rank a-late-rank"},
                        {"slow wire", "wire slow link fabric network slow-wire a-slow-wire bandwidth"}},
                       wish.yes ? "late rank" : "slow wire");
}

}  // namespace

Category straggler_or_wire() {
  return {.id = "straggler_or_wire",
          .title = "Late rank or slow wire",
          .identity = "t_wire = 2(n − 1)/n × S / busbw; wait = seen − t_wire",
          .source = "nccl-tests doc/PERFORMANCE.md",
          .is_core = false,
          .variants = 2,
          .draw = draw};
}

}  // namespace td::arithmetic::category
