// Do the loader's workers keep up with the GPU?
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("input_supply");
  const double batch = power_of_two(stream, 6, 10);
  const double workers_count = static_cast<double>(stream.uniform_int(2, 16));
  const double rate = spread(stream, 60, 400);
  const double ratio =
      wish.yes ? spread(stream, 1.25, 3, 3) : 1 / spread(stream, 1.25, 3, 3);  // loader time over GPU time
  const Term images = sheet.input("batch", "images a step", batch, "samples");
  const Term workers = sheet.input("workers", "of the loader", workers_count, "workers");
  const Term each = sheet.input("worker_rate", "images a worker decodes", rate, "samples/s");
  const Term gpu =
      sheet.input("gpu_time", "of a step alone", rounded(batch / (workers_count * rate) / ratio * 1e3), "ms");
  const Term worker = term(workers_count);
  const std::string start = "One GPU trains on batches of " + digits(batch, 4) + " images; the step alone takes " +
                            gpu.text + ". The loader has " + workers.text + ", each decodes " + digits(rate, 3) +
                            " images/s. ";
  sheet.conventions("Workers run in parallel and ahead of the GPU (prefetch); enough processor cores for all of them.");
  if (wish.variant == 1) {
    const Term demand = sheet.step("Images a second that the GPU eats", images / gpu);
    const Term needed = sheet.step("Workers, rounded up", ceil_of(demand / each), "workers");
    if (needed.value() < 2 || needed.value() > 64) return std::nullopt;
    sheet.ask("One GPU trains on batches of " + digits(batch, 4) + " images; the step alone takes " + gpu.text +
              ". A loader's worker decodes " + digits(rate, 3) + " images/s. How many workers does it need?");
    sheet.in_the_head("Demand over rate, rounded up", demand.text + " / " + each.text);
    return sheet.number(needed, "workers");
  }
  const Term supply = sheet.step("Images a second that the loader gives", worker * each);
  const Term loading = sheet.step("A batch every", images / supply);
  if (wish.variant == 0) {
    const Term step = sheet.step("The slower side sets the step", max_of(gpu, loading));
    sheet.ask(start + "How long is a step?");
    sheet.in_the_head("Batch over supply, against the GPU's time",
                      digits(batch, 4) + " / " + digits(supply.value(), 4) + " = " + loading.text + ", or " + gpu.text);
    sheet.slip("the two added", gpu.value() + loading.value(), "The workers prefetch: loading and computing overlap.");
    sheet.slip("the faster side", smaller(gpu.quantity, loading.quantity).value, "The slower side sets the step.");
    return sheet.number(step, fitting_unit(step.quantity).symbol);
  }
  sheet.note(ratio > 1 ? "The loader is slower: the GPU waits" : "The loader keeps up",
             loading.text + (ratio > 1 ? " > " : " < ") + gpu.text);
  sheet.ask(start + "Does the GPU starve?");
  sheet.in_the_head("Batch over supply, against the GPU's time", loading.text + " against " + gpu.text);
  return sheet.verdict({{"yes", "y true starves starved"}, {"no", "n false not keeps-up"}}, ratio > 1 ? "yes" : "no");
}

}  // namespace

Category input_supply() {
  return {.id = "input_supply",
          .title = "Input supply",
          .identity = "step = max(t_GPU, batch / (workers × rate))",
          .source = "A bounded prefetch queue: the slower side sets the pace",
          .is_core = false,
          .variants = 3,
          .draw = draw};
}

}  // namespace td::arithmetic::category
