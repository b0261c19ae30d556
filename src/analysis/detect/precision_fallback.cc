#include <algorithm>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/kernel_groups.h"
#include "analysis/spans.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/math.h"
#include "base/saturate.h"

namespace td::analysis::detect {
namespace {

constexpr double kShareFrac = 0.1;  // of the compute (signatures.md A14)
constexpr double kWinFrac = 0.05;
// TF32 instead of FP32: the tensor cores do at least four times as much; the least over the catalogue's GPUs, with the
// memory in the way.
constexpr double kFaster = 3.0;

bool has(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

// FP32 products that no tensor core does: cuBLAS' sgemm, xmma's ffma, Tensile's SB without MI instructions.
bool is_fp32_product(std::string_view name) {
  if (has(name, "tensorop") || has(name, "s1688") || has(name, "tf32") || has(name, "TF32")) return false;
  if (has(name, "Cijk_")) return has(name, "_SB_");
  return has(name, "sgemm") || has(name, "ffma") || has(name, "simt_sgemm") ||
         (has(name, "xmma_gemm_f32f32_f32f32") && !has(name, "s16816"));
}

// Products in half precision: the job means to use tensor cores.
bool is_half_product(std::string_view name) {
  return is_product_kernel(name) && (has(name, "bf16") || has(name, "fp16") || has(name, "f16") || has(name, "h884") ||
                                     has(name, "bfloat16") || has(name, "__half") || has(name, "nvjet"));
}

std::optional<Finding> detect_precision_fallback(const Measured& measured) {
  const size_t first = measured.first_rank();
  if (first == Measured::kNone) return std::nullopt;
  // Without tensor cores there is nothing to fall back from. Unknown GPUs: assume them.
  if (const hardware::Gpu* gpu = measured.facts.gpu; gpu != nullptr && gpu->bf16_flop_per_s < 2 * gpu->fp32_flop_per_s)
    return std::nullopt;
  const MeasuredRank& rank = measured.ranks[first];
  const Ledger& ledger = measured.reading->ledgers[first];
  TimeNs all_ns = 0;
  TimeNs fp32_ns = 0;
  TimeNs half_ns = 0;
  trace::SliceId longest = trace::kNoSlice;
  for (const auto& [key, samples] : kernel_groups(rank)) {
    const bool fp32 = is_fp32_product(key.name);
    const bool half = is_half_product(key.name);
    for (const KernelSample& sample : samples) {
      accumulate(all_ns, sample.dur_ns);
      if (half) accumulate(half_ns, sample.dur_ns);
      if (!fp32) continue;
      accumulate(fp32_ns, sample.dur_ns);
      if (longest == trace::kNoSlice || sample.dur_ns > rank.trace().dur_ns[longest]) longest = sample.slice;
    }
  }
  if (longest == trace::kNoSlice) return std::nullopt;
  // Before Ampere FP32 has no other path: a job that is FP32 throughout runs as it was written.
  const int32_t major = compute_major_of(measured);
  if (major > 0 && major < 8 && fraction(half_ns, all_ns) < kShareFrac) return std::nullopt;
  const double share = fraction(fp32_ns, all_ns);
  const TimeNs per_step_ns = std::min(fp32_ns / ledger.steps, ledger.compute_ns);
  const TimeNs gain_ns = round_to_int(static_cast<double>(per_step_ns) * (1 - 1 / kFaster));
  const double win = fraction(gain_ns, ledger.step_ns);
  if (share < kShareFrac || win < kWinFrac) return std::nullopt;

  Finding finding = finding_of("precision_fallback");
  finding.confidence = confidence_of({{share, kShareFrac}, {win, kWinFrac}}, evidence_quality(measured, ledger));
  finding.cost_ns_per_step = gain_ns;
  finding.evidence.push_back({"Matrix products in FP32 without tensor cores take " + percent_text(share) +
                                  " of the compute, " + share_text(measured, per_step_ns, ledger.step_ns) + ": " +
                                  short_name(rank.trace().name_of(longest), 80) + ".",
                              {span_of_slice(rank.trace(), longest, rank.offset_ns)}});
  finding.ruled_out.push_back(
      {"launch_bound", "idle beyond queue gaps is " + share_text(measured, loss_by_idle_ns(ledger), ledger.step_ns)});
  finding.ruled_out.push_back(
      {"memory_bound_kernel", "a product in FP32 is bound by its arithmetic long before its bytes"});
  finding.what_if = per_step(ledger.step_ns, gain_ns, "those products in TF32, taken as three times as fast");
  return finding;
}

}  // namespace

Detector precision_fallback() { return {.cause = "precision_fallback", .detect = detect_precision_fallback}; }

}  // namespace td::analysis::detect
