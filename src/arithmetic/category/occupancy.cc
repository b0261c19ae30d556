// How many blocks of a kernel an SM holds.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("occupancy");
  struct Sm {
    const char* title;
    double warps;
    double shared_kib;
  };
  static constexpr Sm kSms[] = {{"A100", 64, 164}, {"H100", 64, 228}, {"L40S", 48, 100}};
  const Sm& sm = kSms[stream.uniform_int(0, 2)];
  const Term threads =
      sheet.input("threads", "of a block", 32.0 * static_cast<double>(one_of(stream, {2, 4, 4, 6, 8, 8, 12, 16, 32})));
  const Term registers = sheet.input("registers", "of a thread", 8.0 * static_cast<double>(stream.uniform_int(4, 31)));
  const Term shared = sheet.input("shared", "of a block", 4.0 * static_cast<double>(stream.uniform_int(1, 24)), "KiB");
  const Term room = sheet.input("shared_per_sm", "shared memory of an SM", sm.shared_kib, "KiB");
  const Term most = sheet.input("threads_per_sm", "at most", sm.warps * 32);
  const Term file = sheet.input("registers_per_sm", "32-bit registers", 65536);
  const Term reserved = term(1, "KiB");
  const Term by_threads = sheet.step("By threads", floor_of(most / threads), "blocks");
  const Term by_registers = sheet.step("By registers", floor_of(file / (registers * threads)), "blocks");
  const Term by_shared =
      sheet.step("By shared memory, 1 KiB of it for the system", floor_of(room / (shared + reserved)), "blocks");
  const Term blocks =
      sheet.step("The least of the three", min_of(min_of(by_threads, by_registers), by_shared), "blocks");
  if (blocks.value() < 1 || blocks.value() > 16) return std::nullopt;
  const std::string start = std::string("A kernel for the ") + sm.title + " has blocks of " + threads.text +
                            " threads, " + registers.text + " registers a thread and " + shared.text +
                            " of shared memory a block. An SM has 65,536 registers, " + room.text + " and room for " +
                            most.text + " threads. ";
  sheet.conventions(
      "1 KiB of shared memory a block is the system's; registers are given out per thread without rounding. Occupancy "
      "is resident threads over the most an SM holds.");
  sheet.in_the_head(
      "Three divisions, rounded down; the least wins",
      digits(by_threads.value(), 3) + ", " + digits(by_registers.value(), 3) + ", " + digits(by_shared.value(), 3));
  if (wish.variant == 0) {
    sheet.ask(start + "How many blocks are resident on an SM?");
    return sheet.number(blocks, "blocks");
  }
  const Term share = sheet.step("Occupancy", plain(blocks) * threads / most, "%");
  sheet.ask(start + "What is the occupancy?");
  return sheet.number(share, "%");
}

}  // namespace

Category occupancy() {
  return {.id = "occupancy",
          .title = "Occupancy",
          .identity = "blocks = min(threads, registers, shared memory of the SM over the block's)",
          .source = "CUDA C++ Programming Guide, compute capabilities 8.0, 8.9, 9.0",
          .is_core = false,
          .variants = 2,
          .draw = draw};
}

}  // namespace td::arithmetic::category
