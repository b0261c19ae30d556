#include <algorithm>
#include <vector>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/spans.h"
#include "analysis/starved.h"
#include "analysis/text.h"
#include "analysis/what_if.h"

namespace td::analysis::detect {
namespace {

constexpr double kShareFrac = 0.5;  // of the time without compute that somebody owns, on the rank that loses most
constexpr size_t kShown = 3;

// A rank's stretches without compute, and what the allocator holds of them in each steady step.
struct OfRank {
  explicit OfRank(const MeasuredRank& rank)
      : gaps(gaps_held_by(rank, GapOwner::allocator)), by_step_ns(rank.steps.steady.size(), 0) {
    for (const HeldGap& gap : gaps) {
      by_step_ns[gap.step] += gap.held_ns;
      held_ns += gap.held_ns;
      other_ns += gap.other_ns;
    }
  }
  std::vector<HeldGap> gaps;
  std::vector<TimeNs> by_step_ns;
  TimeNs held_ns = 0;
  TimeNs other_ns = 0;
};

// What it costs the job: all ranks wait for the one that stalls longest, step by step.
struct Stalls {
  explicit Stalls(const Measured& measured) {
    for (const MeasuredRank& rank : measured.ranks) ranks.emplace_back(rank);
    std::vector<TimeNs> worst_ns;
    for (size_t r = 0; r < ranks.size(); ++r) {
      const OfRank& rank = ranks[r];
      worst_ns.resize(std::max(worst_ns.size(), rank.by_step_ns.size()), 0);
      for (size_t s = 0; s < rank.by_step_ns.size(); ++s) worst_ns[s] = std::max(worst_ns[s], rank.by_step_ns[s]);
      if (rank.held_ns > (most == Measured::kNone ? 0 : ranks[most].held_ns)) most = r;
    }
    steps = static_cast<int64_t>(worst_ns.size());
    const TimeNs longest_ns = worst_ns.empty() ? 0 : std::ranges::max(worst_ns);
    for (const TimeNs worst : worst_ns) {
      cost_ns += worst;
      hit += worst > 0 && worst * 5 >= longest_ns ? 1 : 0;
    }
    if (steps > 0) cost_ns /= steps;
    if (most == Measured::kNone) return;
    for (const OfRank& rank : ranks) ranks_hit += rank.held_ns * 2 > ranks[most].held_ns ? 1 : 0;
  }
  std::vector<OfRank> ranks;
  size_t most = Measured::kNone;  // the rank that loses most
  int64_t steps = 0;
  int64_t hit = 0;  // steps with a fifth of the longest stall or more
  int64_t ranks_hit = 0;
  TimeNs cost_ns = 0;  // mean over the steps
};

std::vector<Span> longest_stalls(const MeasuredRank& rank, std::vector<HeldGap> gaps) {
  std::erase_if(gaps, [](const HeldGap& gap) { return gap.held_ns == 0; });
  std::ranges::stable_sort(gaps, std::ranges::greater{}, &HeldGap::held_ns);
  if (gaps.size() > kShown) gaps.resize(kShown);
  std::vector<Span> spans;
  for (const HeldGap& gap : gaps) {
    spans.push_back(span_of_interval(rank.trace(), gap.after, gap.at, rank.offset_ns));
    if (gap.culprit != trace::kNoSlice) spans.back().during = std::string(rank.trace().name_of(gap.culprit));
  }
  return spans;
}

std::optional<Finding> detect_allocator(const Measured& measured) {
  const Stalls stalls(measured);
  if (stalls.most == Measured::kNone || stalls.steps < 2) return std::nullopt;
  const OfRank& most = stalls.ranks[stalls.most];
  const Ledger& ledger = measured.reading->ledgers[stalls.most];
  const TimeNs step_ns = measured.mean_step_ns();
  const double loss = fraction(stalls.cost_ns, step_ns);
  const double share = fraction(most.held_ns, most.held_ns + most.other_ns);
  if (loss < kOwnerFrac || share < kShareFrac) return std::nullopt;

  Finding finding = finding_of("allocator_stalls");
  finding.confidence = confidence_of({{loss, kOwnerFrac}, {share * 2, kShareFrac}}, evidence_quality(measured, ledger));
  finding.cost_ns_per_step = stalls.cost_ns;
  finding.evidence.push_back(
      {"The launching thread frees and maps device memory while nothing computes: " + std::to_string(stalls.hit) +
           " of " + count_text(stalls.steps, "step") + " are hit. Spread over all steps that is " +
           share_text(measured, stalls.cost_ns, step_ns) + ".",
       longest_stalls(measured.ranks[stalls.most], most.gaps)});
  if (measured.ranks.size() > 1)
    finding.evidence.push_back({std::to_string(stalls.ranks_hit) + " of " +
                                    count_text(static_cast<int64_t>(measured.ranks.size()), "rank") +
                                    " do so for as long; a rank that does not waits in its collectives.",
                                {}});
  finding.ruled_out.push_back({"sync_stalls", "blocking calls that are no allocation own " +
                                                  duration_text(gap_ns(ledger, GapOwner::sync)) +
                                                  " of the idle time a step"});
  finding.ruled_out.push_back(
      {"recompilation", "compile frames own " + duration_text(gap_ns(ledger, GapOwner::compile)) + " a step"});
  finding.what_if = per_step(step_ns, stalls.cost_ns,
                             "time without compute under cudaFree and cudaMalloc taken off the steps that have it");
  return finding;
}

}  // namespace

Detector allocator_stalls() { return {.cause = "allocator_stalls", .detect = detect_allocator}; }

}  // namespace td::analysis::detect
