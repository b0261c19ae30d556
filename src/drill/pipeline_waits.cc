#include "drill/pipeline_waits.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/math.h"
#include "drill/text.h"
#include "hardware/formula/pipeline.h"

namespace td::drill {
namespace {

using trace::RankTrace;
using trace::SliceId;
using trace::SliceKind;

Interval common(const RankTrace& rank, SliceId slice) {
  const TimeNs begin_ns = rank.start_ns[slice] + rank.clock_offset_ns;
  return {begin_ns, begin_ns + rank.dur_ns[slice]};
}

std::vector<Interval> spans_of(const RankTrace& rank, SliceKind kind) {
  std::vector<Interval> out;
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (rank.kind[slice] == kind) out.push_back(common(rank, slice));
  }
  return out;
}

// Compute that the optimizer launches, mean per step.
TimeNs optimizer_ns(const RankTrace& rank, const std::vector<Interval>& steps) {
  std::vector<Interval> calls;
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (rank.kind[slice] == SliceKind::annotation && rank.name_of(slice).starts_with("Optimizer.step")) {
      calls.push_back(common(rank, slice));
    }
  }
  const IntervalSet inside = unite(std::move(calls));
  const trace::LaunchIndex launches(rank);
  std::vector<Interval> kernels;
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (rank.kind[slice] != SliceKind::compute) continue;
    const SliceId launch = launches.launch_of(slice);
    if (launch == trace::kNoSlice) continue;
    const TimeNs at_ns = rank.start_ns[launch] + rank.clock_offset_ns;
    const auto after = std::ranges::upper_bound(inside, at_ns, {}, &Interval::begin_ns);
    if (after != inside.begin() && std::prev(after)->end_ns > at_ns) kernels.push_back(common(rank, slice));
  }
  const IntervalSet all = unite(std::move(kernels));
  TimeNs sum_ns = 0;
  for (const Interval& step : steps) sum_ns += total_ns(clip(all, step));
  return sum_ns / static_cast<TimeNs>(steps.size());
}

void measure_messages(const sim::SimulatedJob& run, PipelineWaits& out) {
  out.message_ns = INT64_MAX;
  for (const RankTrace& rank : run.trace.ranks) {
    for (const trace::CollectiveArgs& args : rank.collectives) {
      if (args.kind != trace::CollectiveKind::send_recv) continue;
      const TimeNs dur_ns = rank.dur_ns[args.slice];
      out.message_ns = std::min(out.message_ns, dur_ns);
      out.longest_message_ns = std::max(out.longest_message_ns, dur_ns);
    }
  }
  if (out.message_ns == INT64_MAX) out.message_ns = 0;
}

}  // namespace

PipelineWaits pipeline_waits(const sim::SimulatedJob& run, const Measured& measured, const sim::Job& job) {
  PipelineWaits out;
  measure_messages(run, out);
  const sim::Parallelism& shape = job.parallelism;
  const double ideal = hardware::bubble_frac(shape.stages, job.accumulation, shape.virtual_stages);
  out.ideal_millionths = round_to_int(ideal * 1e6);
  TimeNs waiting_ns = 0;
  out.least_compute_ns = INT64_MAX;
  for (size_t rank = 0; rank < measured.ranks(); ++rank) {
    waiting_ns += measured.mean_of(rank, &RankStep::exposed_ns) + measured.mean_of(rank, &RankStep::idle_ns);
    const TimeNs compute_ns = measured.mean_of(rank, &RankStep::compute_ns);
    out.least_compute_ns = std::min(out.least_compute_ns, compute_ns);
    out.most_compute_ns = std::max(out.most_compute_ns, compute_ns);
  }
  out.waiting_millionths = share_millionths(waiting_ns / static_cast<TimeNs>(measured.ranks()), measured.mean_step_ns);
  const TimeNs compute_ns =
      measured.mean_of(0, &RankStep::compute_ns) - optimizer_ns(run.trace.ranks.front(), measured.steps);
  // Two messages of each chunk lie between a microbatch and the next: its activations and its gradient.
  out.microbatch_ns = compute_ns / job.accumulation + TimeNs{2} * shape.virtual_stages * out.message_ns;
  return out;
}

Wait longest_wait(const sim::SimulatedJob& run, const Measured& measured, size_t rank, size_t step) {
  const RankTrace& trace = run.trace.ranks[rank];
  const IntervalSet exposed =
      subtract(unite(spans_of(trace, SliceKind::comm)), unite(spans_of(trace, SliceKind::compute)));
  Wait longest = {.track = measured.rows[rank].comm,
                  .at = {measured.steps[step].begin_ns, measured.steps[step].begin_ns}};
  for (const Interval& wait : clip(exposed, measured.steps[step])) {
    if (wait.length_ns() > longest.at.length_ns()) longest.at = wait;
  }
  TimeNs most_ns = 0;
  for (SliceId slice = 0; slice < trace.slice_count(); ++slice) {
    if (trace.kind[slice] != SliceKind::comm) continue;
    const Interval at = common(trace, slice);
    const TimeNs inside_ns = std::min(at.end_ns, longest.at.end_ns) - std::max(at.begin_ns, longest.at.begin_ns);
    if (inside_ns <= most_ns) continue;
    most_ns = inside_ns;
    longest.track = trace.track[slice];
  }
  return longest;
}

}  // namespace td::drill
