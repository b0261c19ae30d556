#include <algorithm>
#include <map>

#include "analysis/communication.h"
#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/overlap.h"
#include "analysis/spans.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/math.h"
#include "base/saturate.h"

namespace td::analysis::detect {
namespace {

using trace::SliceId;

constexpr double kExposedFrac = 0.05;
constexpr double kShareFrac = 0.6;           // of all exposed communication, in small calls
constexpr int64_t kSmallBytes = kMiB;        // signatures.md A17
constexpr TimeNs kSmallNs = 200 * kNsPerUs;  // where the bytes are not recorded
constexpr int64_t kManyCalls = 16;           // a step
// Bytes over the link's rate explain at most so much of the transfer.
constexpr double kWireFrac = 0.5;
// Where the link is not known: PCIe 4 x16, the slowest that ranks of a node usually have.
constexpr double kUnknownBytesPerS = 25e9;

struct Small {
  int64_t calls = 0;
  TimeNs transfer_ns = 0;  // from the last arrival, where the other ranks are here
  TimeNs exposed_ns = 0;
  TimeNs wire_ns = 0;
  int64_t bytes = 0;
  bool bytes_known = true;
  std::vector<TimeNs> lengths_ns;
};

double link_bytes_per_s(const Measured& measured) {
  if (const auto& fabric = measured.facts.fabric) {
    const hardware::Link* link = fabric->inter != nullptr ? fabric->inter : fabric->intra;
    if (link != nullptr && link->usable_bytes_per_s > 0) return link->usable_bytes_per_s;
  }
  const hardware::Gpu* gpu = measured.facts.gpu;
  return gpu != nullptr && gpu->scale_up_bytes_per_s > 0 ? gpu->scale_up_bytes_per_s : kUnknownBytesPerS;
}

Small small_calls(const Measured& measured, size_t index) {
  const MeasuredRank& rank = measured.ranks[index];
  const trace::RankTrace& trace = rank.trace();
  std::map<SliceId, TimeNs> transfer_ns;
  for (const Collective& collective : measured.collectives.all)
    for (const CollectiveCall& call : collective.calls)
      if (call.rank == index) transfer_ns[call.slice] = collective.transfer_ns;
  const double rate = link_bytes_per_s(measured);
  Small out;
  for (const SliceId slice : rank.steady_work()) {
    if (trace.kind[slice] != trace::SliceKind::comm) continue;
    const trace::CollectiveArgs* args = trace.collective_args(slice);
    const int64_t bytes = args != nullptr ? trace::size_bytes(*args) : -1;
    const auto matched = transfer_ns.find(slice);
    const TimeNs length_ns = matched != transfer_ns.end() ? matched->second : trace.dur_ns[slice];
    if (bytes > kSmallBytes || (bytes < 0 && length_ns > kSmallNs)) continue;
    ++out.calls;
    accumulate(out.transfer_ns, length_ns);
    out.lengths_ns.push_back(length_ns);
    const Interval at{trace.start_ns[slice], trace.end_ns(slice)};
    accumulate(out.exposed_ns, std::min(length_ns, length_within_ns(rank.timeline.exposed_comm, at)));
    out.bytes_known = out.bytes_known && bytes >= 0;
    accumulate(out.bytes, std::max<int64_t>(0, bytes));
    // At most twice the buffer crosses a link (all-reduce).
    accumulate(out.wire_ns, round_to_int(2.0 * static_cast<double>(std::max<int64_t>(0, bytes)) / rate * 1e9));
  }
  return out;
}

std::optional<Finding> detect_latency_bound(const Measured& measured) {
  const size_t first = measured.first_rank();
  if (first == Measured::kNone) return std::nullopt;
  const Ledger& ledger = measured.reading->ledgers[first];
  const Small small = small_calls(measured, first);
  if (small.calls < kManyCalls * ledger.steps) return std::nullopt;
  const TimeNs exposed_ns = small.exposed_ns / ledger.steps;
  const TimeNs all_ns = ledger.comm_transfer_ns.value_or(ledger.exposed_comm_ns);
  const double loss = fraction(exposed_ns, ledger.step_ns);
  const double share = fraction(exposed_ns, std::max(all_ns, exposed_ns));
  if (loss < kExposedFrac || share < kShareFrac) return std::nullopt;
  if (static_cast<double>(small.wire_ns) > kWireFrac * static_cast<double>(small.transfer_ns)) return std::nullopt;
  const TimeNs gain_ns = std::max<TimeNs>(0, exposed_ns - small.wire_ns / ledger.steps);

  Finding finding = finding_of("latency_bound_collectives");
  finding.confidence = confidence_of(
      {{loss, kExposedFrac}, {share * 2, kShareFrac}},
      evidence_quality(measured, ledger) * (small.bytes_known ? 1.0 : 0.7) * (ledger.comm_wait_ns ? 1.0 : 0.8));
  finding.cost_ns_per_step = gain_ns;
  finding.evidence.push_back({std::to_string(small.calls / ledger.steps) + " small collectives a step stand exposed " +
                                  share_text(measured, exposed_ns, ledger.step_ns) + ", the median one for " +
                                  duration_text(median_ns(small.lengths_ns)) + ".",
                              longest_slices(measured.ranks[first], trace::SliceKind::comm, 2)});
  if (small.bytes_known)
    finding.evidence.push_back({"Their bytes (" + bytes_text(small.bytes / small.calls) + " a call) need " +
                                    duration_text(small.wire_ns / ledger.steps) + " of the " +
                                    duration_text(small.transfer_ns / ledger.steps) +
                                    " a step on the wire: latency is the rest.",
                                {}});
  finding.ruled_out.push_back(
      {"bandwidth_bound_collective",
       "size over bandwidth explains " + percent_text(small.wire_ns, small.transfer_ns) + " of the transfer"});
  if (ledger.comm_wait_ns)
    finding.ruled_out.push_back(
        {"straggler", "waiting for the last rank is " + share_text(measured, *ledger.comm_wait_ns, ledger.step_ns)});
  finding.what_if = per_step(ledger.step_ns, gain_ns, "the same bytes in few calls: their time on the wire alone");
  return finding;
}

}  // namespace

Detector latency_bound_collectives() { return {.cause = "latency_bound_collectives", .detect = detect_latency_bound}; }

}  // namespace td::analysis::detect
