#include <algorithm>
#include <vector>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/measured.h"
#include "analysis/text.h"
#include "analysis/trust.h"
#include "analysis/what_if.h"

namespace td::analysis::detect {
namespace {

constexpr double kLossFrac = 0.05;        // of the step
constexpr double kShareOfIdleFrac = 0.4;  // of the idle that is not queue gaps
// Beside another cause of idle time, a loss of this size is one of its own.
constexpr double kLargeLossFrac = 0.10;
constexpr double kSideShareFrac = 0.2;

// Gaps that a blocking call has opened: all of each but what the loader, the allocator, a compiler or the collector
// owns. After the call the host works on for as long as it likes; with no call it would have done so under queued work.
struct Opened {
  TimeNs total_ns = 0;  // mean per step
  int64_t count = 0;    // over the ledger's steps
};

Opened opened_by_syncs(const MeasuredRank& rank, int64_t steps) {
  Opened out;
  const std::vector<GapPart>& parts = rank.gap_parts;
  for (size_t i = 0; i < parts.size();) {
    TimeNs ordinary_ns = 0;
    bool synced = false;
    const size_t gap = parts[i].gap;
    for (; i < parts.size() && parts[i].gap == gap; ++i) {
      const GapOwner owner = parts[i].owner;
      synced = synced || owner == GapOwner::sync;
      if (owner == GapOwner::sync || owner == GapOwner::host_dispatch || owner == GapOwner::host_other ||
          owner == GapOwner::launch_latency) {
        ordinary_ns += parts[i].at.length_ns();
      }
    }
    if (!synced) continue;
    out.total_ns += ordinary_ns;
    ++out.count;
  }
  out.total_ns /= steps;
  return out;
}

// How long the host stands in blocking calls, mean per step: so much it could be ahead without them, and no more.
TimeNs blocked_ns(const MeasuredRank& rank, int64_t steps) {
  std::vector<Interval> blocked;
  for (trace::TrackId track = 0; track < rank.trace().tracks.size(); ++track) {
    for (const HostSegment& segment : rank.host.of(track)) {
      if (segment.what == HostClass::sync) blocked.push_back({segment.begin_ns, segment.end_ns});
    }
  }
  const IntervalSet all = unite(std::move(blocked));
  TimeNs sum_ns = 0;
  for (const size_t step : rank.steps.steady) sum_ns += length_within_ns(all, rank.steps.items[step].window);
  return sum_ns / steps;
}

std::optional<Finding> detect_sync_stalls(const Measured& measured) {
  const size_t index = pacing_rank(measured);
  if (index == Measured::kNone) return std::nullopt;
  const Ledger& ledger = measured.reading->ledgers[index];
  const GapGroup* sync = gaps_of(ledger, GapOwner::sync);
  // Without steps a few syncs are the beginning and the end of a run.
  if (sync == nullptr || !sync->rhythm || *sync->rhythm != Rhythm::each_step) return std::nullopt;
  const Opened opened = opened_by_syncs(measured.ranks[index], ledger.steps);
  const TimeNs gain_ns = std::min(opened.total_ns, blocked_ns(measured.ranks[index], ledger.steps));
  const double loss = fraction(gain_ns, ledger.step_ns);
  const double share = fraction(opened.total_ns, loss_by_idle_ns(ledger));
  const double needed = loss >= kLargeLossFrac ? kSideShareFrac : kShareOfIdleFrac;
  if (loss < kLossFrac || share < needed) return std::nullopt;
  // Idle time in which the profiler itself works is not the program's.
  if (profiler_overhead_ns(measured.ranks[index]) / ledger.steps * 2 > opened.total_ns) return std::nullopt;

  Finding finding = finding_of("sync_stalls");
  finding.confidence = confidence_of({{loss, kLossFrac}, {share * 2, needed}}, evidence_quality(measured, ledger));
  finding.cost_ns_per_step = gain_ns;
  finding.evidence.push_back({"The device runs dry after blocking calls " +
                                  share_text(measured, opened.total_ns, ledger.step_ns) + ", " +
                                  count_text(opened.count / ledger.steps, "time") +
                                  " a step: each drains the queue, and the host needs time to refill it.",
                              longest_gaps(measured.ranks[index], GapOwner::sync, 3)});
  finding.ruled_out.push_back(
      {"launch_bound",
       "gaps of dispatch and launch latency elsewhere take " +
           share_text(measured, gap_ns(ledger, GapOwner::host_dispatch) + gap_ns(ledger, GapOwner::launch_latency),
                      ledger.step_ns)});
  finding.ruled_out.push_back(
      {"allocator_stalls", "allocation calls own " + duration_text(gap_ns(ledger, GapOwner::allocator)) + " a step"});
  finding.what_if = per_step(ledger.step_ns, gain_ns,
                             "gaps that blocking calls opened taken off the step, at most as long as the host was "
                             "blocked: it runs ahead instead");
  return finding;
}

}  // namespace

Detector sync_stalls() { return {.cause = "sync_stalls", .detect = detect_sync_stalls}; }

}  // namespace td::analysis::detect
