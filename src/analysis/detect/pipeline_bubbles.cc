#include <algorithm>
#include <string>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/pipeline.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/math.h"

namespace td::analysis::detect {
namespace {

// What filling the pipeline must win, of the step.
constexpr double kWinFrac = 0.045;
// Of the ideal bubble, so much must be seen as waiting or idle: a schedule that is not 1F1B may fill it.
constexpr double kSeenFrac = 0.6;
// Stages that compute equally long; beyond it the longest one sets the pace, and its excess is no bubble.
constexpr double kSpread = 0.08;

Finding bubbles(const Measured& measured, const Pipeline& pipeline, const WellFed& fed) {
  const TimeNs step_ns = measured.mean_step_ns();
  const Ledger& longest = measured.reading->ledgers[pipeline.waits_longest];
  const auto ns_of = [&](double frac) { return round_to_int(frac * static_cast<double>(step_ns)); };
  Finding finding = finding_of("pipeline_bubbles");
  finding.confidence =
      confidence_of({{fed.win_frac, kWinFrac}, {pipeline.waiting_frac / pipeline.bubble_frac, kSeenFrac}},
                    evidence_quality(measured, longest) * (pipeline.all_stages ? 1.0 : 0.7));
  finding.cost_ns_per_step = ns_of(fed.win_frac);
  finding.evidence.push_back(
      {"Of " + std::to_string(pipeline.stages) + " stages, each hands on " + std::to_string(pipeline.passes) +
           " microbatches a step: 1F1B then idles (p - 1) / (m + p - 1) = " + std::to_string(pipeline.stages - 1) +
           " / " + std::to_string(pipeline.passes + pipeline.stages - 1) + " = " + percent_text(pipeline.bubble_frac) +
           " of a step. Measured, waiting for messages or idle: " + percent_text(pipeline.waiting_frac) + ".",
       longest_slices(measured.ranks[pipeline.waits_longest], trace::SliceKind::comm, 2)});
  finding.evidence.push_back({"Every stage computes equally long, " + duration_text(pipeline.compute_ns) +
                                  " a step; the longest is " + percent_text(pipeline.spread_frac) + " over the mean.",
                              {}});
  finding.ruled_out.push_back({"straggler", "a slow rank computes longer than the others; here the longest is " +
                                                percent_text(pipeline.spread_frac) + " over the mean"});
  finding.ruled_out.push_back(
      {"bandwidth_bound_collective",
       "the long SendRecv kernels wait: the shortest of the same size are as short as the wire allows"});
  finding.what_if = per_step(step_ns, ns_of(fed.win_frac),
                             std::to_string(fed.factor) + " times the microbatches: the bubble falls from " +
                                 percent_text(pipeline.bubble_frac) + " to " + percent_text(fed.bubble_frac));
  if (finding.what_if) finding.what_if->per = "token";
  return finding;
}

std::optional<Finding> detect_bubbles(const Measured& measured) {
  if (!measured.pipeline) return std::nullopt;
  const Pipeline& pipeline = *measured.pipeline;
  const WellFed fed = well_fed(pipeline);
  if (fed.win_frac < kWinFrac || pipeline.waiting_frac < kSeenFrac * pipeline.bubble_frac) return std::nullopt;
  if (pipeline.spread_frac > kSpread) return std::nullopt;
  return bubbles(measured, pipeline, fed);
}

}  // namespace

Detector pipeline_bubbles() { return {.cause = "pipeline_bubbles", .detect = detect_bubbles}; }

}  // namespace td::analysis::detect
