// What one decoded token must read, and the tokens a second that the memory allows.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, const Wish& wish) {
  const hardware::Llm& llm = draw_llm(stream);
  const Chip chip = draw_chip(stream);
  const int bits = one_of(stream, {16, 16, 8, 4});
  const auto gpus = static_cast<int64_t>(power_of_two(stream, 0, 3));
  const double batch = power_of_two(stream, 0, 5);
  const double context = power_of_two(stream, 10, 15);
  const bool linked = chip.gpu->scale_up_bytes_per_s > 0;

  Worksheet sheet("decode_ceiling");
  const Term parameters = state_parameters(sheet, llm);
  const Term weight = sheet.input("weight_bytes", "a weight", bits / 8.0, "B/param");
  const Term layers = sheet.input("layers", "layers", llm.layers);
  const Term heads = sheet.input("kv_heads", "KV heads", llm.kv_heads);
  const Term size = sheet.input("head_dim", "head size", llm.head_dim);
  const Term tokens = sheet.input("context", "tokens in the cache of each sequence", context, "tok");
  const Term sequences = sheet.input("batch", "sequences", batch);
  const Term value = term(2, "B/tok");

  const Term weights = sheet.step("Weights, read once a step", parameters * weight);
  const Term per_token =
      sheet.step("KV of one token: keys and values of every layer", term(2) * layers * heads * size * value);
  const Term cache = sheet.step("KV of the batch", sequences * tokens * per_token);
  const Term bytes = sheet.step("Bytes a decode step", weights + cache);
  // One chip where it fits, else so many that it does; no chip is asked to hold what it cannot, nor lent out idle.
  const double room = chip.spec->memory_label_gb * 0.9e9 * static_cast<double>(gpus);
  if (bytes.value() > room || (gpus > 1 && (bytes.value() < room / 4 || !linked))) return std::nullopt;

  const std::string precision = bits == 16 ? "BF16" : std::to_string(bits) + "-bit";
  const std::string model = std::string(llm.title) + " (" + parameters.text + ", " + precision + " weights; " +
                            layers.text + " layers, " + heads.text + " KV heads of size " + size.text +
                            ", KV cache in BF16)";
  const std::string load =
      batch == 1 ? "one sequence with " + digits(context, 6) + " tokens in its cache"
                 : sequences.text + " sequences, each with " + digits(context, 6) + " tokens in its cache";
  sheet.conventions(
      "Each step reads all weights and the whole cache once. GB = 10⁹ bytes; communication and activations ignored.");
  if (wish.variant == 0) {
    sheet.ask(model + " decodes " + load + ". How many bytes must a decode step read from memory in all?");
    sheet.in_the_head(
        "Weights: billions of parameters times bytes each are GB; then the cache",
        digits(llm.parameters_b, 3) + " × " + digits(bits / 8.0, 2) + " ≈ " + weights.text + ", and " + cache.text);
    sheet.slip("the cache left out", weights.value(), "Each step reads the keys and values of every cached token too.");
    sheet.slip("2 bytes a weight", parameters.value() * 2 + cache.value(),
               "The weights are stored with " + std::to_string(bits) + " bits.");
    return sheet.number(bytes, "GB");
  }
  const Term chips = sheet.input("gpus", "GPUs", static_cast<double>(gpus));
  const Term bandwidth = state_bandwidth(sheet, chip);
  const Term step = gpus == 1 ? sheet.step("Time of a step", bytes / bandwidth)
                              : sheet.step("Time of a step: each GPU reads its share", bytes / (chips * bandwidth));
  const Term rate = sheet.step("Each step gives one token a sequence", sequences * term(1, "tok") / step, "tok/s");
  sheet.ask(model + " decodes " + load + " on " + count_of(gpus, chip.gpu->title) + " (" + bandwidth.text +
            (gpus == 1 ? "" : " each, tensor parallel") + "). What is the ceiling in tokens per second" +
            (batch == 1 ? "?" : ", over all sequences?"));
  sheet.in_the_head("Bandwidth over bytes; TB/s over GB is thousands a second",
                    digits(bandwidth.value() * static_cast<double>(gpus) / 1e9, 3) + " / " +
                        digits(bytes.value() / 1e9, 3) + " × " + sequences.text + " ≈ " + rate.text);
  sheet.in_practice("Kernels reach 80 to 90 % of the label; tensor parallelism adds two all-reduces a layer",
                    "at 85 %: " + text_of({rate.value() * 0.85, rate.quantity.dimension}, unit("tok/s")));
  if (batch > 1)
    sheet.slip("one sequence only", rate.value() / batch, "A step gives a token to every sequence of the batch.");
  if (gpus > 1)
    sheet.slip("one GPU only", rate.value() / static_cast<double>(gpus),
               "The GPUs read their shares at the same time.");
  sheet.slip("the cache left out", rate.value() * bytes.value() / weights.value(),
             "The cache is read too, and is not small here.");
  if (bits != 16)
    sheet.slip("2 bytes a weight", rate.value() * bytes.value() / (parameters.value() * 2 + cache.value()),
               "The weights are stored with " + std::to_string(bits) + " bits.");
  return sheet.number(rate, "tok/s");
}

}  // namespace

Category decode_ceiling() {
  return {.id = "decode_ceiling",
          .title = "Decode: bytes a token and tokens a second",
          .identity = "tok/s ≤ batch × bandwidth / (parameters × bytes each + KV cache)",
          .source = "Each weight and each cached key and value is read once a step; jax-ml/scaling-book, Inference",
          .is_core = true,
          .variants = 2,
          .draw = draw};
}

}  // namespace td::arithmetic::category
