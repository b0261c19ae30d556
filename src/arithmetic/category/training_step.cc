// Step time from MFU, MFU from step time, and days for a budget of tokens.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

constexpr std::string_view kForwardOnly = "Training does forward and backward: 6 FLOPs a parameter and token.";
constexpr std::string_view kDensePeak = "The dense BF16 rate applies; FP8 and 2:4 sparsity each double it on paper.";

struct Run {
  Worksheet sheet{"training_step"};
  double n = 0;
  std::string model;  // "Llama-3.1-8B (8.03 B params)"
  std::string on;     // "512 × H100 SXM (989 TFLOP/s dense BF16 each)"
  Term parameters;
  Term gpus;
  Term peak;
};

std::optional<Run> draw_run(RandomStream& stream) {
  Run run;
  const hardware::Llm& llm = draw_llm(stream);
  const Chip chip = draw_linked_chip(stream);
  run.n = power_of_two(stream, 3, 13);
  // 16 bytes a parameter must find room.
  if (llm.parameters_b * 16 > run.n * chip.spec->memory_label_gb * 0.6) return std::nullopt;
  run.parameters = state_parameters(run.sheet, llm);
  run.gpus = run.sheet.input("gpus", "GPUs", run.n);
  run.peak = state_peak(run.sheet, chip);
  run.model = std::string(llm.title) + " (" + run.parameters.text + ")";
  run.on = count_of(static_cast<int64_t>(run.n), chip.gpu->title) + " (" + run.peak.text + " dense BF16 each)";
  run.sheet.conventions("6 FLOPs a parameter and token, attention ignored. " + std::string(kDense));
  return run;
}

const Term& six() {
  static const Term kSix = term(6, "FLOP/param/tok");
  return kSix;
}

std::optional<Problem> days(RandomStream& stream) {
  std::optional<Run> run = draw_run(stream);
  if (!run) return std::nullopt;
  Worksheet& sheet = run->sheet;
  const double tokens_t = rounded(run->parameters.value() / 1e9 * one_of(stream, {0.02, 0.05, 0.1, 0.2, 0.5, 1.0}), 2);
  const Term tokens = sheet.input("tokens", "to train on", tokens_t, "Ttok");
  const Term mfu = sheet.input("mfu", "MFU", static_cast<double>(stream.uniform_int(28, 56)), "%");
  const Term work = sheet.step("FLOPs of the run", six() * run->parameters * tokens);
  const Term rate = sheet.step("Model FLOPs a second, all GPUs", run->gpus * run->peak * mfu);
  const Term time = sheet.step("Time", work / rate, "days");
  if (time.value() < 86400.0 || time.value() > 200 * 86400.0) return std::nullopt;
  sheet.ask("You train " + run->model + " on " + digits(tokens_t, 3) + " T tokens with " + run->on + " at " + mfu.text +
            " MFU. How many days does it take?");
  sheet.in_the_head("6PT over the cluster's rate; a day is about 10⁵ s (86,400)",
                    work.text + " / " + rate.text + " / 86,400 s");
  sheet.slip("FP8 or sparse peak", time.value() / 2, kDensePeak);
  sheet.slip("2PT: forward only", time.value() / 3, kForwardOnly);
  sheet.slip("MFU left out", time.value() * mfu.value(), "Only the MFU's share of the peak does model FLOPs.");
  return sheet.number(time, "days");
}

// The step both ways: with the MFU its time is asked, with the time its MFU.
std::optional<Problem> step_of(RandomStream& stream, bool asks_mfu) {
  std::optional<Run> run = draw_run(stream);
  if (!run) return std::nullopt;
  Worksheet& sheet = run->sheet;
  const double tokens_m = one_of(stream, {0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0});
  if (tokens_m * 1e6 / run->n < 2000) return std::nullopt;  // less than a sequence a GPU
  const Term tokens = sheet.input("tokens", "of a step, all GPUs", tokens_m, "Mtok");
  const double share = static_cast<double>(stream.uniform_int(28, 56)) / 100;
  const std::string start = run->model + " trains on " + run->on + ", " + digits(tokens_m, 3) + " M tokens a step. ";
  if (!asks_mfu) {
    const Term mfu = sheet.input("mfu", "MFU", rounded(share * 100, 2), "%");
    const Term work = sheet.step("FLOPs of a step", six() * run->parameters * tokens);
    const Term rate = sheet.step("Model FLOPs a second, all GPUs", run->gpus * run->peak * mfu);
    const Term time = sheet.step("Step time", work / rate);
    if (time.value() < 0.05 || time.value() > 100) return std::nullopt;
    sheet.ask(start + "At " + mfu.text + " MFU, how long is a step?");
    sheet.in_the_head("6PT, over GPUs × peak × MFU", work.text + " / " + rate.text);
    sheet.slip("FP8 or sparse peak", time.value() / 2, kDensePeak);
    sheet.slip("2PT: forward only", time.value() / 3, kForwardOnly);
    sheet.slip("MFU left out", time.value() * share, "Only the MFU's share of the peak does model FLOPs.");
    sheet.slip("one GPU only", time.value() * run->n, "All GPUs work on the step.");
    return sheet.number(time, fitting_unit(time.quantity).symbol);
  }
  const double exact_s = 6 * run->parameters.value() * tokens_m * 1e6 / (run->n * run->peak.value() * share);
  if (exact_s < 0.05 || exact_s > 100) return std::nullopt;
  const bool in_ms = exact_s < 1;
  const Term time = sheet.input("time", "of a step", rounded(in_ms ? exact_s * 1e3 : exact_s), in_ms ? "ms" : "s");
  const Term work = sheet.step("FLOPs of a step", six() * run->parameters * tokens);
  const Term done = sheet.step("Model FLOPs a second, all GPUs", work / time);
  const Term most = sheet.step("Peak of all GPUs", run->gpus * run->peak);
  const Term mfu = sheet.step("MFU", done / most, "%");
  sheet.ask(start + "A step takes " + time.text + ". What is the MFU?");
  sheet.in_the_head("6PT over the time, over GPUs × peak", done.text + " / " + most.text);
  sheet.slip("FP8 or sparse peak", mfu.value() / 2, kDensePeak);
  sheet.slip("2PT: forward only", mfu.value() / 3, kForwardOnly);
  sheet.slip("8PT: recomputation counted", mfu.value() * 4 / 3,
             "MFU counts the model's FLOPs; with recomputation it would be HFU.");
  return sheet.number(mfu, "%");
}

std::optional<Problem> draw(RandomStream& stream, const Wish& wish) {
  return wish.variant == 2 ? days(stream) : step_of(stream, wish.variant == 1);
}

}  // namespace

Category training_step() {
  return {.id = "training_step",
          .title = "Training step time and MFU",
          .identity = "t = 6 P T / (N × peak × MFU)",
          .source = "Kaplan et al. 2020 (6PT); Chowdhery et al. 2022 (MFU)",
          .is_core = true,
          .variants = 3,
          .draw = draw};
}

}  // namespace td::arithmetic::category
