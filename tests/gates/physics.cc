#include "physics.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "hardware/fabric.h"
#include "sim/job/predict.h"
#include "trace/check_trace.h"

namespace td::gates {
namespace {

using trace::RankTrace;
using trace::SliceId;
using trace::SliceKind;

constexpr double kTransferSlack = 0.05;
constexpr double kMostMfu = 0.65;
constexpr size_t kAtMost = 3;  // sentences a rule

hardware::Collective hardware_kind(trace::CollectiveKind kind, bool& known) {
  known = true;
  switch (kind) {
    case trace::CollectiveKind::all_reduce:
      return hardware::Collective::all_reduce;
    case trace::CollectiveKind::all_gather:
      return hardware::Collective::all_gather;
    case trace::CollectiveKind::reduce_scatter:
      return hardware::Collective::reduce_scatter;
    default:
      known = false;
      return hardware::Collective::all_reduce;
  }
}

struct Call {
  TimeNs last_start_ns = 0;
  TimeNs end_ns = 0;
  trace::CollectiveArgs args;
  int ranks = 0;
};

// World-wide collectives, by their number in the order of the group.
void check_transfers(const drill::SimulatedInstance& drawn, std::vector<std::string>& out) {
  const sim::Job& job = drawn.job;
  const int32_t world_size = job.fabric.world_size();
  if (world_size < 2) return;
  std::map<int64_t, Call> calls;
  for (const RankTrace& rank : drawn.run.trace.ranks) {
    for (const trace::CollectiveArgs& args : rank.collectives) {
      if (rank.kind[args.slice] != SliceKind::comm || args.group_size != world_size || args.sequence < 0) continue;
      Call& call = calls[args.sequence];
      call.args = args;
      call.last_start_ns = std::max(call.last_start_ns, rank.start_ns[args.slice] + rank.clock_offset_ns);
      call.end_ns = std::max(call.end_ns, rank.end_ns(args.slice) + rank.clock_offset_ns);
      ++call.ranks;
    }
  }
  const double slowest = 1000.0 / drawn.run.comm_rate_permille;
  // Clocks of the ranks are off by up to this, either way.
  const auto skew_ns = static_cast<double>(2 * job.clock_skew_ns);
  size_t told = 0;
  for (const auto& [sequence, call] : calls) {
    bool known = false;
    const hardware::Collective kind = hardware_kind(call.args.kind, known);
    if (!known || call.ranks != world_size || told >= kAtMost) continue;
    const auto expected =
        static_cast<double>(hardware::transfer_ns(kind, trace::size_bytes(call.args), job.fabric, *job.gpu));
    const auto took = static_cast<double>(call.end_ns - call.last_start_ns);
    if (took >= expected * (1 - kTransferSlack) - skew_ns &&
        took <= expected * slowest * (1 + kTransferSlack) + skew_ns) {
      continue;
    }
    out.push_back("collective " + std::to_string(sequence) + " took " + std::to_string(took) + " ns, expected " +
                  std::to_string(expected) + " to " + std::to_string(expected * slowest));
    ++told;
  }
}

// "[[m,k],[k,n]]" -> 2 m n k; 0 if the shapes are not those of one matrix product.
double product_flop(std::string_view op, std::string_view shapes) {
  if (op != "aten::mm") return 0;
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < shapes.size();) {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(shapes.data() + i, shapes.data() + shapes.size(), value);
    if (error == std::errc()) {
      numbers.push_back(value);
      i = static_cast<size_t>(end - shapes.data());
    } else {
      ++i;
    }
  }
  if (numbers.size() != 4 || numbers[1] != numbers[2]) return 0;
  return 2.0 * static_cast<double>(numbers[0]) * static_cast<double>(numbers[1]) * static_cast<double>(numbers[3]);
}

// No matrix product is faster than the peak.
void check_roofline(const drill::SimulatedInstance& drawn, std::vector<std::string>& out) {
  const RankTrace& rank = drawn.run.trace.ranks.front();
  const trace::LaunchIndex launches(rank);
  size_t told = 0;
  SliceId op = trace::kNoSlice;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::host_thread) continue;
    for (SliceId i = track.begin; i < track.end && told < kAtMost; ++i) {
      if (rank.kind[i] == SliceKind::host_op) op = i;
      if (rank.kind[i] != SliceKind::runtime || op == trace::kNoSlice || rank.end_ns(i) > rank.end_ns(op)) continue;
      const trace::OpArgs* args = rank.op_args(op);
      if (args == nullptr || rank.correlation[i] == trace::kNoCorrelation) continue;
      const double flop = product_flop(rank.name_of(op), rank.strings.view(args->shapes));
      if (flop <= 0) continue;
      TimeNs sum_ns = 0;
      for (const SliceId kernel : launches.gpu_slices_of(rank.correlation[i])) sum_ns += rank.dur_ns[kernel];
      const double least_ns = flop / drawn.job.gpu->bf16_flop_per_s * 1e9;
      if (sum_ns == 0 || static_cast<double>(sum_ns) >= least_ns) continue;
      out.push_back("matrix product of " + std::to_string(sum_ns) + " ns, at least " + std::to_string(least_ns));
      ++told;
    }
  }
}

}  // namespace

std::vector<std::string> unphysical(const drill::SimulatedInstance& instance) {
  std::vector<std::string> out;
  for (const trace::Violation& violation :
       trace::check_trace(instance.run.trace, trace::Strictness::simulated, kAtMost)) {
    out.push_back(violation.rule + ": " + violation.text);
  }
  check_transfers(instance, out);
  check_roofline(instance, out);
  if (const Status status = sim::check_job(instance.job); !status) out.push_back(status.error().message);
  const auto outlook = sim::predict(instance.job);
  if (!outlook || outlook->mfu >= kMostMfu) {
    out.push_back("MFU " + (outlook ? std::to_string(outlook->mfu) : "unknown") + ", expected under 0.65");
  }
  return out;
}

}  // namespace td::gates
