#include <algorithm>
#include <vector>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/spans.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/saturate.h"

namespace td::analysis::detect {
namespace {

constexpr double kShareFrac = 0.10;  // of the step, in the optimizer's window
constexpr double kWinFrac = 0.05;
constexpr int64_t kMinKernels = 100;  // a step: a fused update takes a few
constexpr double kIdleFrac = 0.3;     // of the window
constexpr TimeNs kShortNs = 20 * kNsPerUs;

// The optimizer's stretch of the device in each steady step: from its first kernel to its last.
struct Update {
  TimeNs window_ns = 0;  // mean per step
  TimeNs busy_ns = 0;
  int64_t kernels = 0;  // over the steps
  trace::SliceId first = trace::kNoSlice;
  Interval longest;
};

Update update_of(const MeasuredRank& rank) {
  Update out;
  const trace::RankTrace& trace = rank.trace();
  std::vector<Interval> windows(rank.steps.steady.size(), {INT64_MAX, INT64_MIN});
  for (const trace::SliceId slice : rank.steady_work()) {
    const trace::SliceId launch = rank.timeline.launches.launch_of(slice);
    if (launch == trace::kNoSlice || rank.tree.phase_of(launch) != Phase::optimizer) continue;
    if (trace.kind[slice] != trace::SliceKind::compute) continue;
    const size_t step = rank.steps.steady_at(std::max(trace.end_ns(slice), trace.start_ns[slice] + 1));
    if (step == RankSteps::kNone) continue;
    ++out.kernels;
    windows[step].begin_ns = std::min(windows[step].begin_ns, trace.start_ns[slice]);
    windows[step].end_ns = std::max(windows[step].end_ns, trace.end_ns(slice));
    if (out.first == trace::kNoSlice) out.first = slice;
  }
  for (const Interval& window : windows) {
    if (window.begin_ns >= window.end_ns) continue;
    accumulate(out.window_ns, window.length_ns());
    accumulate(out.busy_ns, length_within_ns(rank.timeline.busy, window));
    if (window.length_ns() > out.longest.length_ns()) out.longest = window;
  }
  const auto steps = static_cast<TimeNs>(std::max<size_t>(1, windows.size()));
  out.window_ns /= steps;
  out.busy_ns /= steps;
  return out;
}

std::optional<Finding> detect_per_tensor_optimizer(const Measured& measured) {
  const size_t index = pacing_rank(measured);
  if (index == Measured::kNone) return std::nullopt;
  const MeasuredRank& rank = measured.ranks[index];
  const Ledger& ledger = measured.reading->ledgers[index];
  const Update update = update_of(rank);
  if (update.kernels < kMinKernels * ledger.steps) return std::nullopt;
  const TimeNs kernel_ns = update.busy_ns * ledger.steps / update.kernels;
  const TimeNs idle_ns = update.window_ns - update.busy_ns;
  const double share = fraction(update.window_ns, ledger.step_ns);
  const double win = fraction(idle_ns, ledger.step_ns);
  if (share < kShareFrac || win < kWinFrac || kernel_ns > kShortNs) return std::nullopt;
  if (fraction(idle_ns, update.window_ns) < kIdleFrac) return std::nullopt;

  Finding finding = finding_of("per_tensor_optimizer");
  finding.confidence = confidence_of({{share, kShareFrac}, {win, kWinFrac}},
                                     evidence_quality(measured, ledger) * (has_python_stacks(measured) ? 0.7 : 1.0));
  finding.cost_ns_per_step = idle_ns;
  finding.evidence.push_back({"The optimizer takes " + share_text(measured, update.window_ns, ledger.step_ns) + " in " +
                                  std::to_string(update.kernels / ledger.steps) + " kernels of " +
                                  duration_text(kernel_ns) + " on average; for " + duration_text(idle_ns) +
                                  " of it the device waits for the next launch.",
                              {span_of_interval(rank.trace(), update.first, update.longest, rank.offset_ns)}});
  finding.ruled_out.push_back(
      {"launch_bound", "the loss stands in one phase: forward and backward keep the device busy"});
  finding.what_if =
      per_step(ledger.step_ns, idle_ns, "the optimizer's kernels one behind the other, as a fused update queues them");
  return finding;
}

}  // namespace

Detector per_tensor_optimizer() { return {.cause = "per_tensor_optimizer", .detect = detect_per_tensor_optimizer}; }

}  // namespace td::analysis::detect
