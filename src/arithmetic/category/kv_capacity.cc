// How many sequences the memory holds once the weights are in.
#include <cmath>

#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, const Wish& wish) {
  const hardware::Llm& llm = draw_llm(stream);
  const Chip chip = draw_chip(stream);
  const int bits = one_of(stream, {16, 16, 8});
  const bool linked = chip.gpu->scale_up_bytes_per_s > 0;
  const double n = linked ? power_of_two(stream, 0, 3) : 1;
  const double context = power_of_two(stream, 11, 16);
  const double kv_bytes = one_of(stream, {2.0, 2.0, 1.0});

  Worksheet sheet("kv_capacity");
  sheet.source(kModelSource);
  const Term layers = sheet.input("layers", "layers", llm.layers);
  const Term heads = sheet.input("kv_heads", "KV heads", llm.kv_heads);
  const Term size = sheet.input("head_dim", "head size", llm.head_dim);
  const Term value = sheet.input("kv_bytes", "a cached value", kv_bytes, "B/tok");
  const std::string cache = std::string("the KV cache is in ") + (kv_bytes == 2 ? "BF16 (2 bytes)" : "FP8 (1 byte)");
  const std::string shape = std::string(llm.title) + " has " + layers.text + " layers and " + heads.text +
                            " KV heads of size " + size.text + "; " + cache + ". ";
  const Term per_token =
      sheet.step("KV of one token: keys and values of every layer", term(2) * layers * heads * size * value, "kB/tok");
  const Term tokens = sheet.input("context", "tokens a sequence", context, "tok");
  const Term per_sequence = sheet.step("KV of one sequence", tokens * per_token, "GB");
  sheet.conventions(
      "GB = 10⁹ bytes, memory as labelled. Every sequence is full; activations are in what is kept back.");
  const std::string_view both = "Keys and values are both cached.";
  if (wish.variant == 0) {
    sheet.ask(shape + "How much memory does one sequence of " + digits(context, 6) + " tokens take in the cache?");
    sheet.in_the_head("Bytes a token, times tokens", per_token.text + " × " + digits(context, 6));
    sheet.slip("keys or values only", per_sequence.value() / 2, both);
    sheet.slip("query heads counted", per_sequence.value() * llm.heads / llm.kv_heads,
               "Only the KV heads are cached; several query heads share one.");
    return sheet.number(per_sequence, "GB");
  }
  const Term gpus = sheet.input("gpus", "GPUs", n);
  const Term memory = state_memory(sheet, chip);
  const Term kept = sheet.input("kept_back", "of the memory, by the serving engine", 10, "%");
  const Term parameters = state_parameters(sheet, llm);
  const Term weight = sheet.input("weight_bytes", "a weight", bits / 8.0, "B/param");
  const Term usable = sheet.step("Usable memory", gpus * memory * (term(1) - kept), "GB");
  const Term weights = sheet.step("Weights", parameters * weight, "GB");
  const Term room = sheet.step("Left for the cache", usable - weights, "GB");
  if (room.value() < per_sequence.value() * 1.05 || room.value() < 0.05 * usable.value()) return std::nullopt;
  const Term most = sheet.step("Whole sequences", floor_of(room / per_sequence), "sequences");
  if (most.value() > 5000) return std::nullopt;
  const std::string serve = shape + "It is served with " + (bits == 16 ? "BF16" : "8-bit") + " weights (" +
                            parameters.text + ") on " + count_of(static_cast<int64_t>(n), chip.gpu->title) + " (" +
                            memory.text + (n > 1 ? " each" : "") + ", 10 % kept back). ";
  if (wish.variant == 1) {
    sheet.ask(serve + "How many sequences of " + digits(context, 6) + " tokens fit at once?");
    sheet.in_the_head("Memory less weights, over GB a sequence, rounded down", room.text + " / " + per_sequence.text);
    sheet.slip("keys or values only", std::floor(room.value() / per_sequence.value() * 2), both);
    sheet.slip("query heads counted", std::floor(room.value() / per_sequence.value() * llm.kv_heads / llm.heads),
               "Only the KV heads are cached; several query heads share one.");
    sheet.slip("weights left out", std::floor(usable.value() / per_sequence.value()),
               "The weights are in the same memory.");
    return sheet.number(most, "sequences");
  }
  const double factor = wish.yes ? spread(stream, 0.3, 0.85, 3) : spread(stream, 1.2, 3, 3);
  const auto asked = std::floor(most.value() * factor);
  const double ratio = asked * per_sequence.value() / room.value();
  if (asked < 1 || (ratio <= 1) != wish.yes || (ratio > 0.9 && ratio < 1.1)) return std::nullopt;
  const Term sequences = sheet.input("sequences", "asked for", asked, "sequences");
  const Term needed = sheet.step("Cache that is asked for", term(asked) * per_sequence, "GB");
  sheet.note(wish.yes ? "It fits" : "It does not fit", needed.text + (wish.yes ? " < " : " > ") + room.text);
  sheet.ask(serve + "Do " + sequences.text + " of " + digits(context, 6) + " tokens each fit at once?");
  sheet.in_the_head("GB a sequence, times sequences, against what the weights leave",
                    needed.text + " against " + room.text);
  return sheet.verdict(yes_or_no(), wish.yes ? "yes" : "no");
}

}  // namespace

Category kv_capacity() {
  return {.id = "kv_capacity",
          .title = "KV-cache capacity",
          .identity = "sequences = floor((memory − weights) / (tokens × 2 × layers × KV heads × head size × bytes))",
          .source = "jax-ml/scaling-book, Inference; vLLM keeps 10 % back by default (gpu_memory_utilization 0.9)",
          .is_core = true,
          .variants = 3,
          .draw = draw};
}

}  // namespace td::arithmetic::category
