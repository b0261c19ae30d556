#include "analysis/communication.h"

#include <algorithm>
#include <map>

#include "analysis/overlap.h"
#include "analysis/text.h"
#include "analysis/what_if.h"
#include "base/saturate.h"

namespace td::analysis {
namespace {

using trace::SliceId;
using trace::SliceKind;

constexpr double kHiddenEnoughFrac = 0.04;

const hardware::Gpu* known_gpu(const Measured& measured) { return measured.facts.gpu; }

// The collective of each kernel of a rank, complete ones only.
std::map<SliceId, const Collective*> collectives_on(const Measured& measured, size_t index) {
  std::map<SliceId, const Collective*> out;
  for (const Collective& collective : measured.collectives.all)
    for (const CollectiveCall& call : collective.calls)
      if (call.rank == index && collective.complete) out[call.slice] = &collective;
  return out;
}

trace::CollectiveKind kind_of(const trace::RankTrace& rank, SliceId slice) {
  const trace::CollectiveArgs* args = rank.collective_args(slice);
  if (args != nullptr && args->kind != trace::CollectiveKind::unknown) return args->kind;
  return trace::collective_of_kernel(rank.name_of(slice));
}

// Compute of a step after its last collective: the optimizer, as a rule.
TimeNs compute_after_comm_ns(const MeasuredRank& rank) {
  TimeNs sum_ns = 0;
  for (const size_t i : rank.steps.steady) {
    const Interval window = rank.steps.items[i].window;
    const std::span<const Interval> comm = touching(rank.timeline.comm, window);
    if (comm.empty()) continue;
    const TimeNs from_ns = std::min(comm.back().end_ns, window.end_ns);
    sum_ns += length_within_ns(rank.timeline.compute, {from_ns, window.end_ns});
  }
  return rank.steps.steady.empty() ? 0 : sum_ns / static_cast<TimeNs>(rank.steps.steady.size());
}

// What a pipeline's messages have of a rank's communication and of no collective beside them, means per step.
struct MessageShare {
  TimeNs comm_ns = 0;
  TimeNs exposed_ns = 0;
  TimeNs wait_ns = 0;
};

MessageShare message_share(const Measured& measured, size_t index) {
  MessageShare share;
  const MeasuredRank& rank = measured.ranks[index];
  const RankMessages& messages = measured.messages[index];
  if (messages.kernels.empty()) return share;
  const IntervalSet alone = subtract(messages.kernels, messages.collectives);
  const IntervalSet exposed = intersect(alone, rank.timeline.exposed_comm);
  const IntervalSet waits = intersect(exposed, messages.waits);
  for (const size_t i : rank.steps.steady) {
    const Interval window = rank.steps.items[i].window;
    share.comm_ns += length_within_ns(alone, window);
    share.exposed_ns += length_within_ns(exposed, window);
    share.wait_ns += length_within_ns(waits, window);
  }
  const auto steps = static_cast<TimeNs>(rank.steps.steady.size());
  share.comm_ns /= steps;
  share.exposed_ns /= steps;
  share.wait_ns /= steps;
  return share;
}

}  // namespace

CommunicationCost communication_cost(const Measured& measured) {
  CommunicationCost cost;
  TimeNs wait_ns = 0;
  TimeNs transfer_ns = 0;
  int64_t count = 0;
  int64_t split = 0;
  for (size_t r = 0; r < measured.ranks.size(); ++r) {
    const Ledger& ledger = measured.reading->ledgers[r];
    if (ledger.steps == 0) continue;
    ++count;
    accumulate(cost.step_ns, ledger.step_ns);
    accumulate(cost.compute_ns, ledger.compute_ns);
    const MessageShare messages = message_share(measured, r);
    accumulate(cost.exposed_ns, ledger.exposed_comm_ns - messages.exposed_ns);
    TimeNs comm_ns = 0;
    for (const size_t i : measured.ranks[r].steps.steady)
      comm_ns += length_within_ns(measured.ranks[r].timeline.comm, measured.ranks[r].steps.items[i].window);
    accumulate(cost.comm_ns, comm_ns / ledger.steps - messages.comm_ns);
    if (!ledger.comm_wait_ns || !ledger.comm_transfer_ns) continue;
    ++split;
    accumulate(wait_ns, std::max<TimeNs>(0, *ledger.comm_wait_ns - messages.wait_ns));
    accumulate(transfer_ns, std::max<TimeNs>(0, *ledger.comm_transfer_ns - (messages.exposed_ns - messages.wait_ns)));
  }
  if (count == 0) return cost;
  cost.step_ns /= count;
  cost.compute_ns /= count;
  cost.exposed_ns /= count;
  cost.comm_ns /= count;
  cost.hidden_ns = std::max<TimeNs>(0, cost.comm_ns - cost.exposed_ns);
  if (split > 0) {
    cost.wait_ns = wait_ns / split;
    cost.transfer_ns = transfer_ns / split;
  }
  return cost;
}

std::optional<FabricCheck> check_fabric(const Measured& measured) {
  const size_t index = measured.first_rank();
  const hardware::Gpu* gpu = known_gpu(measured);
  if (index == Measured::kNone || !measured.facts.fabric || gpu == nullptr) return std::nullopt;
  const hardware::Fabric& fabric = *measured.facts.fabric;
  const MeasuredRank& rank = measured.ranks[index];
  const std::map<SliceId, const Collective*> matched = collectives_on(measured, index);
  FabricCheck check;
  TimeNs all_ns = 0;
  TimeNs covered_ns = 0;
  int64_t float32_bytes = 0;
  for (const SliceId slice : rank.steady_work()) {
    if (rank.trace().kind[slice] != SliceKind::comm) continue;
    accumulate(all_ns, rank.trace().dur_ns[slice]);
    const trace::CollectiveArgs* args = rank.trace().collective_args(slice);
    const auto kind = hardware_kind(kind_of(rank.trace(), slice));
    const int64_t bytes = args != nullptr ? trace::size_bytes(*args) : -1;
    if (!kind || bytes <= 0) continue;
    // A group that does not span the fabric runs over a part of it that the facts do not name.
    const auto it = matched.find(slice);
    const int32_t group_size = it != matched.end() ? static_cast<int32_t>(it->second->calls.size()) : args->group_size;
    if (group_size > 0 && group_size != fabric.world_size()) continue;
    accumulate(covered_ns, rank.trace().dur_ns[slice]);
    ++check.calls;
    accumulate(check.size_bytes, bytes);
    check.moved_bytes += hardware::busbw_factor(*kind, fabric.world_size()) * static_cast<double>(bytes);
    accumulate(check.measured_ns, it != matched.end() ? it->second->transfer_ns : rank.trace().dur_ns[slice]);
    accumulate(check.expected_ns, hardware::transfer_ns(*kind, bytes, fabric, *gpu));
    if (args->dtype == trace::DType::float32) accumulate(float32_bytes, bytes);
  }
  if (check.calls == 0 || check.expected_ns <= 0) return std::nullopt;
  check.covered_frac = fraction(covered_ns, all_ns);
  check.has_float32 = float32_bytes > check.size_bytes / 2;
  return check;
}

trace::DType main_dtype(const Measured& measured) {
  const size_t index = measured.first_rank();
  if (index == Measured::kNone) return trace::DType::unknown;
  const MeasuredRank& rank = measured.ranks[index];
  std::map<trace::DType, int64_t> bytes_of;
  for (const SliceId slice : rank.steady_work()) {
    const trace::CollectiveArgs* args = rank.trace().collective_args(slice);
    if (args != nullptr) accumulate(bytes_of[args->dtype], std::max<int64_t>(0, trace::size_bytes(*args)));
  }
  const auto most = std::ranges::max_element(bytes_of, {}, [](const auto& entry) { return entry.second; });
  return most != bytes_of.end() ? most->first : trace::DType::unknown;
}

FewerBytes with_half_the_bytes(const Measured& measured) {
  const size_t index = measured.first_rank();
  FewerBytes out;
  if (index == Measured::kNone) return out;
  const MeasuredRank& rank = measured.ranks[index];
  const hardware::Gpu* gpu = known_gpu(measured);
  const auto scale = [&](SliceId slice) {
    if (is_message(rank.trace(), slice)) return 1.0;  // no gradients, and mostly waiting
    const trace::CollectiveArgs* args = rank.trace().collective_args(slice);
    const auto kind = hardware_kind(kind_of(rank.trace(), slice));
    const int64_t bytes = args != nullptr ? trace::size_bytes(*args) : -1;
    if (!measured.facts.fabric || gpu == nullptr || !kind || bytes <= 1) return 0.5;
    const TimeNs whole_ns = hardware::transfer_ns(*kind, bytes, *measured.facts.fabric, *gpu);
    const TimeNs half_ns = hardware::transfer_ns(*kind, bytes / 2, *measured.facts.fabric, *gpu);
    return whole_ns > 0 ? static_cast<double>(half_ns) / static_cast<double>(whole_ns) : 0.5;
  };
  out.gain_ns = replay_comm_gain_ns(measured, index, scale);
  out.step_ns = measured.reading->ledgers[index].step_ns - out.gain_ns;
  return out;
}

FewerBytes with_accumulation(const Measured& measured, const CommunicationCost& cost) {
  FewerBytes out;
  const size_t index = measured.first_rank();
  if (index == Measured::kNone) return out;
  const TimeNs after_ns = compute_after_comm_ns(measured.ranks[index]);
  const TimeNs silent_ns = std::max<TimeNs>(0, cost.step_ns - cost.exposed_ns - after_ns);
  for (const int32_t factor : {2, 3, 4}) {
    const TimeNs all_ns = cost.step_ns + (factor - 1) * silent_ns;
    out.accumulation = factor;
    out.step_ns = all_ns / factor;
    if (static_cast<double>(cost.exposed_ns) <= kHiddenEnoughFrac * static_cast<double>(all_ns)) break;
  }
  out.gain_ns = cost.step_ns - out.step_ns;
  return out;
}

}  // namespace td::analysis
