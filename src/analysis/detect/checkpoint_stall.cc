#include <algorithm>
#include <array>
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

using trace::SliceId;

constexpr double kLossFrac = 0.05;
// Downloads of a checkpoint: so much in a step, and so many times what the other steps download.
constexpr int64_t kManyBytes = 64 * kMiB;
constexpr int64_t kTimesUsual = 4;
constexpr double kAtMostFrac = 0.5;  // of the steps

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// Frames and ranges that write state out. Not torch/utils/checkpoint.py, which recomputes activations.
bool is_saving(std::string_view name) {
  static constexpr std::array<std::string_view, 7> kNames = {"torch/serialization.py",
                                                             "distributed/checkpoint/",
                                                             "save_checkpoint",
                                                             "checkpoint_save",
                                                             "save_state",
                                                             "torch.save",
                                                             "safetensors"};
  return std::ranges::any_of(kNames, [&](std::string_view part) { return has(name, part); });
}

struct Step {
  int64_t bytes = 0;
  TimeNs stalled_ns = 0;  // idle that the host's own work or a blocking call owns, and exposed downloads
  TimeNs saving_ns = 0;   // under a frame that says so
};

std::vector<Step> steps_of(const MeasuredRank& rank) {
  std::vector<Step> out(rank.steps.steady.size());
  const trace::RankTrace& trace = rank.trace();
  for (const SliceId slice : rank.steady_work()) {
    if (trace.kind[slice] != trace::SliceKind::copy ||
        trace::copy_of_name(trace.name_of(slice)) != trace::CopyKind::d2h)
      continue;
    const size_t step = rank.steps.steady_at(std::max(trace.end_ns(slice), trace.start_ns[slice] + 1));
    if (step == RankSteps::kNone) continue;
    const trace::CopyArgs* args = trace.copy_args(slice);
    accumulate(out[step].bytes, std::max<int64_t>(0, args != nullptr ? args->size_bytes : 0));
    accumulate(out[step].stalled_ns,
               length_within_ns(rank.timeline.exposed_copy, {trace.start_ns[slice], trace.end_ns(slice)}));
  }
  for (const GapPart& part : rank.gap_parts)
    if (part.owner == GapOwner::host_other || part.owner == GapOwner::sync || part.owner == GapOwner::pageable_copy)
      accumulate(out[part.step].stalled_ns, part.at.length_ns());
  std::vector<Interval> saving;
  for (SliceId slice = 0; slice < trace.slice_count(); ++slice)
    if (trace::is_host(trace.kind[slice]) && trace.dur_ns[slice] > kNsPerMs && is_saving(trace.name_of(slice)))
      saving.push_back({trace.start_ns[slice], trace.end_ns(slice)});
  const IntervalSet all = unite(std::move(saving));
  for (const GapPart& part : rank.gap_parts) accumulate(out[part.step].saving_ns, length_within_ns(all, part.at));
  return out;
}

std::optional<Finding> detect_checkpoint_stall(const Measured& measured) {
  const size_t index = pacing_rank(measured);
  if (index == Measured::kNone) return std::nullopt;
  const MeasuredRank& rank = measured.ranks[index];
  const Ledger& ledger = measured.reading->ledgers[index];
  const std::vector<Step> steps = steps_of(rank);
  if (steps.size() < 3) return std::nullopt;
  std::vector<TimeNs> bytes;
  std::vector<TimeNs> stalled;
  for (const Step& step : steps) {
    bytes.push_back(step.bytes);
    stalled.push_back(step.stalled_ns);
  }
  const int64_t usual_bytes = median_ns(bytes);
  const TimeNs usual_ns = median_ns(stalled);
  std::vector<TimeNs> cost_ns(steps.size(), 0);
  TimeNs sum_ns = 0;
  int64_t hit = 0;
  int64_t most_bytes = 0;
  bool named = false;
  for (size_t i = 0; i < steps.size(); ++i) {
    const bool downloads =
        steps[i].bytes >= kManyBytes && steps[i].bytes >= kTimesUsual * std::max<int64_t>(1, usual_bytes);
    const bool saves = steps[i].saving_ns * 2 > steps[i].stalled_ns - usual_ns && steps[i].saving_ns > 0;
    if (!downloads && !saves) continue;
    cost_ns[i] = std::max<TimeNs>(0, steps[i].stalled_ns - usual_ns);
    accumulate(sum_ns, cost_ns[i]);
    most_bytes = std::max(most_bytes, steps[i].bytes);
    named = named || saves;
    ++hit;
  }
  if (hit == 0 || static_cast<double>(hit) > kAtMostFrac * static_cast<double>(steps.size())) return std::nullopt;
  const double loss = fraction(sum_ns / ledger.steps, ledger.step_ns);
  if (loss < kLossFrac) return std::nullopt;
  const std::optional<Rhythm> rhythm = rhythm_of(cost_ns, {});
  const bool periodic = rhythm && *rhythm == Rhythm::every_kth;

  Finding finding = finding_of("checkpoint_stall");
  finding.confidence = confidence_of({{loss, kLossFrac}}, evidence_quality(measured, ledger) * (named      ? 1.0
                                                                                                : periodic ? 0.9
                                                                                                           : 0.75));
  finding.cost_ns_per_step = sum_ns / ledger.steps;
  const GapOwner owner =
      gap_ns(ledger, GapOwner::host_other) >= gap_ns(ledger, GapOwner::sync) ? GapOwner::host_other : GapOwner::sync;
  finding.evidence.push_back({std::to_string(hit) + " of " + count_text(ledger.steps, "step") +
                                  (periodic ? ", in equal distances," : "") + " download " + bytes_text(most_bytes) +
                                  " and then idle while the host writes; spread over all steps that is " +
                                  share_text(measured, sum_ns / ledger.steps, ledger.step_ns) + ".",
                              longest_gaps(rank, owner, 2)});
  if (named) finding.evidence.push_back({"The host is in frames that save state meanwhile.", {}});
  finding.ruled_out.push_back(
      {"recompilation", "compile frames own " + duration_text(gap_ns(ledger, GapOwner::compile)) + " a step"});
  finding.ruled_out.push_back({"gc_pauses", "the collector downloads nothing"});
  finding.what_if = per_step(ledger.step_ns, sum_ns / ledger.steps, "those steps with the stall of the median one");
  return finding;
}

}  // namespace

Detector checkpoint_stall() { return {.cause = "checkpoint_stall", .detect = detect_checkpoint_stall}; }

}  // namespace td::analysis::detect
