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
// A hole in which the launching thread shows no call at all; shorter ones have many reasons (signatures.md A7: 20 to
// 300 ms, and up to a minute).
constexpr TimeNs kHoleNs = 20 * kNsPerMs;
constexpr int64_t kMinHoles = 2;
constexpr double kShareOfIdleFrac = 0.4;

struct Pauses {
  std::vector<TimeNs> worst_ns;  // by step, over the ranks
  int64_t count = 0;
  std::vector<int32_t> ranks;
  std::vector<Span> spans;
  TimeNs longest_ns = 0;
  TimeNs own_ns = 0;   // summed over ranks and steps
  TimeNs idle_ns = 0;  // idle of those ranks beyond queue gaps
};

bool is_pause(const GapPart& part, bool named) {
  if (named) return part.owner == GapOwner::gc;
  return part.owner == GapOwner::host_other && part.culprit == trace::kNoSlice && part.at.length_ns() >= kHoleNs;
}

// A bulk download before the hole: the host writes a checkpoint, not more.
bool follows_download(const MeasuredRank& rank, const GapPart& part) {
  const trace::SliceId before = rank.timeline.gaps[part.gap].before;
  return before != trace::kNoSlice && trace::copy_of_name(rank.trace().name_of(before)) == trace::CopyKind::d2h &&
         rank.trace().dur_ns[before] >= kNsPerMs;
}

Pauses pauses_of(const Measured& measured, bool named) {
  Pauses out;
  for (size_t r = 0; r < measured.ranks.size(); ++r) {
    const MeasuredRank& rank = measured.ranks[r];
    std::vector<TimeNs> by_step(rank.steps.steady.size(), 0);
    TimeNs sum_ns = 0;
    for (const GapPart& part : rank.gap_parts) {
      // What no launch ended has no thread to ask: nothing is known of it.
      if (!is_pause(part, named) ||
          rank.timeline.launches.launch_of(rank.timeline.gaps[part.gap].after) == trace::kNoSlice)
        continue;
      if (!named && follows_download(rank, part)) continue;
      ++out.count;
      accumulate(by_step[part.step], part.at.length_ns());
      accumulate(sum_ns, part.at.length_ns());
      if (part.at.length_ns() <= out.longest_ns) continue;
      out.longest_ns = part.at.length_ns();
      Span span = span_of_interval(rank.trace(), rank.timeline.gaps[part.gap].after, part.at, rank.offset_ns);
      span.during = part.culprit != trace::kNoSlice ? std::string(rank.trace().name_of(part.culprit))
                                                    : std::string(kBetweenCalls);
      out.spans = {std::move(span)};
    }
    if (sum_ns == 0) continue;
    out.ranks.push_back(rank.trace().rank);
    accumulate(out.own_ns, sum_ns);
    accumulate(out.idle_ns, loss_by_idle_ns(measured.reading->ledgers[r]) * measured.reading->ledgers[r].steps);
    out.worst_ns.resize(std::max(out.worst_ns.size(), by_step.size()), 0);
    for (size_t step = 0; step < by_step.size(); ++step)
      out.worst_ns[step] = std::max(out.worst_ns[step], by_step[step]);
  }
  return out;
}

// Holes that come in every step, or in equal distances, are part of the program.
bool is_irregular(const Pauses& pauses) {
  const std::optional<Rhythm> rhythm = rhythm_of(pauses.worst_ns, {});
  return rhythm && *rhythm == Rhythm::irregular;
}

std::optional<Finding> detect_gc_pauses(const Measured& measured) {
  bool named = true;
  Pauses pauses = pauses_of(measured, named);
  if (pauses.count == 0) {
    named = false;
    pauses = pauses_of(measured, named);
    if (pauses.count < kMinHoles || !is_irregular(pauses)) return std::nullopt;
  }
  if (pauses.worst_ns.empty()) return std::nullopt;
  TimeNs cost_ns = 0;
  for (const TimeNs worst : pauses.worst_ns) accumulate(cost_ns, worst);
  cost_ns /= static_cast<TimeNs>(pauses.worst_ns.size());
  const TimeNs step_ns = measured.mean_step_ns();
  const double loss = fraction(cost_ns, step_ns);
  const double share = fraction(pauses.own_ns, pauses.idle_ns);
  if (loss < kLossFrac || share < kShareOfIdleFrac) return std::nullopt;

  Finding finding = finding_of("gc_pauses");
  const Ledger& ledger = measured.reading->ledgers[measured.first_rank()];
  finding.confidence = confidence_of({{loss, kLossFrac}, {share * 2, kShareOfIdleFrac}},
                                     evidence_quality(measured, ledger) * (named ? 1.0 : 0.6));
  finding.cost_ns_per_step = cost_ns;
  finding.evidence.push_back(
      {(named ? std::string("The collector runs while the device stands idle: ")
              : std::string("The launching thread shows no call at all while the device stands idle: ")) +
           count_text(pauses.count, "pause") + ", the longest " + duration_text(pauses.longest_ns) +
           ", spread over the steps " + share_text(measured, cost_ns, step_ns) + ".",
       std::move(pauses.spans)});
  if (!named)
    finding.evidence.push_back(
        {"Kineto does not record the collector. Irregular, silent holes are its sign, and also that of a thread that "
         "was taken off its core: the log of gc.callbacks decides.",
         {}});
  if (measured.ranks.size() > 1)
    finding.evidence.push_back({"On " + count_text(static_cast<int64_t>(pauses.ranks.size()), "rank") + " of " +
                                    std::to_string(measured.ranks.size()) +
                                    "; the others stand in their collectives meanwhile.",
                                {}});
  finding.ruled_out.push_back({"straggler", "the pauses come now and then, not in every step"});
  finding.ruled_out.push_back(
      {"recompilation", "compile frames own " + duration_text(gap_ns(ledger, GapOwner::compile)) + " a step"});
  finding.what_if = per_step(step_ns, cost_ns, "the longest pause of each step taken off it");
  return finding;
}

}  // namespace

Detector gc_pauses() { return {.cause = "gc_pauses", .detect = detect_gc_pauses}; }

}  // namespace td::analysis::detect
