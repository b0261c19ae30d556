#include "drill/measure.h"

#include <algorithm>

namespace td::drill {
namespace {

using trace::RankTrace;
using trace::SliceId;
using trace::SliceKind;

Interval common(const RankTrace& rank, SliceId slice) {
  const TimeNs begin_ns = rank.start_ns[slice] + rank.clock_offset_ns;
  return {begin_ns, begin_ns + rank.dur_ns[slice]};
}

// GPU work of one rank in order of start.
struct Work {
  std::vector<Interval> compute;
  std::vector<Interval> comm;
  std::vector<Interval> other;  // copies and memsets
  std::vector<SliceId> comm_slices;
};

Work work_in(const RankTrace& rank, Interval window) {
  Work work;
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (!trace::is_gpu_work(rank.kind[slice])) continue;
    const Interval at = common(rank, slice);
    if (at.end_ns <= window.begin_ns || at.begin_ns >= window.end_ns) continue;
    if (rank.kind[slice] == SliceKind::compute) {
      work.compute.push_back(at);
    } else if (rank.kind[slice] == SliceKind::comm) {
      work.comm.push_back(at);
      work.comm_slices.push_back(slice);
    } else {
      work.other.push_back(at);
    }
  }
  return work;
}

RankStep measure_step(const Work& work, Interval window) {
  RankStep step;
  const IntervalSet compute = clip(unite(work.compute), window);
  const IntervalSet comm = clip(unite(work.comm), window);
  const IntervalSet busy = unite(unite(compute, comm), unite(work.other));
  step.compute_ns = total_ns(compute);
  step.comm_ns = total_ns(comm);
  step.exposed_ns = total_ns(subtract(comm, compute));
  for (const Interval& gap : subtract(IntervalSet{window}, busy)) {
    step.idle_ns += gap.length_ns();
    step.longest_idle_ns = std::max(step.longest_idle_ns, gap.length_ns());
  }
  if (comm.empty()) return step;
  step.first_comm_ns = comm.front().begin_ns;
  step.last_comm_ns = comm.back().end_ns;
  step.until_first_ns = total_ns(clip(compute, {window.begin_ns, step.first_comm_ns}));
  const IntervalSet before = clip(compute, {window.begin_ns, step.last_comm_ns});
  step.until_ready_ns = total_ns(before);
  step.ready_ns = before.empty() ? window.begin_ns : before.back().end_ns;
  for (const Interval& bar : work.comm) step.bars.push_back(bar.length_ns());
  return step;
}

// The tracks that hold most of a rank's compute and of its communication.
RankRows rows_of(const RankTrace& rank) {
  RankRows rows;
  rows.rank = rank.rank;
  rows.host = rank.host_name;
  std::vector<TimeNs> compute_ns(rank.tracks.size(), 0);
  std::vector<TimeNs> comm_ns(rank.tracks.size(), 0);
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (rank.kind[slice] == SliceKind::compute) compute_ns[rank.track[slice]] += rank.dur_ns[slice];
    if (rank.kind[slice] == SliceKind::comm) comm_ns[rank.track[slice]] += rank.dur_ns[slice];
  }
  const auto most = [](const std::vector<TimeNs>& values) {
    return static_cast<trace::TrackId>(std::max_element(values.begin(), values.end()) - values.begin());
  };
  if (!rank.tracks.empty()) {
    rows.compute = most(compute_ns);
    rows.comm = most(comm_ns);
  }
  return rows;
}

void note_first_rank(const RankTrace& rank, Interval window, Measured& out) {
  const trace::LaunchIndex launches(rank);
  std::vector<TimeNs> run_ahead;
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (rank.kind[slice] != SliceKind::compute) continue;
    const Interval at = common(rank, slice);
    if (at.begin_ns < window.begin_ns || at.end_ns > window.end_ns) continue;
    if (at.length_ns() > out.longest_kernel_ns) {
      out.longest_kernel_ns = at.length_ns();
      out.longest_kernel = rank.name_of(slice);
    }
    const SliceId launch = launches.launch_of(slice);
    if (launch != trace::kNoSlice) run_ahead.push_back(rank.start_ns[slice] - rank.start_ns[launch]);
  }
  out.median_run_ahead_ns = median_of(std::move(run_ahead));
}

// Mean over the steps of the time in blocking calls, which all stand on one thread.
TimeNs sync_wait_ns(const RankTrace& rank, const std::vector<Interval>& steps) {
  std::vector<Interval> waits;
  for (SliceId slice = 0; slice < rank.slice_count(); ++slice) {
    if (rank.kind[slice] != SliceKind::runtime || !trace::is_blocking_sync(rank.name_of(slice))) continue;
    waits.push_back(common(rank, slice));
  }
  const IntervalSet all = unite(std::move(waits));
  TimeNs sum = 0;
  for (const Interval& step : steps) sum += total_ns(clip(all, step));
  return sum / static_cast<TimeNs>(steps.size());
}

}  // namespace

