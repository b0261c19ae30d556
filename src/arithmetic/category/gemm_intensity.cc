// FLOPs a byte of a matrix product, and which side of the ridge that is.
#include <algorithm>
#include <iterator>

#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

struct Shape {
  double m = 0;
  double n = 0;
  double k = 0;
  std::string what;
};

// A projection of a real model applied to a number of tokens.
Shape draw_shape(RandomStream& stream) {
  const hardware::Llm& llm = draw_llm(stream);
  static constexpr double kTokens[] = {1,   4,   8,   16,  32,  48,   64,   96,   128,
                                       192, 256, 384, 512, 768, 1024, 2048, 4096, 8192};
  const double tokens = kTokens[stream.uniform_int(0, std::ssize(kTokens) - 1)];
  const std::string of = " of " + std::string(llm.title);
  switch (stream.uniform_int(0, 3)) {
    case 0:
      return {tokens, double(llm.heads) * llm.head_dim, double(llm.hidden), "the query projection" + of};
    case 1:
      return {tokens, 2.0 * llm.kv_heads * llm.head_dim, double(llm.hidden), "the fused key and value projection" + of};
    case 2:
      return {tokens, 2.0 * llm.ffn_hidden, double(llm.hidden), "the fused gate and up projection" + of};
    default:
      return {tokens, double(llm.hidden), double(llm.ffn_hidden), "the down projection" + of};
  }
}

std::optional<Problem> draw(RandomStream& stream, const Wish& wish) {
  const Shape shape = draw_shape(stream);
  const Chip chip = draw_chip(stream);
  const bool fp8 = chip.spec->fp8_flop_per_s > 0 && stream.chance_permille(300);
  Worksheet sheet("gemm_intensity");
  sheet.source(kModelSource);
  const Term m = sheet.input("m", "rows of A, tokens", shape.m);
  const Term n = sheet.input("n", "columns of B", shape.n);
  const Term k = sheet.input("k", "inner size", shape.k);
  const Term in = sheet.input("input_bytes", "an element of A or B", fp8 ? 1 : 2, "B");
  const Term out = sheet.input("output_bytes", "an element of C", 2, "B");
  const std::string numbers = fp8 ? "FP8 (1 byte), result in BF16 (2 bytes)" : "BF16 (2 bytes), result too";
  const std::string start = "C[M×N] = A[M×K] · B[K×N] with M = " + m.text + ", N = " + n.text + ", K = " + k.text +
                            " (" + shape.what + ", " + m.text + " tokens). Inputs in " + numbers + ". ";

  const Term flop = sheet.step("FLOPs: two for each of M × N × K multiply-adds", term(2, "FLOP") * m * n * k);
  const Term read = sheet.step("Bytes read: A and B once", (m * k + k * n) * in);
  const Term written = sheet.step("Bytes written: C once", m * n * out);
  const Term moved = sheet.step("Bytes moved", read + written);
  const Term intensity = sheet.step("Intensity", flop / moved, "FLOP/B");
  sheet.conventions("Each matrix crosses the memory once. A multiply-add is 2 FLOPs. Peak rates are dense.");
  const double least = std::min({shape.m, shape.n, shape.k});
  sheet.in_the_head(
      fp8 ? "Reciprocals add; with 1-byte inputs the two input terms halve"
          : "At 2 bytes reciprocals add: 1/AI = 1/M + 1/N + 1/K, so the smallest side rules",
      "smallest side " + digits(least, 4) + ", so below about " + digits(least * (fp8 ? 2 : 1), 4) + " FLOP/B");
  if (wish.variant == 0) {
    sheet.ask(start + "What is the arithmetic intensity, in FLOP/B?");
    sheet.slip("a multiply-add counted once", intensity.value() / 2, "M × N × K multiply-adds are 2 M N K FLOPs.");
    sheet.slip("elements instead of bytes", flop.value() / (shape.m * shape.k + shape.k * shape.n + shape.m * shape.n),
               "The ridge is in FLOPs a byte, and an element is more than one byte.");
    return sheet.number(intensity, "FLOP/B");
  }
  const Term peak = fp8 ? state_fp8_peak(sheet, chip) : state_peak(sheet, chip);
  const Term bandwidth = state_bandwidth(sheet, chip);
  const Term ridge = sheet.step("Ridge point of the chip", peak / bandwidth, "FLOP/B");
  const double ratio = intensity.value() / ridge.value();
  if (ratio > 0.75 && ratio < 1.33) return std::nullopt;  // L2 reuse and tile re-reads would decide
  if ((ratio > 1) != wish.yes) return std::nullopt;
  sheet.note(ratio > 1 ? "Above the ridge: the tensor cores are the limit" : "Below the ridge: the memory is the limit",
             intensity.text + (ratio > 1 ? " > " : " < ") + ridge.text);
  sheet.ask(start + "On " + count_of(1, chip.gpu->title) + " (" + peak.text + " dense " + (fp8 ? "FP8" : "BF16") +
            ", " + bandwidth.text + "), is it compute-bound or memory-bound?");
  return sheet.verdict(compute_or_memory(), ratio > 1 ? "compute-bound" : "memory-bound");
}

}  // namespace

Category gemm_intensity() {
  return {.id = "gemm_intensity",
          .title = "GEMM intensity against the ridge",
          .identity = "AI = 2MNK / (bytes of A, B and C); at 2 bytes 1/AI = 1/M + 1/N + 1/K",
          .source = "Roofline model, Williams et al. 2009",
          .is_core = true,
          .variants = 2,
          .draw = draw};
}

}  // namespace td::arithmetic::category
