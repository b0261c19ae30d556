#include <algorithm>
#include <vector>

#include "analysis/communication.h"
#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/ready.h"
#include "analysis/spans.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/saturate.h"

namespace td::analysis::detect {
namespace {

using trace::CollectiveKind;
using trace::SliceId;

constexpr double kExposedFrac = 0.05;
constexpr double kShareFrac = 0.5;   // of the exposed communication, in all-gathers
constexpr double kHiddenFrac = 0.5;  // of the all-gathers' time: more, and they are prefetched
constexpr int64_t kMinCalls = 4;     // a step: one a layer
constexpr double kHideable = 0.9;

CollectiveKind kind_of(const trace::RankTrace& rank, SliceId slice) {
  const trace::CollectiveArgs* args = rank.collective_args(slice);
  if (args != nullptr && args->kind != CollectiveKind::unknown) return args->kind;
  return trace::collective_of_kernel(rank.name_of(slice));
}

struct Gathers {
  int64_t calls = 0;
  TimeNs all_ns = 0;
  TimeNs exposed_ns = 0;
  SliceId longest = trace::kNoSlice;
};

Gathers gathers_of(const MeasuredRank& rank) {
  Gathers out;
  const trace::RankTrace& trace = rank.trace();
  std::vector<Interval> spans;
  for (const SliceId slice : rank.steady_work()) {
    if (trace.kind[slice] != trace::SliceKind::comm || kind_of(trace, slice) != CollectiveKind::all_gather) continue;
    ++out.calls;
    spans.push_back({trace.start_ns[slice], trace.end_ns(slice)});
    if (out.longest == trace::kNoSlice || trace.dur_ns[slice] > trace.dur_ns[out.longest]) out.longest = slice;
  }
  const IntervalSet all = unite(std::move(spans));
  out.all_ns = total_ns(all);
  out.exposed_ns = total_ns(subtract(all, rank.timeline.compute));
  return out;
}

std::optional<Finding> detect_exposed_all_gather(const Measured& measured) {
  const size_t first = measured.first_rank();
  if (first == Measured::kNone) return std::nullopt;
  const MeasuredRank& rank = measured.ranks[first];
  const Ledger& ledger = measured.reading->ledgers[first];
  const Gathers gathers = gathers_of(rank);
  if (gathers.calls < kMinCalls * ledger.steps) return std::nullopt;
  const CommunicationCost cost = communication_cost(measured);
  if (cost.wait_ns && cost.transfer_ns && *cost.wait_ns > *cost.transfer_ns) return std::nullopt;
  const TimeNs exposed_ns = gathers.exposed_ns / ledger.steps;
  const double loss = fraction(exposed_ns, ledger.step_ns);
  if (loss < kExposedFrac || fraction(exposed_ns, ledger.exposed_comm_ns) < kShareFrac) return std::nullopt;
  // Prefetched, and still longer than the compute that they hide behind: that is the wire.
  const TimeNs hidden_ns = (gathers.all_ns - gathers.exposed_ns) / ledger.steps;
  if (fraction(hidden_ns, gathers.all_ns / ledger.steps) > kHiddenFrac) return std::nullopt;
  const TimeNs gain_ns = hide_gain_ns(exposed_ns, std::max<TimeNs>(0, ledger.compute_ns - hidden_ns), kHideable);
  if (fraction(gain_ns, ledger.step_ns) < kExposedFrac) return std::nullopt;

  Finding finding = finding_of("exposed_all_gather");
  finding.confidence =
      confidence_of({{loss, kExposedFrac}}, evidence_quality(measured, ledger) * (cost.wait_ns ? 1.0 : 0.8));
  finding.cost_ns_per_step = gain_ns;
  finding.evidence.push_back(
      {std::to_string(gathers.calls / ledger.steps) + " all-gathers a step stand exposed " +
           share_text(measured, exposed_ns, ledger.step_ns) + "; " +
           percent_text(hidden_ns, gathers.all_ns / ledger.steps) +
           " of them is hidden: the compute of a layer begins when its gather ends, and the next "
           "gather when that compute is over.",
       {span_of_slice(rank.trace(), gathers.longest, rank.offset_ns)}});
  finding.ruled_out.push_back({"bandwidth_bound_collective", "there is " + duration_text(ledger.compute_ns) +
                                                                 " of compute to hide " +
                                                                 duration_text(gathers.all_ns / ledger.steps) +
                                                                 " of gathers behind, and little of it is used"});
  if (cost.wait_ns)
    finding.ruled_out.push_back(
        {"straggler", "waiting for the last rank is " + share_text(measured, *cost.wait_ns, cost.step_ns)});
  finding.what_if =
      per_step(ledger.step_ns, gain_ns,
               "90 % of the gathers hidden behind the compute of the layer before, as far as that reaches");
  return finding;
}

}  // namespace

Detector exposed_all_gather() { return {.cause = "exposed_all_gather", .detect = detect_exposed_all_gather}; }

}  // namespace td::analysis::detect