TimeNs median_of(std::vector<TimeNs> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Result<Measured> measure(const sim::SimulatedJob& run) {
  Measured out;
  out.mean_step_ns = run.mean_step_ns;
  out.tokens_per_step = run.tokens_per_step;
  for (const sim::StepTime& step : run.steps) out.steps.push_back({step.begin_ns, step.end_ns});
  if (out.steps.empty() || run.trace.ranks.empty()) return fail(ErrorCode::internal, "the simulation gave no step");
  for (const RankTrace& rank : run.trace.ranks) {
    out.rows.push_back(rows_of(rank));
    out.at.emplace_back();
    out.reads.emplace_back();
    out.launches.emplace_back();
    const trace::LaunchIndex launches(rank);
    for (size_t step = 0; step < out.steps.size(); ++step) {
      const Work work = work_in(rank, out.steps[step]);
      out.at.back().push_back(measure_step(work, out.steps[step]));
      out.reads.back().push_back(read_gaps(rank, out.steps[step]));
      out.launches.back().push_back(launch_gaps(rank, launches, out.steps[step]));
      if (work.comm.empty() && run.trace.ranks.size() > 1) {
        return fail(ErrorCode::internal, "a simulated step of several ranks without a collective");
      }
      if (out.at.size() > 1 || step > 0) continue;
      for (SliceId slice : work.comm_slices) {
        const trace::CollectiveArgs* args = rank.collective_args(slice);
        out.collective_bytes.push_back(args == nullptr ? 0 : std::max<int64_t>(0, trace::size_bytes(*args)));
      }
    }
  }
  for (size_t i = 0; i < out.collective_bytes.size(); ++i) {
    TimeNs shortest = out.at[0][0].bars[i];
    for (const auto& steps : out.at) {
      if (i < steps[0].bars.size()) shortest = std::min(shortest, steps[0].bars[i]);
    }
    out.transfers.push_back(shortest);
  }
  note_first_rank(run.trace.ranks[0], out.steps[0], out);
  out.sync_wait_ns = sync_wait_ns(run.trace.ranks[0], out.steps);
  return out;
}

TimeNs Measured::mean_of(size_t rank, TimeNs RankStep::* field) const {
  TimeNs sum = 0;
  for (const RankStep& step : at[rank]) sum += step.*field;
  return sum / static_cast<TimeNs>(at[rank].size());
}

TimeNs Measured::hidden_ns(size_t rank) const {
  return mean_of(rank, &RankStep::comm_ns) - mean_of(rank, &RankStep::exposed_ns);
}

TimeNs Measured::lateness_ns(size_t rank) const {
  TimeNs sum = 0;
  for (size_t step = 0; step < steps.size(); ++step) {
    std::vector<TimeNs> ready;
    for (const auto& of_rank : at) ready.push_back(of_rank[step].ready_ns);
    sum += at[rank][step].ready_ns - median_of(std::move(ready));
  }
  return sum / static_cast<TimeNs>(steps.size());
}

TimeNs Measured::after_first_ns(size_t rank) const {
  TimeNs sum = 0;
  for (size_t step = 0; step < steps.size(); ++step) {
    TimeNs first = at[0][step].ready_ns;
    for (const auto& of_rank : at) first = std::min(first, of_rank[step].ready_ns);
    sum += at[rank][step].ready_ns - first;
  }
  return sum / static_cast<TimeNs>(steps.size());
}

int64_t Measured::times_last(size_t rank) const {
  int64_t times = 0;
  for (size_t step = 0; step < steps.size(); ++step) {
    bool last = true;
    for (const auto& of_rank : at) last = last && of_rank[step].ready_ns <= at[rank][step].ready_ns;
    times += last ? 1 : 0;
  }
  return times;
}

size_t Measured::last_rank() const {
  size_t best = 0;
  for (size_t rank = 1; rank < ranks(); ++rank) {
    if (after_first_ns(rank) > after_first_ns(best)) best = rank;
  }
  return best;
}

int64_t Measured::bytes_per_step() const {
  int64_t sum = 0;
  for (int64_t bytes : collective_bytes) sum += bytes;
  return sum;
}

TimeNs Measured::transfer_per_step_ns() const {
  TimeNs sum = 0;
  for (size_t step = 0; step < steps.size(); ++step) {
    for (size_t i = 0; i < at[0][step].bars.size(); ++i) {
      TimeNs shortest = at[0][step].bars[i];
      for (const auto& of_rank : at) {
        if (i < of_rank[step].bars.size()) shortest = std::min(shortest, of_rank[step].bars[i]);
      }
      sum += shortest;
    }
  }
  return sum / static_cast<TimeNs>(steps.size());
}

}  // namespace td::drill
