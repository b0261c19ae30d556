// How many buckets DDP makes of the gradients.
#include "arithmetic/draw.h"

namespace td::arithmetic::category {
namespace {

std::optional<Problem> draw(RandomStream& stream, [[maybe_unused]] const Wish& wish) {
  Worksheet sheet("ddp_buckets");
  const double cap = static_cast<double>(one_of(stream, {10, 25, 25, 50, 100}));
  const bool fp32 = stream.chance_permille(500);
  const double millions = rounded(spread(stream, 100, 8000, 3));
  const Term parameters = sheet.input("parameters", "of the model", millions, "Mparam");
  const Term each = sheet.input("gradient_bytes", fp32 ? "FP32 gradient" : "BF16 gradient", fp32 ? 4 : 2, "B/param");
  const Term bucket = sheet.input("bucket_cap", "bucket_cap_mb (MiB)", cap, "MiB");
  const Term bytes = sheet.step("Gradients", parameters * each);
  const Term count = sheet.step("Buckets, the last one part full", ceil_of(bytes / bucket), "buckets");
  if (count.value() < 4) return std::nullopt;
  sheet.conventions("bucket_cap_mb counts MiB (2²⁰ bytes); a smaller first bucket and uneven filling ignored.");
  const std::string start = "DDP trains a model of " + digits(millions, 4) + " M parameters with " +
                            (fp32 ? "FP32" : "BF16") + " gradients and bucket_cap_mb = " + digits(cap, 3) + ". ";
  sheet.ask(start + "About how many all-reduces are there a step?");
  sheet.in_the_head("MB of gradients over MiB a bucket, 5 % off",
                    digits(bytes.value() / 1e6, 4) + " / " + digits(cap * 1.05, 3));
  sheet.slip(fp32 ? "2 bytes a gradient" : "4 bytes a gradient", count.value() * (fp32 ? 0.5 : 2),
             fp32 ? "The gradients are FP32: 4 bytes." : "The gradients are BF16: 2 bytes.");
  sheet.slip("parameters instead of bytes", parameters.value() / bucket.value(), "A gradient is more than one byte.");
  return sheet.number(count, "buckets");
}

}  // namespace

Category ddp_buckets() {
  return {.id = "ddp_buckets",
          .title = "DDP buckets",
          .identity = "buckets = ceil(P × bytes / bucket_cap)",
          .source = "PyTorch DistributedDataParallel: bucket_cap_mb, 25 MiB by default",
          .is_core = false,
          .variants = 1,
          .draw = draw};
}

}  // namespace td::arithmetic::category
