#include <algorithm>
#include <map>
#include <utility>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/kernel_work.h"
#include "analysis/measured.h"
#include "analysis/spans.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/math.h"
#include "base/saturate.h"

namespace td::analysis::detect {
namespace {

using trace::SliceId;

constexpr double kShareFrac = 0.35;  // of the compute, in kernels over tensors of one size
// Between two matrix products such tensors need not be written at all (attention's scores): there what a fused kernel
// would win decides, and less of the compute will do.
constexpr double kBetweenProductsFrac = 0.10;
constexpr double kWinFrac = 0.05;
// Of the label: what streaming kernels reach is 0.75 to 0.93 (signatures.md 5). More than the label is no HBM traffic.
constexpr double kHbmFrac = 0.75;
constexpr double kHbmFracMost = 1.0;
// One op may lie lower, beside a collective or with bytes that its shapes do not tell.
constexpr double kOpHbmFrac = 0.6;
constexpr double kFlopFrac = 0.3;  // of the peak: above, arithmetic is the limit
// Kernels that stream by name and shapes that do not tell their bytes: worth a word where they hold half of the
// compute.
constexpr double kUnknownFrac = 0.5;
// A fused kernel's arithmetic: what FlashAttention-2 reaches of the BF16 peak (timing.md 4: 0.35 to 0.73).
constexpr double kFusedEfficiency = 0.4;

// The ops whose largest tensor has one number of elements and one last dimension: batch and heads may be one dimension
// or two.
struct Family {
  int64_t elements = 0;
  TimeNs bound_ns = 0;  // memory-bound ones
  double bound_bytes = 0;
  double bound_flop = 0;
  int64_t kernels = 0;
  TimeNs products_ns = 0;  // matrix products over these tensors, memory-bound or not
  double products_flop = 0;
  int64_t products = 0;
  TimeNs rest_ns = 0;         // memory-bound, no products
  TimeNs run_longest_ns = 0;  // the longest of each run of neighbours, summed
  SliceId longest = trace::kNoSlice;
};

// Products that are bound by memory: their weights cross it once for a few rows (decode, batch 1).
struct Streamed {
  TimeNs dur_ns = 0;
  double bytes = 0;
  double flop = 0;
  int64_t kernels = 0;
  SliceId longest = trace::kNoSlice;
};

struct Compute {
  Streamed weights;
  std::map<std::pair<int64_t, int64_t>, Family> families;
  TimeNs all_ns = 0;
  TimeNs known_ns = 0;           // shapes tell the bytes
  TimeNs unknown_stream_ns = 0;  // they do not, and the name is that of a kernel that streams
};

// Elementwise, reduction, softmax, norm and copy kernels; Inductor's generated ones.
bool streams_by_name(std::string_view name) {
  for (const std::string_view part : {"elementwise", "reduce_kernel", "SoftMax", "softmax_warp", "layer_norm",
                                      "dropout", "CatArray", "triton_poi_", "triton_red_", "triton_per_"})
    if (name.find(part) != std::string_view::npos) return true;
  return false;
}

bool is_memory_bound(const KernelWork& work, TimeNs dur_ns, const hardware::Gpu& gpu) {
  const double seconds = static_cast<double>(dur_ns) / 1e9;
  return work.bytes >= kOpHbmFrac * gpu.hbm_bytes_per_s * seconds &&
         work.bytes <= kHbmFracMost * gpu.hbm_bytes_per_s * seconds &&
         work.flop < kFlopFrac * gpu.bf16_flop_per_s * seconds;
}

void add(Family& family, const KernelWork& work, const OpKernels& op, const trace::RankTrace& rank, bool bound,
         bool next_to_last, TimeNs& run_ns) {
  if (work.flop > 0) {
    ++family.products;
    accumulate(family.products_ns, op.dur_ns);
    family.products_flop += work.flop;
  }
  if (!bound) return;
  family.elements = work.elements;
  accumulate(family.bound_ns, op.dur_ns);
  family.bound_bytes += work.bytes;
  family.bound_flop += work.flop;
  family.kernels += static_cast<int64_t>(op.kernels.size());
  if (family.longest == trace::kNoSlice || rank.dur_ns[op.kernels.front()] > rank.dur_ns[family.longest])
    family.longest = op.kernels.front();
  if (work.flop > 0) return;
  accumulate(family.rest_ns, op.dur_ns);
  // A run of neighbours fused is at least as long as its longest.
  const TimeNs before_ns = next_to_last ? run_ns : 0;
  run_ns = std::max(before_ns, op.dur_ns);
  accumulate(family.run_longest_ns, run_ns - before_ns);
}

Compute compute_of(const MeasuredRank& rank, const hardware::Gpu* gpu) {
  const trace::RankTrace& trace = rank.trace();
  std::vector<SliceId> kernels;
  for (const SliceId slice : rank.steady_work())
    if (trace.kind[slice] == trace::SliceKind::compute) kernels.push_back(slice);
  Compute out;
  std::pair<int64_t, int64_t> last = {-1, -1};
  TimeNs run_ns = 0;
  for (const OpKernels& op : by_op(trace, kernels)) {
    accumulate(out.all_ns, op.dur_ns);
    std::optional<KernelWork> work;
    if (op.op != trace::kNoSlice) {
      const trace::OpArgs* args = trace.op_args(op.op);
      work = work_of(trace.name_of(op.op), trace.strings.view(args->shapes), trace.strings.view(args->types));
    }
    if (!work || gpu == nullptr) {
      last = {-1, -1};
      if (streams_by_name(trace.name_of(op.kernels.front()))) accumulate(out.unknown_stream_ns, op.dur_ns);
      continue;
    }
    accumulate(out.known_ns, op.dur_ns);
    const bool bound = is_memory_bound(*work, op.dur_ns, *gpu);
    if (bound && work->flop > 0) {
      accumulate(out.weights.dur_ns, op.dur_ns);
      out.weights.bytes += work->bytes;
      out.weights.flop += work->flop;
      out.weights.kernels += static_cast<int64_t>(op.kernels.size());
      if (out.weights.longest == trace::kNoSlice ||
          trace.dur_ns[op.kernels.front()] > trace.dur_ns[out.weights.longest])
        out.weights.longest = op.kernels.front();
    }
    const std::pair key = {work->elements, work->columns};
    add(out.families[key], *work, op, trace, bound, last == key, run_ns);
    last = bound && work->flop == 0 ? key : std::pair<int64_t, int64_t>{-1, -1};
  }
  return out;
}

bool is_between_products(const Family& family, const Ledger& ledger) { return family.products >= 2 * ledger.steps; }

// Between two products nothing of that size need be in memory: what is left is their arithmetic, for which the products
// that are not bound by memory already take their time. Else each run of neighbours can become one kernel.
TimeNs fused_gain_ns(const Family& family, const Ledger& ledger, const hardware::Gpu& gpu) {
  if (!is_between_products(family, ledger)) return (family.rest_ns - family.run_longest_ns) / ledger.steps;
  const TimeNs fused_ns = round_to_int(family.products_flop / (kFusedEfficiency * gpu.bf16_flop_per_s) * 1e9);
  const TimeNs unbound_ns = family.products_ns - (family.bound_ns - family.rest_ns);
  const TimeNs more_ns = std::max<TimeNs>(0, fused_ns - unbound_ns);
  return std::max<TimeNs>(0, family.bound_ns - more_ns) / ledger.steps;
}

std::string_view method_of(const Family& family, const Ledger& ledger) {
  return is_between_products(family, ledger) ? "the products over these tensors and all between them as one fused "
                                               "kernel, its FLOPs at 0.4 of the peak, "
                                               "nothing of that size in memory"
                                             : "each run of neighbouring kernels as one, as long as its longest";
}

bool passes(const Family& family, const Ledger& ledger, double share, double win) {
  return share >= kShareFrac ||
         (is_between_products(family, ledger) && share >= kBetweenProductsFrac && win >= kWinFrac);
}

std::optional<Finding> cannot_tell(const Measured& measured, const MeasuredRank& rank, const Compute& compute) {
  const double share = fraction(compute.unknown_stream_ns, compute.all_ns);
  const Ledger& ledger = measured.reading->ledgers[measured.first_rank()];
  // Of a device that mostly idles, other things are to be said.
  const double of_step = fraction(compute.unknown_stream_ns / ledger.steps, ledger.step_ns);
  if (share < kUnknownFrac || of_step < kShareFrac) return std::nullopt;
  Finding finding = finding_of("inconclusive");
  finding.confidence = 0.5;
  finding.cost_ns_per_step = 0;
  const std::string_view why =
      measured.facts.gpu == nullptr ? "the GPU is not in the catalogue" : "the recorded shapes do not tell their bytes";
  finding.evidence.push_back({"Elementwise, reduction and copy kernels take " +
                                  share_text(measured, compute.unknown_stream_ns / ledger.steps, ledger.step_ns) +
                                  ", " + percent_text(share) + " of the compute. They may be bound by memory, but " +
                                  std::string(why) + ".",
                              longest_slices(rank, trace::SliceKind::compute, 1)});
  finding.confirm = "Capture with record_shapes=True, or ncu --section SpeedOfLight on the longest of them.";
  return finding;
}

// Weights of many shapes, each read once: no family of one size need be large.
std::optional<Finding> detect_streamed_weights(const Measured& measured, const MeasuredRank& rank, const Ledger& ledger,
                                               const Compute& compute, const hardware::Gpu& gpu) {
  const Streamed& weights = compute.weights;
  const double share = fraction(weights.dur_ns, compute.all_ns);
  if (share < kShareFrac || fraction(weights.dur_ns / ledger.steps, ledger.step_ns) < kShareFrac) return std::nullopt;
  const double rate = weights.bytes / static_cast<double>(weights.dur_ns) * 1e9;
  const double hbm_frac = rate / gpu.hbm_bytes_per_s;
  if (hbm_frac < kHbmFrac) return std::nullopt;
  const TimeNs gain_ns = weights.dur_ns / ledger.steps / 2;

  Finding finding = finding_of("memory_bound_kernel");
  finding.what_if = per_step(ledger.step_ns, gain_ns, "the same weights at half their bytes");
  finding.cost_ns_per_step = gain_ns;
  finding.confidence = confidence_of({{share, kShareFrac / 1.5}, {hbm_frac * hbm_frac * 1.5, kHbmFrac * kHbmFrac}},
                                     evidence_quality(measured, ledger));
  finding.evidence.push_back(
      {std::to_string(weights.kernels / ledger.steps) + " matrix products a step over few rows take " +
           share_text(measured, weights.dur_ns / ledger.steps, ledger.step_ns) + ", " + percent_text(share) +
           " of the compute. The longest is " + short_name(rank.trace().name_of(weights.longest), 60) + ".",
       {span_of_slice(rank.trace(), weights.longest, rank.offset_ns)}});
  finding.evidence.push_back(
      {"Their weights are " + bytes_text(round_to_int(weights.bytes) / ledger.steps) + " a step: " + rate_text(rate) +
           ", " + percent_text(hbm_frac) + " of the memory's " + rate_text(gpu.hbm_bytes_per_s) + ", at " +
           percent_text(weights.flop / static_cast<double>(weights.dur_ns) * 1e9 / gpu.bf16_flop_per_s) +
           " of the FLOP peak.",
       {}});
  finding.ruled_out.push_back(
      {"launch_bound", "idle beyond queue gaps is " + share_text(measured, loss_by_idle_ns(ledger), ledger.step_ns)});
  return finding;
}

std::optional<Finding> detect_memory_bound(const Measured& measured) {
  const size_t first = measured.first_rank();
  if (first == Measured::kNone) return std::nullopt;
  const MeasuredRank& rank = measured.ranks[first];
  const Ledger& ledger = measured.reading->ledgers[first];
  const hardware::Gpu* gpu = measured.facts.gpu;
  const Compute compute = compute_of(rank, gpu);
  const auto most =
      std::ranges::max_element(compute.families, {}, [](const auto& entry) { return entry.second.bound_ns; });
  if (gpu == nullptr || most == compute.families.end()) return cannot_tell(measured, rank, compute);
  if (auto streamed = detect_streamed_weights(measured, rank, ledger, compute, *gpu)) return streamed;
  const Family& family = most->second;
  const double share = fraction(family.bound_ns, compute.all_ns);
  const TimeNs gain_ns = fused_gain_ns(family, ledger, *gpu);
  if (!passes(family, ledger, share, fraction(gain_ns, ledger.step_ns))) return cannot_tell(measured, rank, compute);
  const double rate = family.bound_bytes / static_cast<double>(family.bound_ns) * 1e9;
  const double hbm_frac = rate / gpu->hbm_bytes_per_s;
  const double flop_per_s = family.bound_flop / static_cast<double>(family.bound_ns) * 1e9;
  const double flop_frac = flop_per_s / gpu->bf16_flop_per_s;
  if (hbm_frac < kHbmFrac || flop_frac > kFlopFrac) return std::nullopt;

  Finding finding = finding_of("memory_bound_kernel");
  finding.what_if = per_step(ledger.step_ns, gain_ns, std::string(method_of(family, ledger)));
  finding.cost_ns_per_step = gain_ns;
  // The rate cannot stand far above its threshold, so that its margin counts squared.
  finding.confidence = confidence_of({{share, share < kShareFrac ? kBetweenProductsFrac : kShareFrac / 1.5},
                                      {hbm_frac * hbm_frac * 1.5, kHbmFrac * kHbmFrac}},
                                     evidence_quality(measured, ledger));
  finding.evidence.push_back({std::to_string(family.kernels / ledger.steps) + " kernels a step over tensors of " +
                                  std::to_string(family.elements) + " elements take " +
                                  share_text(measured, family.bound_ns / ledger.steps, ledger.step_ns) + ", " +
                                  percent_text(share) + " of the compute. The longest is " +
                                  short_name(rank.trace().name_of(family.longest), 60) + ".",
                              {span_of_slice(rank.trace(), family.longest, rank.offset_ns)}});
  finding.evidence.push_back(
      {"By their shapes they move at least " + bytes_text(round_to_int(family.bound_bytes) / ledger.steps) +
           " a step: " + rate_text(rate) + ", " + percent_text(hbm_frac) + " of the memory's " +
           rate_text(gpu->hbm_bytes_per_s) + ", at " + percent_text(flop_frac) + " of the FLOP peak.",
       {}});
  finding.ruled_out.push_back(
      {"healthy", "the largest kernels are not at the FLOP rate, and a tensor of one size crosses the memory " +
                      std::to_string(family.kernels / ledger.steps) + " times a step"});
  finding.ruled_out.push_back(
      {"launch_bound", "idle beyond queue gaps is " + share_text(measured, loss_by_idle_ns(ledger), ledger.step_ns)});
  return finding;
}

}  // namespace

Detector memory_bound_kernel() { return {.cause = "memory_bound_kernel", .detect = detect_memory_bound}; }

}  // namespace td::analysis::detect
