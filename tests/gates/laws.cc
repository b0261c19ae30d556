#include "laws.h"

#include <algorithm>

#include "analysis/read.h"
#include "sim/simulate.h"
#include "trace/dump.h"

namespace td::gates {
namespace {

// Jitter of a run against another: nothing is longer by more than this.
constexpr int64_t kNoisePermille = 2;

bool longer(TimeNs a_ns, TimeNs b_ns) { return a_ns > b_ns + b_ns * kNoisePermille / 1000; }

// The same job over the fastest fabric of its ranks.
void check_faster_link(const drill::SimulatedInstance& drawn, std::vector<std::string>& out) {
  if (drawn.job.fabric.nodes < 2 || drawn.job.gpu->scale_up_bytes_per_s <= 0) return;
  std::vector<sim::FaultInstance> faults;
  for (const sim::FaultInstance& fault : drawn.instance.faults) {
    if (fault.fault != "slow_fabric") faults.push_back(fault);
  }
  sim::Job faster = drawn.instance.job;
  const auto fabric = hardware::parse_fabric("nvlink", faster.fabric.world_size(), faster.gpu);
  if (!fabric) return;
  faster.fabric = *fabric;
  const auto run = sim::simulate(faster, faults, drawn.run_seed);
  if (!run) {
    out.push_back("over NVLink: " + run.error().message);
  } else if (longer(run->mean_step_ns, drawn.run.mean_step_ns)) {
    out.push_back("over NVLink a step takes " + std::to_string(run->mean_step_ns) + " ns, before " +
                  std::to_string(drawn.run.mean_step_ns));
  }
}

void check_determinism(const drill::SimulatedInstance& drawn, std::vector<std::string>& out) {
  const auto again = sim::simulate(drawn.instance.job, drawn.instance.faults, drawn.run_seed);
  if (!again || trace::hash_of(again->trace) != trace::hash_of(drawn.run.trace)) {
    out.emplace_back("the same seed gives other bytes");
  }
}

// Ranks in the reverse order: the same cause, on the other rank.
void check_relabelling(const drill::SimulatedInstance& drawn, const analysis::Facts& facts,
                       std::vector<std::string>& out) {
  const analysis::Reading before = analysis::read(drawn.run.trace, facts);
  trace::Trace reversed = drawn.run.trace;
  const auto ranks = static_cast<int32_t>(reversed.ranks.size());
  for (trace::RankTrace& rank : reversed.ranks) {
    rank.rank = ranks - 1 - rank.rank;
    for (trace::Group& group : rank.groups) {
      for (int32_t& member : group.ranks) member = ranks - 1 - member;
      std::ranges::sort(group.ranks);
    }
  }
  std::ranges::reverse(reversed.ranks);
  const analysis::Reading after = analysis::read(reversed, facts);
  if (before.findings.empty() || after.findings.empty()) return;
  const std::string& cause = before.findings.front().cause;
  if (after.findings.front().cause != cause) {
    out.push_back("relabelled ranks: " + after.findings.front().cause + ", before " + cause);
  }
  const auto late = before.collectives.last_arrival.rank;
  const auto late_after = after.collectives.last_arrival.rank;
  if (late.has_value() != late_after.has_value() || (late && *late + *late_after != ranks - 1)) {
    out.emplace_back("relabelled ranks: the last rank did not move with them");
  }
}

}  // namespace

std::vector<std::string> broken_laws(const drill::SimulatedInstance& instance, const analysis::Facts& facts,
                                     bool thorough) {
  std::vector<std::string> out;
  if (drill::win_permille(instance.traced_measure, instance.fixed_measure) < -kNoisePermille) {
    out.emplace_back("the fix lengthens a step");
  }
  if (!thorough) return out;
  check_determinism(instance, out);
  check_faster_link(instance, out);
  if (instance.job.parallelism.kind == sim::Parallelism::Kind::ddp) check_relabelling(instance, facts, out);
  return out;
}

}  // namespace td::gates
