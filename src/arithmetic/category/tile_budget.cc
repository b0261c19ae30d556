// Does a GEMM tile fit: shared memory of its pipeline stages, registers of its accumulator.
#include <cmath>

#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

Chip draw_register_chip(RandomStream& stream) {
  for (;;) {
    const Chip chip = draw_chip(stream);
    if (chip.spec->accumulates_in_registers) return chip;
  }
}

// An FP32 accumulator is one 32-bit register: 128 × 128 over 256 threads is 64 registers a thread.
std::optional<Problem> registers(RandomStream& stream, const Wish& wish) {
  const Chip chip = draw_register_chip(stream);
  Worksheet sheet("tile_budget");
  sheet.source(chip.spec->source);
  const Term rows = sheet.input("tile_m", "rows of the tile", 32.0 * static_cast<double>(stream.uniform_int(2, 8)));
  const Term columns =
      sheet.input("tile_n", "columns of the tile", 32.0 * static_cast<double>(stream.uniform_int(2, 8)));
  const Term threads =
      sheet.input("threads", "threads that hold the accumulator", one_of(stream, {128.0, 256.0, 384.0, 512.0}));
  const Term each = sheet.step("One FP32 accumulator is one 32-bit register: accumulators a thread",
                               rows * columns / threads, "registers");
  if (each.value() < 16 || each.value() > 400) return std::nullopt;
  const std::string start = "A GEMM kernel for the " + chip.title() + " keeps a " + rows.text + " × " + columns.text +
                            " output tile in FP32 accumulators, spread over " + threads.text + " threads. ";
  sheet.conventions("A register holds 32 bits; a thread may have 255; accumulators stay in registers on this chip.");
  sheet.slip("counted in bytes", each.value() * 4, "A register is four bytes: count accumulators, not bytes.");
  if (wish.variant == 2) {
    sheet.in_the_head("Elements over threads", digits(rows.value() * columns.value(), 6) + " / " + threads.text);
    sheet.in_practice("Addresses and fragments take 40 to 60 more",
                      text_of({each.value() + 50, {}}, unit("registers")));
    sheet.ask(start + "How many registers a thread do the accumulators take?");
    return sheet.number(each, "registers");
  }
  const Term other = sheet.input("other_registers", "for addresses and fragments",
                                 8.0 * static_cast<double>(stream.uniform_int(4, 8)), "registers");
  const Term all = sheet.step("With addresses and fragments", each + other, "registers");
  const bool fits = all.value() <= 255;
  const double ratio = all.value() / 255;
  if (fits != wish.yes || (ratio > 0.95 && ratio < 1.05)) return std::nullopt;
  sheet.note(fits ? "Within 255" : "Over 255: it spills to local memory",
             digits(all.value(), 4) + (fits ? " ≤ 255" : " > 255"));
  sheet.ask(start + "Addresses and fragments take " + digits(other.value(), 3) +
            " further registers a thread. Does it fit without spilling?");
  sheet.in_the_head("Elements over threads, then the rest", digits(each.value(), 3) + " + " + digits(other.value(), 3));
  return sheet.verdict(yes_or_no(), fits ? "yes" : "no");
}

std::optional<Problem> shared(RandomStream& stream, const Wish& wish) {
  const Chip chip = draw_chip(stream);
  const double bytes = one_of(stream, {2.0, 2.0, 1.0});
  Worksheet sheet("tile_budget");
  sheet.source(chip.spec->source);
  const Term rows = sheet.input("tile_m", "rows of the tile", 64.0 * static_cast<double>(stream.uniform_int(1, 4)));
  const Term columns =
      sheet.input("tile_n", "columns of the tile", 64.0 * static_cast<double>(stream.uniform_int(1, 4)));
  const Term depth = sheet.input("tile_k", "depth of a stage", 32.0 * static_cast<double>(stream.uniform_int(1, 4)));
  const Term element = sheet.input("element_bytes", "an element", bytes, "B");
  const std::string format = bytes == 2 ? "BF16" : "FP8";
  const std::string tile = "A " + format + " GEMM on the " + chip.title() + " stages tiles of A (" + rows.text + " × " +
                           depth.text + ") and B (" + depth.text + " × " + columns.text + ") in shared memory";
  const Term stage =
      sheet.step("One stage: a tile of A and one of B", (rows * depth + depth * columns) * element, "KiB");
  const Term limit = sheet.input("shared_per_block", "shared memory of a block",
                                 static_cast<double>(chip.spec->shared_per_block_bytes) / 1024, "KiB");
  sheet.conventions(
      "KiB = 1024 bytes; a block may have what is stated here (an SM has 1 KiB more). Epilogue and barriers ignored.");
  if (wish.variant == 1) {
    const Term most = sheet.step("Whole stages that fit", floor_of(limit / stage), "stages");
    if (most.value() < 2 || most.value() > 12) return std::nullopt;
    sheet.ask(tile + ". A block may have " + limit.text + ". How many pipeline stages fit?");
    sheet.in_the_head("KiB a stage, then how often it goes in",
                      digits(limit.value() / 1024, 3) + " / " + digits(stage.value() / 1024, 3) + ", rounded down");
    sheet.slip("only one operand staged", std::floor(limit.value() / (stage.value() / 2)), "A and B are both staged.");
    return sheet.number(most, "stages");
  }
  const Term stages = sheet.input("stages", "pipeline stages", static_cast<double>(stream.uniform_int(2, 8)));
  const Term all = sheet.step("All stages", stages * stage, "KiB");
  if (wish.variant == 0) {
    sheet.ask(tile + ", " + stages.text + " stages deep. How much shared memory does that take, in KiB?");
    sheet.in_the_head("(M + N) × K elements a stage; 1024 of them at 2 bytes are 2 KiB",
                      "(" + rows.text + " + " + columns.text + ") × " + depth.text + " × " + digits(bytes, 1) +
                          " B × " + stages.text);
    sheet.slip("one stage only", stage.value(), "The pipeline holds every stage at once.");
    sheet.slip("2 bytes an element", all.value() * 2 / bytes, "The element is " + digits(bytes, 1) + " byte.");
    return sheet.number(all, "KiB");
  }
  const double ratio = all.value() / limit.value();
  if ((ratio <= 1) != wish.yes || (ratio > 0.92 && ratio < 1.08) || ratio < 0.25 || ratio > 4) return std::nullopt;
  sheet.note(ratio <= 1 ? "Within a block's limit" : "Over a block's limit",
             all.text + (ratio <= 1 ? " ≤ " : " > ") + limit.text);
  sheet.ask(tile + ", " + stages.text + " stages deep. A block may have " + limit.text + ". Does it fit?");
  sheet.in_the_head("KiB a stage, times the stages",
                    digits(stage.value() / 1024, 3) + " × " + stages.text + " = " + all.text);
  return sheet.verdict(yes_or_no(), ratio <= 1 ? "yes" : "no");
}

std::optional<Problem> draw(RandomStream& stream, const Wish& wish) {
  return wish.variant == 2 || wish.variant == 3 ? registers(stream, wish) : shared(stream, wish);
}

}  // namespace

Category tile_budget() {
  return {.id = "tile_budget",
          .title = "Shared memory and registers of a tile",
          .identity = "shared = stages × (Bm Bk + Bk Bn) × bytes; registers a thread = Bm Bn / threads",
          .source = "CUDA C++ Programming Guide, compute capabilities: 255 registers a thread, 227 KiB a block on 9.0",
          .is_core = true,
          .variants = 5,
          .draw = draw};
}

}  // namespace td::arithmetic::category
