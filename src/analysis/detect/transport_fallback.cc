#include <algorithm>
#include <optional>

#include "analysis/communication.h"
#include "analysis/confidence.h"
#include "analysis/detect/detector.h"
#include "analysis/evidence.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/math.h"

namespace td::analysis::detect {
namespace {

constexpr double kExposedFrac = 0.05;
// Measured over expected. A shared or badly routed link costs a factor of two; another transport costs more.
constexpr double kSlowerBy = 3.0;
constexpr double kCoveredFrac = 0.8;
// Below this much a call, latency decides, not the wire.
constexpr int64_t kLargeBytes = 4 * kMiB;
// Where the fabric is not stated but all ranks share a node of GPUs that NVLink or xGMI connects: what a large
// collective reaches of that link at least.
constexpr double kScaleUpFrac = 0.5;

struct Slow {
  double factor = 0;  // measured / expected
  double busbw_bytes_per_s = 0;
  TimeNs measured_ns = 0;  // mean per step
  TimeNs expected_ns = 0;
  std::string expected;
  bool stated = true;
};

bool on_one_host(const Measured& measured) {
  const std::string& host = measured.ranks.front().trace().host_name;
  if (host.empty()) return false;
  return static_cast<int32_t>(measured.ranks.size()) == world_size_of(*measured.trace) &&
         std::ranges::all_of(measured.ranks, [&](const MeasuredRank& rank) { return rank.trace().host_name == host; });
}

std::optional<Slow> against_fabric(const Measured& measured, int64_t steps) {
  const std::optional<FabricCheck> check = check_fabric(measured);
  if (!check || check->covered_frac < kCoveredFrac || check->calls == 0) return std::nullopt;
  if (check->size_bytes / check->calls < kLargeBytes) return std::nullopt;
  Slow slow;
  slow.factor = static_cast<double>(check->measured_ns) / static_cast<double>(check->expected_ns);
  slow.busbw_bytes_per_s = check->moved_bytes * 1e9 / static_cast<double>(std::max<TimeNs>(1, check->measured_ns));
  slow.measured_ns = check->measured_ns / steps;
  slow.expected_ns = check->expected_ns / steps;
  slow.expected = hardware::describe(measured.facts.fabric.value_or(hardware::Fabric{}));
  return slow;
}

std::optional<Slow> against_scale_up(const Measured& measured) {
  const hardware::Gpu* gpu = measured.facts.gpu;
  if (gpu == nullptr || gpu->scale_up_bytes_per_s <= 0 || !on_one_host(measured)) return std::nullopt;
  Slow slow;
  slow.stated = false;
  const double expected = kScaleUpFrac * gpu->scale_up_bytes_per_s;
  for (const OverlapKind& row : measured.reading->overlap.by_kind) {
    if (!row.busbw_bytes_per_s || row.bytes_per_call.value_or(0) < kLargeBytes) continue;
    if (row.comm_ns <= slow.measured_ns) continue;
    slow.busbw_bytes_per_s = *row.busbw_bytes_per_s;
    slow.factor = expected / std::max(1.0, *row.busbw_bytes_per_s);
    slow.measured_ns = row.comm_ns;
    slow.expected_ns = round_to_int(static_cast<double>(row.comm_ns) / std::max(1.0, slow.factor));
  }
  slow.expected = "the GPUs' own links, " + rate_text(gpu->scale_up_bytes_per_s) + " each way";
  return slow.measured_ns > 0 ? std::optional(slow) : std::nullopt;
}

std::optional<Finding> detect_transport_fallback(const Measured& measured) {
  const size_t first = measured.first_rank();
  if (first == Measured::kNone || measured.ranks.empty()) return std::nullopt;
  const Ledger& ledger = measured.reading->ledgers[first];
  const CommunicationCost cost = communication_cost(measured);
  const TimeNs exposed_ns = cost.transfer_ns.value_or(cost.exposed_ns);
  if (fraction(exposed_ns, cost.step_ns) < kExposedFrac) return std::nullopt;
  if (cost.wait_ns && *cost.wait_ns > exposed_ns) return std::nullopt;
  std::optional<Slow> slow = against_fabric(measured, ledger.steps);
  // Without the other ranks a kernel's length may be waiting.
  if (slow && !cost.wait_ns) slow.reset();
  if (!slow && !measured.facts.fabric) slow = against_scale_up(measured);
  if (!slow || slow->factor < kSlowerBy) return std::nullopt;

  Finding finding = finding_of("transport_fallback");
  finding.confidence = confidence_of({{fraction(exposed_ns, cost.step_ns), kExposedFrac}, {slow->factor, kSlowerBy}},
                                     evidence_quality(measured, ledger) * (slow->stated ? 1.0 : 0.8));
  const TimeNs gain_ns = std::min(exposed_ns, slow->measured_ns - slow->expected_ns);
  finding.cost_ns_per_step = gain_ns;
  finding.evidence.push_back({"Large collectives reach a bus bandwidth of " + rate_text(slow->busbw_bytes_per_s) +
                                  " on every rank alike; " + slow->expected + " should carry them " +
                                  decimal_text(slow->factor) + "x as fast.",
                              longest_slices(measured.ranks[first], trace::SliceKind::comm, 2)});
  finding.evidence.push_back({"Exposed transfer is " + share_text(measured, exposed_ns, cost.step_ns) + ".", {}});
  finding.ruled_out.push_back(
      {"bandwidth_bound_collective",
       "a path at its limit takes what its bytes need; this one takes " + decimal_text(slow->factor) + "x of it"});
  finding.ruled_out.push_back(
      {"straggler", cost.wait_ns ? "waiting for the last rank is " + share_text(measured, *cost.wait_ns, cost.step_ns)
                                 : std::string("bus bandwidth is that of the rank that waits least")});
  finding.what_if =
      per_step(cost.step_ns, gain_ns, "the collectives at the rate of the fabric, as far as they stand exposed");
  return finding;
}

}  // namespace

Detector transport_fallback() { return {.cause = "transport_fallback", .detect = detect_transport_fallback}; }

}  // namespace td::analysis::detect
