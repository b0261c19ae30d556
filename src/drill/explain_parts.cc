#include "drill/explain_parts.h"

#include <algorithm>

#include "base/math.h"
#include "catalog/catalog.h"

namespace td::drill {

const Explainer* find_explainer(std::string_view cause) {
  for (const Explainer& explainer : all_explainers()) {
    if (explainer.cause == cause) return &explainer;
  }
  return nullptr;
}

Win measured_win(const ExplainInput& input) {
  const MsScale scale(input.traced.mean_step_ns);
  Win win;
  win.per_token = input.instance.per_token;
  win.step_ns = scale.round(input.traced.mean_step_ns);
  // For the tokens of one traced step.
  const auto fixed_ns = static_cast<TimeNs>(static_cast<__int128>(input.fixed.mean_step_ns) *
                                            input.traced.tokens_per_step / input.fixed.tokens_per_step);
  win.fixed_step_ns = scale.round(fixed_ns);
  win.win_ns = win.step_ns - win.fixed_step_ns;
  win.win_millionths = share_millionths(win.win_ns, win.step_ns);
  return win;
}

Truth start_truth(const ExplainInput& input) {
  Truth truth;
  truth.cause = input.scenario.cause;
  truth.scenario = input.scenario.id;
  for (size_t rank = 0; rank < input.traced.ranks(); ++rank) {
    truth.ranks.push_back({.rank = input.traced.rows[rank].rank,
                           .compute_ns = input.traced.mean_of(rank, &RankStep::until_ready_ns),
                           .comm_ns = input.traced.mean_of(rank, &RankStep::comm_ns),
                           .lateness_ns = input.traced.after_first_ns(rank)});
  }
  truth.win = measured_win(input);
  if (const catalog::Cause* cause = catalog::find_cause(truth.cause)) {
    truth.right_confirms.assign(cause->confirms.begin(), cause->confirms.end());
    truth.right_fixes.assign(cause->fixes.begin(), cause->fixes.end());
  }
  return truth;
}

EvidenceSpan on_comm_row(const Measured& measured, char letter, size_t rank, Interval at, std::string text) {
  const RankRows& rows = measured.rows[rank];
  return {.letter = letter, .rank = rows.rank, .track = rows.comm, .at = at, .text = std::move(text)};
}

EvidenceSpan on_compute_row(const Measured& measured, char letter, size_t rank, Interval at, std::string text) {
  const RankRows& rows = measured.rows[rank];
  return {.letter = letter, .rank = rows.rank, .track = rows.compute, .at = at, .text = std::move(text)};
}

Interval tail_of(const RankStep& step) { return {step.ready_ns, step.last_comm_ns}; }

ReadLine step_line(const ExplainInput& input) {
  const MsScale scale(input.traced.mean_step_ns);
  TimeNs shortest = input.traced.steps[0].length_ns();
  TimeNs longest = shortest;
  for (const Interval& step : input.traced.steps) {
    shortest = std::min(shortest, step.length_ns());
    longest = std::max(longest, step.length_ns());
  }
  const auto count = static_cast<int64_t>(input.traced.steps.size());
  return {"step", scale.text(input.traced.mean_step_ns) + " on all ranks; " + count_word(count) + " steady steps, " +
                      scale.number(shortest) + " to " + scale.text(longest) + "."};
}

namespace {

// A host that waits is blamed only if the device runs dry.
std::string sync_remark(const Measured& traced) {
  if (traced.sync_wait_ns * 10 < traced.mean_step_ns) return "";
  return " The host is blocked " + percent_text(share_millionths(traced.sync_wait_ns, traced.mean_step_ns)) +
         " of the step waiting for the device; that is harmless, the device is busy under it.";
}

}  // namespace

ReadLine gaps_line(const ExplainInput& input) {
  const Measured& traced = input.traced;
  TimeNs longest = 0;
  for (const RankStep& step : traced.at[0]) longest = std::max(longest, step.longest_idle_ns);
  const TimeNs idle = traced.mean_of(0, &RankStep::idle_ns);
  return {"gaps", "Rank 0 idles " + dur_text(idle) + " a step (" +
                      percent_text(share_millionths(idle, traced.mean_step_ns)) + "), no gap over " +
                      dur_text(longest) + "." + sync_remark(traced)};
}

ReadLine longest_line(const ExplainInput& input) {
  std::string name = input.traced.longest_kernel;
  constexpr size_t kShown = 60;
  if (name.size() > kShown) name = name.substr(0, kShown) + "...";
  return {"longest", name + ", " + dur_text(input.traced.longest_kernel_ns) + " on rank 0. Not the lever."};
}

std::string factor_text(int32_t world_size) { return decimal_text(int64_t{2} * (world_size - 1), world_size, 2); }

int64_t busbw_of(int64_t size_bytes, TimeNs dur_ns, int32_t world_size) {
  if (dur_ns <= 0) return 0;
  const __int128 traffic = static_cast<__int128>(size_bytes) * 2 * (world_size - 1) * kNsPerS;
  return static_cast<int64_t>(traffic / world_size / dur_ns);
}

std::string transfer_sum(int64_t size_bytes, TimeNs dur_ns, int32_t world_size) {
  return bytes_text(size_bytes) + " x " + factor_text(world_size) + " / " +
         rate_text(busbw_of(size_bytes, dur_ns, world_size)) + " = " + dur_text(dur_ns);
}

size_t largest_collective(const Measured& measured) {
  size_t best = 0;
  for (size_t i = 1; i < measured.collective_bytes.size(); ++i) {
    if (measured.collective_bytes[i] > measured.collective_bytes[best]) best = i;
  }
  return best;
}

IntervalSet work_of(const trace::RankTrace& rank, trace::SliceKind kind) {
  std::vector<Interval> out;
  for (trace::SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (rank.kind[slice] != kind) continue;
    const TimeNs begin_ns = rank.start_ns[slice] + rank.clock_offset_ns;
    out.push_back({begin_ns, begin_ns + rank.dur_ns[slice]});
  }
  return unite(std::move(out));
}

TimeNs lost_beside_ns(const ExplainInput& input, TimeNs beside_ns) {
  return beside_ns * (1000 - input.run.compute_rate_permille) / 1000;
}

std::string beside_text(const ExplainInput& input, const MsScale& scale, TimeNs beside_ns) {
  return scale.text(beside_ns) + " x (1 - " + decimal_text(input.run.compute_rate_permille, 1000, 2) + ")";
}

int32_t local_gpu_of(const sim::Job& job, int32_t rank) { return rank % job.fabric.gpus_per_node; }

void add_measured_win(Win& win) {
  const MsScale scale(win.step_ns);
  win.sums.push_back({"measured: " + scale.number(win.step_ns) + " - " + scale.number(win.fixed_step_ns) +
                          ", means of the steps shown, the job run again" + (win.per_token ? ", same tokens" : ""),
                      scale.text(win.win_ns), true});
  win.sums.push_back({"share of the traced step", percent_text(win.win_millionths)});
}

int32_t mfu_permille(const sim::Job& job, TimeNs step_ns, int64_t tokens_per_step) {
  const double flop = sim::training_flop_per_token(*job.model, job.seq_len) * static_cast<double>(tokens_per_step);
  const double seconds = static_cast<double>(step_ns) / 1e9;
  const double peak = job.gpu->bf16_flop_per_s * job.fabric.world_size();
  return static_cast<int32_t>(round_to_int(flop / seconds / peak * 1000));
}

int64_t ms_millionths(TimeNs value_ns) { return value_ns; }  // 1 ms = 1e6 ns

}  // namespace td::drill
