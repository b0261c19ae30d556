#include <algorithm>

#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/host_jitter.h"
#include "analysis/spans.h"
#include "analysis/starved.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/math.h"

namespace td::analysis::detect {
namespace {

constexpr double kLossFrac = 0.05;
constexpr double kStarvedFrac = 0.10;  // of the step, without work because the host is late
constexpr int64_t kMinStretched = 5;   // ops; a single long one is an event of its own

std::optional<Finding> detect_cpu_contention(const Measured& measured) {
  const size_t index = pacing_rank(measured);
  // What happens once in a run is no rhythm of its host.
  if (index == Measured::kNone || measured.reading->steps.source == StepSource::whole_trace) return std::nullopt;
  const MeasuredRank& rank = measured.ranks[index];
  const Ledger& ledger = measured.reading->ledgers[index];
  // A preempted op of more than a millisecond stands as host_other in the ledger.
  const TimeNs starved_ns = starved_by_launches(rank).total_ns + gap_ns(ledger, GapOwner::host_other);
  if (fraction(starved_ns, ledger.step_ns) < kStarvedFrac) return std::nullopt;
  const HostJitter jitter = host_jitter(rank);
  const double excess = fraction(jitter.excess_ns, jitter.op_ns);
  if (jitter.stretched < kMinStretched || excess < kJitterFrac) return std::nullopt;
  const TimeNs gain_ns = round_to_int(static_cast<double>(starved_ns) * excess);
  const double loss = fraction(gain_ns, ledger.step_ns);
  if (loss < kLossFrac) return std::nullopt;

  Finding finding = finding_of("cpu_contention");
  finding.confidence = confidence_of({{loss, kLossFrac}, {excess, kJitterFrac}}, evidence_quality(measured, ledger));
  finding.cost_ns_per_step = gain_ns;
  finding.evidence.push_back({"The device waits for a late host " + share_text(measured, starved_ns, ledger.step_ns) +
                                  ", and the host is uneven: " + percent_text(excess) +
                                  " of its ops' time is beyond twice what the same op usually takes (" +
                                  std::to_string(jitter.stretched) + " of " + std::to_string(jitter.ops) +
                                  " ops take more than four times as long).",
                              {span_of_slice(rank.trace(), jitter.worst, rank.offset_ns)}});
  finding.ruled_out.push_back({"launch_bound", "a host that is merely slow takes the same time for the same op"});
  finding.ruled_out.push_back(
      {"input_starvation",
       "the loader owns " + share_text(measured, gap_ns(ledger, GapOwner::data_loading), ledger.step_ns)});
  finding.what_if =
      per_step(ledger.step_ns, gain_ns, "idle time under late launches less the ops' excess over their usual length");
  return finding;
}

}  // namespace

Detector cpu_contention() { return {.cause = "cpu_contention", .detect = detect_cpu_contention}; }

}  // namespace td::analysis::detect
