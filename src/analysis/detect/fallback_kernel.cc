#include <algorithm>
#include <map>
#include <string>
#include <vector>

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

using trace::SliceId;

constexpr double kShareFrac = 0.2;  // of the compute
// FlashAttention 2 runs on Blackwell too, and is what many builds have: worth a word where it sets the pace.
constexpr double kAttentionShareFrac = 0.35;
constexpr double kWinFrac = 0.05;  // of the step
// How much faster the right kernel is, taken low: attention of the GPU's own generation is 1.7 to 20 times as fast
// (DiffSynth-Studio 1687: 6.32 to 3.80 s a step in all; unsloth 8021), aligned products up to 8 times.
constexpr double kFaster = 2.0;

bool has(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

// Why a kernel is not the one that this GPU should run; empty if nothing says so. cuDNN's convolutions of older
// generations are what it picks on newer ones as well, and say nothing.
std::string_view why_fallback(std::string_view name, int32_t major) {
  const bool attention = is_attention_kernel(name);
  if (!is_product_kernel(name) || has(name, "fprop") || has(name, "dgrad") || has(name, "wgrad")) return {};
  // FlashAttention 2 is built for sm80 and does not name it; generation 9 and later ones have their own.
  const bool flash2 =
      attention &&
      (has(name, "Flash_fwd_kernel_traits") || has(name, "flash_fwd_kernel") || has(name, "flash_bwd_dq_dk_dv")) &&
      !has(name, "sm90") && !has(name, "Sm90") && !has(name, "compute_attn_ws") && !has(name, "sm100");
  if (flash2 && major >= 10) return "attention built for sm80";
  if (has(name, "AttentionKernel") || has(name, "fmha_cutlass"))
    return major >= 9 ? std::string_view("memory-efficient attention built for sm80") : std::string_view{};
  if (has(name, "align1") && !has(name, "align16")) return "a product on unaligned pointers (align1)";
  if (has(name, "align2")) return "a product on unaligned pointers (align2)";
  const bool old = has(name, "sm80") || has(name, "cutlass_80") || has(name, "sm75") || has(name, "cutlass_75") ||
                   has(name, "ampere_") || has(name, "turing_") || has(name, "volta_") || has(name, "sm70");
  const bool fp32 = has(name, "sgemm") || has(name, "ffma") || has(name, "f32f32_f32f32");
  if (old && !fp32 && major >= 9) return "a kernel of an older generation";
  if ((has(name, "volta_") || has(name, "sm70")) && !fp32 && major >= 8) return "a kernel of an older generation";
  return {};
}

// Attention that reaches this much of the peak, counted as a causal one, is not the matter, whatever it was built for:
// sm80's instructions reach less than that on Blackwell. A clock held at 0.7 must not bring the right one below.
constexpr double kFastFrac = 0.12;

// The first four numbers of "[[8,32,2048,128],...]"; empty if there are fewer, or larger ones than shapes have.
std::vector<double> first_shape(std::string_view shapes) {
  std::vector<double> out;
  double number = -1;
  for (const char c : shapes) {
    if (c >= '0' && c <= '9') {
      number = (number < 0 ? 0 : number) * 10 + (c - '0');
    } else if (number >= 0) {
      out.push_back(number);
      number = -1;
    }
    if (out.size() == 4 || (c == ']' && !out.empty())) break;
  }
  return out.size() == 4 ? out : std::vector<double>{};
}

// From the shape of its queries, [batch, heads, length, width] or with length and heads exchanged: at least the
// products of a causal mask, twice forward, five times backward.
bool is_fast_attention(const KernelKey& key, TimeNs dur_ns, const hardware::Gpu* gpu) {
  const std::vector<double> dims = first_shape(key.shapes);
  if (gpu == nullptr || dims.empty() || dur_ns <= 0) return false;
  const double length = std::max(dims[1], dims[2]);
  const double others = dims[0] * std::min(dims[1], dims[2]) * dims[3];
  const double products = has(key.name, "bwd") ? 5 : 2;
  return products * others * length * length / static_cast<double>(dur_ns) * 1e9 >= kFastFrac * gpu->bf16_flop_per_s;
}

struct Fallback {
  TimeNs total_ns = 0;  // over the steady steps
  std::string name;
  SliceId longest = trace::kNoSlice;
};

std::optional<Finding> detect_fallback_kernel(const Measured& measured) {
  const size_t first = measured.first_rank();
  const int32_t major = compute_major_of(measured);
  if (first == Measured::kNone || major == 0) return std::nullopt;
  const MeasuredRank& rank = measured.ranks[first];
  const Ledger& ledger = measured.reading->ledgers[first];
  std::map<std::string_view, Fallback> by_reason;
  TimeNs all_ns = 0;
  for (const auto& [key, samples] : kernel_groups(rank)) {
    const std::string_view why = why_fallback(key.name, major);
    for (const KernelSample& sample : samples) {
      accumulate(all_ns, sample.dur_ns);
      if (why.empty()) continue;
      if (is_attention_kernel(key.name) && is_fast_attention(key, sample.dur_ns, measured.facts.gpu)) continue;
      Fallback& fallback = by_reason[why];
      accumulate(fallback.total_ns, sample.dur_ns);
      if (fallback.longest != trace::kNoSlice && rank.trace().dur_ns[fallback.longest] >= sample.dur_ns) continue;
      fallback.longest = sample.slice;
      fallback.name = std::string(key.name);
    }
  }
  const auto most = std::ranges::max_element(by_reason, {}, [](const auto& entry) { return entry.second.total_ns; });
  if (most == by_reason.end()) return std::nullopt;
  const double share = fraction(most->second.total_ns, all_ns);
  const TimeNs per_step_ns = most->second.total_ns / ledger.steps;
  // What runs on other streams at the same time cannot shorten the step by more than the compute that there is.
  const TimeNs gain_ns =
      round_to_int(static_cast<double>(std::min(per_step_ns, ledger.compute_ns)) * (1 - 1 / kFaster));
  const double needed = is_attention_kernel(most->second.name) ? kAttentionShareFrac : kShareFrac;
  if (share < needed || fraction(gain_ns, ledger.step_ns) < kWinFrac) return std::nullopt;

  Finding finding = finding_of("fallback_kernel");
  finding.confidence = confidence_of({{share, needed / 1.5}, {fraction(gain_ns, ledger.step_ns), kWinFrac}},
                                     evidence_quality(measured, ledger));
  finding.cost_ns_per_step = gain_ns;
  finding.evidence.push_back({"On " + measured.ranks[first].trace().device_name + ", " + percent_text(share) +
                                  " of the compute (" + share_text(measured, per_step_ns, ledger.step_ns) + ") is " +
                                  std::string(most->first) + ": " + short_name(most->second.name, 80) + ".",
                              {span_of_slice(rank.trace(), most->second.longest, rank.offset_ns)}});
  finding.evidence.push_back({"Nothing else in the trace shows it: the name is the evidence.", {}});
  finding.ruled_out.push_back(
      {"launch_bound", "idle beyond queue gaps is " + share_text(measured, loss_by_idle_ns(ledger), ledger.step_ns)});
  finding.ruled_out.push_back({"healthy", "a busy device can be busy with the wrong kernel"});
  finding.what_if =
      per_step(ledger.step_ns, gain_ns, "those kernels at half their length, the least that the right ones gain");
  return finding;
}

}  // namespace

Detector fallback_kernel() { return {.cause = "fallback_kernel", .detect = detect_fallback_kernel}; }

}  // namespace td::analysis::detect
