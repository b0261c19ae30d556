#include <algorithm>
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

constexpr double kLossFrac = 0.05;
// Overlapped over alone. SMs that NCCL holds cost up to a tenth; more is memory bandwidth (nccl issue 1428: 1.8x).
constexpr double kStretch = 1.2;
// A kernel counts as overlapped or alone from these shares of its length on.
constexpr double kOverlappedFrac = 0.8;
constexpr double kAloneFrac = 0.05;
constexpr size_t kMinAlone = 3;
// Of the compute beside communication, so much must have a twin that ran alone.
constexpr double kComparedFrac = 0.5;

struct Stretched {
  TimeNs overlapped_ns = 0;  // of kernels that have twins alone
  TimeNs alone_ns = 0;       // what the twins took for the same
  TimeNs beside_ns = 0;      // all kernels beside communication
  trace::SliceId worst = trace::kNoSlice;
  trace::SliceId twin = trace::kNoSlice;
  TimeNs worst_ns = 0;
};

Stretched stretched_kernels(const MeasuredRank& rank) {
  Stretched out;
  for (const auto& [key, samples] : kernel_groups(rank)) {
    std::vector<TimeNs> alone;
    trace::SliceId twin = trace::kNoSlice;
    for (const KernelSample& sample : samples)
      if (sample.under_comm_frac <= kAloneFrac) {
        alone.push_back(sample.dur_ns);
        twin = sample.slice;
      }
    const TimeNs usual_ns = alone.size() >= kMinAlone ? median_ns(alone) : 0;
    for (const KernelSample& sample : samples) {
      if (sample.under_comm_frac < kOverlappedFrac) continue;
      accumulate(out.beside_ns, sample.dur_ns);
      if (usual_ns <= 0) continue;
      accumulate(out.overlapped_ns, sample.dur_ns);
      accumulate(out.alone_ns, usual_ns);
      if (sample.dur_ns - usual_ns <= out.worst_ns) continue;
      out.worst_ns = sample.dur_ns - usual_ns;
      out.worst = sample.slice;
      out.twin = twin;
    }
  }
  return out;
}

std::optional<Finding> detect_comm_contention(const Measured& measured) {
  const size_t first = measured.first_rank();
  if (first == Measured::kNone) return std::nullopt;
  const MeasuredRank& rank = measured.ranks[first];
  const Ledger& ledger = measured.reading->ledgers[first];
  const Stretched seen = stretched_kernels(rank);
  if (seen.worst == trace::kNoSlice || fraction(seen.overlapped_ns, seen.beside_ns) < kComparedFrac)
    return std::nullopt;
  const double stretch = fraction(seen.overlapped_ns, seen.alone_ns);
  const TimeNs excess_ns = (seen.overlapped_ns - seen.alone_ns) / ledger.steps;
  const double loss = fraction(excess_ns, ledger.step_ns);
  if (stretch < kStretch || loss < kLossFrac) return std::nullopt;

  Finding finding = finding_of("comm_contention");
  finding.confidence =
      confidence_of({{loss, kLossFrac}, {(stretch - 1) * 1.5, kStretch - 1}}, evidence_quality(measured, ledger));
  finding.cost_ns_per_step = excess_ns;
  finding.evidence.push_back({"Kernels beside communication take " + decimal_text(stretch, 2) +
                                  "x what the same kernels on the same grids take alone; the excess is " +
                                  share_text(measured, excess_ns, ledger.step_ns) + ".",
                              {span_of_slice(rank.trace(), seen.worst, rank.offset_ns),
                               span_of_slice(rank.trace(), seen.twin, rank.offset_ns)}});
  finding.ruled_out.push_back(
      {"unoverlapped_allreduce",
       percent_text(measured.reading->overlap.overlap_frac.value_or(0)) + " of the communication is hidden already"});
  finding.ruled_out.push_back({"uniform_throttle", "kernels that run alone keep their length"});
  finding.what_if = per_step(ledger.step_ns, excess_ns,
                             "overlapped kernels at the length of their twins alone: an upper bound, for slower "
                             "communication may come back exposed");
  return finding;
}

}  // namespace

Detector comm_contention() { return {.cause = "comm_contention", .detect = detect_comm_contention}; }

}  // namespace td::analysis::detect
