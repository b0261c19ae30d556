#include <algorithm>
#include <string_view>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/kernel_groups.h"
#include "analysis/spans.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/saturate.h"

namespace td::analysis::detect {
namespace {

constexpr double kShareFrac = 0.45;   // of the compute
constexpr double kIdleFrac = 0.15;    // of the step: beyond it the host is the matter
constexpr int64_t kMinKernels = 100;  // a step
// Neighbours that a fused kernel would replace: at least so many in a row, on average.
constexpr double kRunLength = 2.5;
constexpr double kWinFrac = 0.05;

bool is_elementwise(std::string_view name) {
  return name.find("elementwise") != std::string_view::npos || name.find("CatArray") != std::string_view::npos;
}

struct Storm {
  TimeNs all_ns = 0;
  TimeNs elementwise_ns = 0;
  TimeNs longest_ns = 0;  // of each run of neighbours, summed: what one kernel for the run takes at least
  int64_t kernels = 0;
  int64_t runs = 0;
  trace::SliceId longest = trace::kNoSlice;
};

Storm storm_of(const MeasuredRank& rank) {
  Storm out;
  const trace::RankTrace& trace = rank.trace();
  TimeNs run_ns = 0;
  for (const trace::SliceId slice : rank.steady_work()) {
    if (trace.kind[slice] != trace::SliceKind::compute) continue;
    accumulate(out.all_ns, trace.dur_ns[slice]);
    if (!is_elementwise(trace.name_of(slice))) {
      run_ns = 0;
      continue;
    }
    ++out.kernels;
    if (out.longest == trace::kNoSlice || trace.dur_ns[slice] > trace.dur_ns[out.longest]) out.longest = slice;
    out.runs += run_ns == 0 ? 1 : 0;
    accumulate(out.elementwise_ns, trace.dur_ns[slice]);
    if (trace.dur_ns[slice] > run_ns) {
      accumulate(out.longest_ns, trace.dur_ns[slice] - run_ns);
      run_ns = std::max<TimeNs>(1, trace.dur_ns[slice]);
    }
  }
  return out;
}

// Where tensors of one size cross the memory again and again, that is said with their bytes.
bool is_memory_bound(const Measured& measured) {
  for (const Detector& detector : all_detectors()) {
    if (detector.cause != "memory_bound_kernel") continue;
    const std::optional<Finding> finding = detector.detect(measured);
    return finding && finding->cause == detector.cause;
  }
  return false;
}

std::optional<Finding> detect_op_storm(const Measured& measured) {
  const size_t first = measured.first_rank();
  if (first == Measured::kNone) return std::nullopt;
  const MeasuredRank& rank = measured.ranks[first];
  const Ledger& ledger = measured.reading->ledgers[first];
  if (fraction(loss_by_idle_ns(ledger), ledger.step_ns) > kIdleFrac) return std::nullopt;
  const Storm storm = storm_of(rank);
  const double share = fraction(storm.elementwise_ns, storm.all_ns);
  if (share < kShareFrac || storm.kernels < kMinKernels * ledger.steps) return std::nullopt;
  const double run_length = fraction(storm.kernels, std::max<int64_t>(1, storm.runs));
  const TimeNs gain_ns = std::min((storm.elementwise_ns - storm.longest_ns) / ledger.steps, ledger.compute_ns);
  const double win = fraction(gain_ns, ledger.step_ns);
  if (run_length < kRunLength || win < kWinFrac || is_memory_bound(measured)) return std::nullopt;

  Finding finding = finding_of("op_storm");
  finding.confidence = confidence_of({{share, kShareFrac / 1.3}, {win, kWinFrac}}, evidence_quality(measured, ledger));
  finding.cost_ns_per_step = gain_ns;
  finding.evidence.push_back({std::to_string(storm.kernels / ledger.steps) + " elementwise kernels a step take " +
                                  share_text(measured, storm.elementwise_ns / ledger.steps, ledger.step_ns) + ", " +
                                  percent_text(share) + " of the compute, in rows of " + decimal_text(run_length) +
                                  " on average: each reads what the one before wrote.",
                              {span_of_slice(rank.trace(), storm.longest, rank.offset_ns)}});
  finding.ruled_out.push_back({"launch_bound", "the device is busy: idle beyond queue gaps is " +
                                                   share_text(measured, loss_by_idle_ns(ledger), ledger.step_ns)});
  finding.what_if =
      per_step(ledger.step_ns, gain_ns, "each row of neighbouring elementwise kernels as one, as long as its longest");
  return finding;
}

}  // namespace

Detector op_storm() { return {.cause = "op_storm", .detect = detect_op_storm}; }

}  // namespace td::analysis::detect
