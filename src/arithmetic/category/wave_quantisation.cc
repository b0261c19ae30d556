// How full the last wave of blocks is.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("wave_quantisation");
  const Chip chip = draw_chip(stream);
  sheet.source(chip.spec->source);
  const double m = 256.0 * static_cast<double>(stream.uniform_int(2, 32));
  const double n = 256.0 * static_cast<double>(stream.uniform_int(2, 56));
  const Term rows = sheet.input("m", "rows of the output", m);
  const Term columns = sheet.input("n", "columns of the output", n);
  const Term tile_rows = sheet.input("tile_m", "rows of a tile", 128);
  const Term tile_columns = sheet.input("tile_n", "columns of a tile", one_of(stream, {128.0, 256.0}));
  const Term sms = sheet.input("sms", "of the chip", chip.gpu->sm_count, "SMs");
  const Term slots = term(chip.gpu->sm_count);
  const Term blocks = sheet.step("Output tiles, one block each", rows / tile_rows * (columns / tile_columns), "blocks");
  const Term waves = sheet.step("Waves, rounded up", ceil_of(plain(blocks) / slots), "waves");
  if (waves.value() > 12) return std::nullopt;
  const std::string start = "A GEMM with an output of " + rows.text + " × " + columns.text + " uses tiles of " +
                            tile_rows.text + " × " + tile_columns.text + " on the " + chip.title() + " (" + sms.text +
                            "), one block an SM at a time. ";
  sheet.conventions("Blocks of equal length, no split-K, no stream-K, one block resident on each SM.");
  const Term used = sheet.step("Share of the slots that work", plain(blocks) / (plain(waves) * slots), "%");
  sheet.ask(start + "Which share of the SMs' time does useful work?");
  sheet.in_the_head("Tiles over tiles of full waves", digits(blocks.value(), 6) + " / (" + digits(waves.value(), 3) +
                                                          " × " + digits(slots.value(), 4) + ")");
  return sheet.number(used, "%");
}

}  // namespace

Category wave_quantisation() {
  return {.id = "wave_quantisation",
          .title = "Wave quantisation",
          .identity = "utilisation = tiles / (ceil(tiles / SMs) × SMs)",
          .source = "NVIDIA, Matrix Multiplication Background: wave quantization",
          .is_core = false,
          .variants = 1,
          .draw = draw};
}

}  // namespace td::arithmetic::category
