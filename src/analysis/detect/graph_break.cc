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

constexpr double kLossFrac = 0.05;
// A step runs from a graph if graphs launched most of its kernels, and eagerly if they launched hardly any.
constexpr double kFromGraphFrac = 0.5;
constexpr double kEagerFrac = 0.2;
constexpr int64_t kEagerLaunches = 30;
constexpr double kSlower = 1.2;

struct StepLaunches {
  int64_t from_graph = 0;  // kernels
  int64_t eager = 0;
  TimeNs step_ns = 0;
  TimeNs idle_ns = 0;
};

std::vector<StepLaunches> launches_by_step(const MeasuredRank& rank, const Ledger& ledger) {
  std::vector<StepLaunches> out(rank.steps.steady.size());
  const trace::RankTrace& trace = rank.trace();
  for (const trace::SliceId slice : rank.steady_work()) {
    if (trace.kind[slice] != trace::SliceKind::compute) continue;
    const size_t step = rank.steps.steady_at(std::max(trace.end_ns(slice), trace.start_ns[slice] + 1));
    const trace::SliceId launch = rank.timeline.launches.launch_of(slice);
    if (step == RankSteps::kNone || launch == trace::kNoSlice) continue;
    const bool graph = trace.name_of(launch).find("GraphLaunch") != std::string_view::npos;
    ++(graph ? out[step].from_graph : out[step].eager);
  }
  for (size_t step = 0; step < out.size() && step < ledger.per_step.size(); ++step) {
    out[step].step_ns = ledger.per_step[step].step_ns;
    out[step].idle_ns = ledger.per_step[step].idle_ns;
  }
  return out;
}

std::optional<Finding> detect_graph_break(const Measured& measured) {
  const size_t index = pacing_rank(measured);
  if (index == Measured::kNone) return std::nullopt;
  const MeasuredRank& rank = measured.ranks[index];
  const Ledger& ledger = measured.reading->ledgers[index];
  std::vector<TimeNs> graphed;
  std::vector<size_t> eager;
  const std::vector<StepLaunches> steps = launches_by_step(rank, ledger);
  for (size_t i = 0; i < steps.size(); ++i) {
    const double from_graph = fraction(steps[i].from_graph, steps[i].from_graph + steps[i].eager);
    if (from_graph >= kFromGraphFrac) graphed.push_back(steps[i].step_ns);
    if (from_graph <= kEagerFrac && steps[i].eager >= kEagerLaunches) eager.push_back(i);
  }
  if (graphed.empty() || eager.empty()) return std::nullopt;
  const TimeNs usual_ns = median_ns(graphed);
  TimeNs excess_ns = 0;
  TimeNs idle_ns = 0;
  TimeNs eager_ns = 0;
  size_t worst = eager.front();
  for (const size_t i : eager) {
    accumulate(excess_ns, std::max<TimeNs>(0, steps[i].step_ns - usual_ns));
    accumulate(idle_ns, steps[i].idle_ns);
    accumulate(eager_ns, steps[i].step_ns);
    if (steps[i].step_ns > steps[worst].step_ns) worst = i;
  }
  const TimeNs mean_eager_ns = eager_ns / static_cast<TimeNs>(eager.size());
  // Longer because the host launches, not because there is more to compute.
  const TimeNs cost_ns = std::min(excess_ns, idle_ns) / ledger.steps;
  const double loss = fraction(cost_ns, ledger.step_ns);
  if (loss < kLossFrac || fraction(mean_eager_ns, usual_ns) < kSlower) return std::nullopt;

  Finding finding = finding_of("graph_break");
  finding.confidence = confidence_of({{loss, kLossFrac}, {fraction(mean_eager_ns, usual_ns), kSlower}},
                                     evidence_quality(measured, ledger));
  finding.cost_ns_per_step = cost_ns;
  const DeviceStep& step = rank.steps.items[rank.steps.steady[worst]];
  trace::SliceId first = rank.timeline.gpu.front();
  for (const trace::SliceId slice : rank.timeline.gpu)
    if (rank.trace().start_ns[slice] >= step.window.begin_ns) {
      first = slice;
      break;
    }
  finding.evidence.push_back(
      {std::to_string(eager.size()) + " of " + count_text(ledger.steps, "step") + " launch kernel by kernel (" +
           std::to_string(steps[worst].eager) + " launches) what the others run as a graph: they take " +
           duration_text(mean_eager_ns) + ", the median graphed step " + duration_text(usual_ns) + ".",
       {span_of_interval(rank.trace(), first, step.window, rank.offset_ns)}});
  finding.ruled_out.push_back({"launch_bound", "the steps that run as a graph are not"});
  finding.ruled_out.push_back(
      {"recompilation", "compile frames own " + duration_text(gap_ns(ledger, GapOwner::compile)) + " a step"});
  finding.what_if =
      per_step(ledger.step_ns, cost_ns, "the eager steps as long as the median graphed one, as far as they idle");
  return finding;
}

}  // namespace

Detector graph_break() { return {.cause = "graph_break", .detect = detect_graph_break}; }

}  // namespace td::analysis::detect
