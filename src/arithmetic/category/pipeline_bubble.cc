// The share of a pipeline step that a stage stands idle.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("pipeline_bubble");
  const double p = one_of(stream, {2.0, 4.0, 8.0, 16.0});
  const Term stages = sheet.input("stages", "of the pipeline", p);
  sheet.conventions(
      "1F1B, equal stages, backward twice forward, no communication time. Share of the step, not of the useful work.");
  if (wish.variant == 2) {
    const Term share = sheet.input("bubble", "wanted, at most", static_cast<double>(stream.uniform_int(4, 25)), "%");
    const Term needed = sheet.step("(p − 1)/(m + p − 1) ≤ b, so m ≥ (p − 1)(1/b − 1)",
                                   ceil_of((stages - term(1)) * (term(1) / share - term(1))), "microbatches");
    sheet.ask("A 1F1B pipeline has " + stages.text + " stages. How many microbatches keep the bubble at or below " +
              share.text + " of the step?");
    sheet.in_the_head("p − 1 slots are lost of m + p − 1",
                      digits(p - 1, 3) + " / " + share.text + " − " + digits(p - 1, 3));
    sheet.slip("(p − 1)/m", (p - 1) / share.value(), "The share is of the whole step: m + p − 1 slots.");
    return sheet.number(needed, "microbatches");
  }
  const double m = static_cast<double>(stream.uniform_int(static_cast<int64_t>(p), static_cast<int64_t>(p) * 10));
  const Term microbatches = sheet.input("microbatches", "a step", m);
  const bool interleaved = wish.variant == 1;
  if (!interleaved) {
    const Term bubble =
        sheet.step("p − 1 of m + p − 1 slots are empty", (stages - term(1)) / (microbatches + stages - term(1)), "%");
    sheet.ask("A 1F1B pipeline of " + stages.text + " stages runs " + microbatches.text +
              " microbatches a step. Which share of the step is a stage idle?");
    sheet.in_the_head("Lost slots over all slots", digits(p - 1, 3) + " / " + digits(m + p - 1, 4));
    sheet.slip("(p − 1)/m", (p - 1) / m, "That is idle over useful time; of the step it is (p − 1)/(m + p − 1).");
    sheet.slip("p/(m + p)", p / (m + p), "p − 1 slots are lost, not p.");
    return sheet.number(bubble, "%");
  }
  const Term chunks = sheet.input("chunks", "of a stage", static_cast<double>(stream.uniform_int(2, 6)));
  const Term lost = sheet.step("Lost slots, v times shorter ones", (stages - term(1)) / chunks, "slots");
  const Term bubble = sheet.step("Of the step", plain(lost) / (microbatches + plain(lost)), "%");
  sheet.ask("An interleaved 1F1B pipeline: " + stages.text + " stages of " + chunks.text + " chunks each, " +
            microbatches.text + " microbatches a step. Which share of the step is a stage idle?");
  sheet.in_the_head("The plain bubble, v times less", lost.text + " of " + digits(m + lost.value(), 3));
  sheet.slip("not interleaved", (p - 1) / (m + p - 1),
             "Each stage holds " + chunks.text + " chunks, so a lost slot is that much shorter.");
  return sheet.number(bubble, "%");
}

}  // namespace

Category pipeline_bubble() {
  return {.id = "pipeline_bubble",
          .title = "Pipeline bubble",
          .identity = "bubble = (p − 1)/(m + p − 1); interleaved (p − 1)/v for p − 1",
          .source = "Narayanan et al. 2021 (arXiv:2104.04473)",
          .is_core = false,
          .variants = 3,
          .draw = draw};
}

}  // namespace td::arithmetic::category
