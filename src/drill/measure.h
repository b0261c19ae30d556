// What a simulated run comes to, measured on its trace: the numbers and places that a truth cites.
//
// Not the reader: `analysis` finds out what is wrong from the trace alone; this knows the steps and the job and only
// measures. All times on the trace's common clock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/intervals.h"
#include "drill/launch_gaps.h"
#include "drill/read_gaps.h"
#include "sim/simulate.h"
#include "trace/trace.h"

namespace td::drill {

// One rank in one steady step.
struct RankStep {
  TimeNs compute_ns = 0;       // union of compute kernels in the step
  TimeNs until_first_ns = 0;   // of that, before the first collective: nothing runs beside it
  TimeNs until_ready_ns = 0;   // of that, before the last collective's end: forward + backward
  TimeNs comm_ns = 0;          // union of collectives
  TimeNs exposed_ns = 0;       // collectives with no compute under them
  TimeNs idle_ns = 0;          // nothing at all
  TimeNs longest_idle_ns = 0;  // the longest of those gaps
  TimeNs first_comm_ns = 0;    // start of the first collective
  TimeNs last_comm_ns = 0;     // end of the last one
  TimeNs ready_ns = 0;         // end of the last compute kernel before last_comm_ns: backward is done
  std::vector<TimeNs> bars;    // length of each collective's kernel, in order
};

// Where a rank's rows are.
struct RankRows {
  int32_t rank = 0;
  std::string host;  // "gpu-node-12", as the trace names it
  trace::TrackId compute = 0;
  trace::TrackId comm = 0;
};

struct Measured {
  std::vector<Interval> steps;                           // the steady steps, as the simulation gives them
  std::vector<RankRows> rows;                            // by rank
  std::vector<std::vector<RankStep>> at;                 // [rank][step]
  std::vector<std::vector<std::vector<ReadGap>>> reads;  // [rank][step]
  std::vector<std::vector<LaunchGaps>> launches;         // [rank][step]
  std::vector<int64_t> collective_bytes;                 // S of each collective of a step, in order
  std::vector<TimeNs> transfers;  // its transfer in the first step: the shortest bar over the ranks
  TimeNs mean_step_ns = 0;
  int64_t tokens_per_step = 0;
  std::string longest_kernel;  // name of rank 0's longest compute kernel in the first step
  TimeNs longest_kernel_ns = 0;
  TimeNs sync_wait_ns = 0;         // rank 0, mean of the steps: host blocked in calls that wait for the device
  TimeNs median_run_ahead_ns = 0;  // kernel start minus launch start on rank 0 in the first step

  [[nodiscard]] size_t ranks() const { return at.size(); }
  // Means over the steps.
  [[nodiscard]] TimeNs mean_of(size_t rank, TimeNs RankStep::* field) const;
  // Communication with compute beside it, mean over the steps.
  [[nodiscard]] TimeNs hidden_ns(size_t rank) const;
  // How much later than the median rank (or the earliest) a rank is done with backward, mean over the steps.
  [[nodiscard]] TimeNs lateness_ns(size_t rank) const;
  [[nodiscard]] TimeNs after_first_ns(size_t rank) const;
  // The rank that is last most often, and in how many steps it is.
  [[nodiscard]] size_t last_rank() const;
  [[nodiscard]] int64_t times_last(size_t rank) const;
  // Sum over the collectives of a step: bytes, and the mean over steps of the shortest bars.
  [[nodiscard]] int64_t bytes_per_step() const;
  [[nodiscard]] TimeNs transfer_per_step_ns() const;
};

// internal if the trace does not hold what a simulated DDP run must hold (no step, no collective in a step).
Result<Measured> measure(const sim::SimulatedJob& run);

TimeNs median_of(std::vector<TimeNs> values);

}  // namespace td::drill
