// How long a batch takes over PCIe.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("host_to_device");
  struct Path {
    const char* text;
    double gb_per_s;
  };
  static constexpr Path kPaths[] = {{"PCIe 4 x16, pinned memory", 25},
                                    {"PCIe 4 x16, pageable memory", 9},
                                    {"PCIe 5 x16, pinned memory", 53},
                                    {"PCIe 5 x16, pageable memory", 15}};
  const Path& path = kPaths[stream.uniform_int(0, 3)];
  const double side_value = one_of(stream, {224.0, 256.0, 384.0, 512.0});
  const bool floats = stream.chance_permille(500);
  const Term batch = sheet.input("batch", "images", 16.0 * static_cast<double>(stream.uniform_int(1, 32)));
  const Term side = sheet.input("side", "pixels", side_value);
  const Term element = sheet.input("element_bytes", floats ? "float32" : "uint8", floats ? 4 : 1, "B");
  const Term rate = sheet.input("bandwidth", path.text, path.gb_per_s, "GB/s");
  const Term bytes = sheet.step("The batch: images × 3 channels × side²", batch * term(3) * side * side * element);
  const Term time = sheet.step("Over the link", bytes / rate);
  if (time.value() < 0.1e-3) return std::nullopt;
  sheet.conventions("Usable one-way rate as stated; one copy of the whole batch. GB = 10⁹ bytes.");
  sheet.ask("A batch of " + batch.text + " images, 3 × " + side.text + " × " + side.text +
            (floats ? ", as float32" : ", as uint8") + ", is copied to the GPU over " + path.text + ", " + rate.text +
            " usable. How long does the copy take?");
  sheet.in_the_head("An image is 3 side² bytes: 224 gives 150 kB, 512 gives 786 kB",
                    digits(bytes.value() / 1e6, 3) + " MB / " + rate.text);
  sheet.slip("one channel", time.value() / 3, "Three channels.");
  sheet.slip(floats ? "uint8" : "float32", time.value() * (floats ? 0.25 : 4),
             floats ? "float32 is 4 bytes an element." : "uint8 is one byte an element.");
  return sheet.number(time, fitting_unit(time.quantity).symbol);
}

}  // namespace

Category host_to_device() {
  return {.id = "host_to_device",
          .title = "Host to device copies",
          .identity = "t = batch bytes / usable rate",
          .source =
              "Pinned and pageable copies in public profiler traces: 21-26 and 6-12 GB/s on PCIe 4, 50-57 and 11-20 on "
              "PCIe 5",
          .is_core = false,
          .variants = 1,
          .draw = draw};
}

}  // namespace td::arithmetic::category
