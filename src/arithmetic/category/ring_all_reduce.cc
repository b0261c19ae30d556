// How long a ring all-reduce takes on the wire.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

struct Ring {
  Worksheet sheet{"ring_all_reduce"};
  Chip chip;
  double n = 0;
  Term ranks;
  Term bandwidth;
  std::string where;
};

constexpr std::string_view kTwoPasses = "An all-reduce is a reduce-scatter and an all-gather: two passes.";
constexpr std::string_view kFactor = "Each GPU sends 2(n − 1)/n of the buffer, not the buffer once.";

Ring draw_ring(RandomStream& stream) {
  Ring ring;
  ring.chip = draw_linked_chip(stream);
  const bool in_node = stream.chance_permille(500);
  ring.n = in_node ? one_of(stream, {2.0, 4.0, 8.0}) : power_of_two(stream, 4, 9);
  ring.sheet.source(ring.chip.spec->source);
  ring.sheet.conventions(std::string(kOneWay) + " Ring at wire speed; latency ignored.");
  ring.ranks = ring.sheet.input("ranks", "GPUs", ring.n);
  const double rate = in_node ? ring.chip.gpu->scale_up_bytes_per_s : ring.chip.spec->network_bytes_per_s;
  ring.bandwidth = ring.sheet.input(
      "bandwidth", in_node ? "link inside the node, a GPU, one way" : "network of a GPU, one way", rate / 1e9, "GB/s");
  ring.where = in_node ? "inside one node the link carries " + ring.bandwidth.text + " a GPU, one way"
                       : "across nodes, each GPU has a network card of " + ring.bandwidth.text + " one way";
  return ring;
}

std::string both_directions(const Ring& ring) {
  return "The headline rate adds both directions; a ring sends each byte one way, so " + ring.bandwidth.text +
         " applies.";
}

std::optional<Problem> time_of(RandomStream& stream) {
  Ring ring = draw_ring(stream);
  Worksheet& sheet = ring.sheet;
  const Term size = sheet.input("size", "buffer of each GPU", spread(stream, 0.1, ring.n <= 8 ? 30 : 10, 3), "GB");
  const Term factor =
      sheet.step("Each GPU sends 2(n − 1)/n of the buffer", term(2) * (ring.ranks - term(1)) / ring.ranks, "buffers");
  const Term sent = sheet.step("Bytes over its link", size * plain(factor));
  const Term time = sheet.step("Divide by the one-way rate", sent / ring.bandwidth);
  const Unit shown = fitting_unit(time.quantity);
  sheet.ask("A ring all-reduce of " + size.text + " of gradients over " +
            count_of(static_cast<int64_t>(ring.n), ring.chip.gpu->title) + ": " + ring.where +
            ". How long does it take?");
  sheet.in_the_head(
      "Twice the buffer, less a little; GB over GB/s",
      "2 × " + digits(size.value() / 1e9, 3) + " less 1/" + digits(ring.n, 3) + " of it, over " + ring.bandwidth.text);
  sheet.in_practice("Large messages reach about 0.8 of the wire",
                    text_of({time.value() / 0.8, time.quantity.dimension}, shown));
  sheet.slip("both directions", time.value() / 2, both_directions(ring));
  sheet.slip("one pass only", time.value() / 2, kTwoPasses);
  sheet.slip("the ring factor left out", size.value() / ring.bandwidth.value(), kFactor);
  sheet.slip("n times the buffer", time.value() * ring.n,
             "The size is that of one GPU's buffer; the ring splits it by n.");
  return sheet.number(time, shown.symbol);
}

// The other way round: what a limit on the time leaves room for.
std::optional<Problem> size_for(RandomStream& stream) {
  Ring ring = draw_ring(stream);
  Worksheet& sheet = ring.sheet;
  const Term limit = sheet.input("time", "until it must be done", spread(stream, 2, 80), "ms");
  const Term can = sheet.step("What a link sends in that time", ring.bandwidth * limit);
  const Term factor =
      sheet.step("Each GPU sends 2(n − 1)/n of the buffer", term(2) * (ring.ranks - term(1)) / ring.ranks, "buffers");
  const Term most = sheet.step("So the buffer is at most", can / plain(factor));
  sheet.ask("Backward leaves " + limit.text + " to hide a ring all-reduce over " +
            count_of(static_cast<int64_t>(ring.n), ring.chip.gpu->title) + ": " + ring.where +
            ". How large may the gradient buffer of a GPU be?");
  sheet.in_the_head("About half of what the link sends in the time", can.text + " / " + digits(factor.value(), 3));
  sheet.slip("both directions", most.value() * 2, both_directions(ring));
  sheet.slip("one pass only", most.value() * 2, kTwoPasses);
  sheet.slip("the ring factor left out", can.value(), kFactor);
  return sheet.number(most, fitting_unit(most.quantity).symbol);
}

std::optional<Problem> draw(RandomStream& stream, const Wish& wish) {
  return wish.variant < 2 ? time_of(stream) : size_for(stream);
}

}  // namespace

Category ring_all_reduce() {
  return {.id = "ring_all_reduce",
          .title = "Ring all-reduce",
          .identity = "t = 2(n − 1)/n × S / B, with B one way",
          .source = "nccl-tests doc/PERFORMANCE.md, bus bandwidth of an all-reduce",
          .is_core = true,
          .variants = 3,
          .draw = draw};
}

}  // namespace td::arithmetic::category
