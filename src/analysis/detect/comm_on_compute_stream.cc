#include <algorithm>
#include <map>

#include "analysis/communication.h"
#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/saturate.h"

namespace td::analysis::detect {
namespace {

using trace::SliceId;

constexpr double kExposedFrac = 0.05;
constexpr double kOnStreamFrac = 0.5;  // of the communication
// What is on the compute stream can hide behind what is there beside it; backward hides this much of it in practice.
constexpr double kHideable = 0.85;

// The stream with the most compute.
trace::TrackId compute_stream(const MeasuredRank& rank) {
  std::map<trace::TrackId, TimeNs> by_track;
  for (const SliceId slice : rank.steady_work())
    if (rank.trace().kind[slice] == trace::SliceKind::compute)
      accumulate(by_track[rank.trace().track[slice]], rank.trace().dur_ns[slice]);
  const auto most = std::ranges::max_element(by_track, {}, [](const auto& entry) { return entry.second; });
  return most != by_track.end() ? most->first : UINT32_MAX;
}

// Gradients: reductions that backward or what comes after it launches. Activations that the next kernel needs
// (tensor parallelism) must stand on its stream.
bool reduces_gradient(const MeasuredRank& rank, SliceId slice) {
  const trace::CollectiveArgs* args = rank.trace().collective_args(slice);
  trace::CollectiveKind kind = trace::collective_of_kernel(rank.trace().name_of(slice));
  if (args != nullptr && args->kind != trace::CollectiveKind::unknown) kind = args->kind;
  if (kind != trace::CollectiveKind::all_reduce && kind != trace::CollectiveKind::reduce_scatter) return false;
  const SliceId launch = rank.timeline.launches.launch_of(slice);
  return launch != trace::kNoSlice && rank.tree.tells_phases() && rank.tree.phase_of(launch) == Phase::backward;
}

std::optional<Finding> detect_comm_on_compute_stream(const Measured& measured) {
  const size_t first = measured.first_rank();
  if (first == Measured::kNone) return std::nullopt;
  const MeasuredRank& rank = measured.ranks[first];
  const Ledger& ledger = measured.reading->ledgers[first];
  const trace::TrackId stream = compute_stream(rank);
  TimeNs all_ns = 0;
  TimeNs on_stream_ns = 0;
  SliceId longest = trace::kNoSlice;
  for (const SliceId slice : rank.steady_work()) {
    if (rank.trace().kind[slice] != trace::SliceKind::comm) continue;
    accumulate(all_ns, rank.trace().dur_ns[slice]);
    if (rank.trace().track[slice] != stream || !reduces_gradient(rank, slice)) continue;
    accumulate(on_stream_ns, rank.trace().dur_ns[slice]);
    if (longest == trace::kNoSlice || rank.trace().dur_ns[slice] > rank.trace().dur_ns[longest]) longest = slice;
  }
  if (longest == trace::kNoSlice || fraction(on_stream_ns, all_ns) < kOnStreamFrac) return std::nullopt;
  const CommunicationCost cost = communication_cost(measured);
  if (cost.wait_ns && *cost.wait_ns * 2 > cost.exposed_ns) return std::nullopt;  // late ranks are the matter
  const TimeNs exposed_ns = std::min(on_stream_ns / ledger.steps, cost.transfer_ns.value_or(ledger.exposed_comm_ns));
  const double loss = fraction(exposed_ns, ledger.step_ns);
  if (loss < kExposedFrac) return std::nullopt;
  const TimeNs gain_ns = hide_gain_ns(exposed_ns, ledger.compute_ns / 2, kHideable);

  Finding finding = finding_of("comm_on_compute_stream");
  finding.confidence =
      confidence_of({{loss, kExposedFrac}}, evidence_quality(measured, ledger) * (cost.wait_ns ? 1.0 : 0.8));
  finding.cost_ns_per_step = gain_ns;
  finding.evidence.push_back(
      {"Gradients are reduced on the stream that computes: " + share_text(measured, exposed_ns, ledger.step_ns) +
           " in which no kernel behind them on that stream can run.",
       longest_slices(rank, trace::SliceKind::comm, 2)});
  finding.ruled_out.push_back({"bandwidth_bound_collective", "a stream in order hides nothing, however fast the wire"});
  finding.what_if =
      per_step(ledger.step_ns, gain_ns, "85 % of it hidden on a stream of its own, behind half of the compute at most");
  return finding;
}

}  // namespace

Detector comm_on_compute_stream() {
  return {.cause = "comm_on_compute_stream", .detect = detect_comm_on_compute_stream};
}

}  // namespace td::analysis::detect
