// What a simulated pipeline shows on its traces: waits, messages, and a microbatch's time.
#pragma once

#include <cstdint>

#include "base/intervals.h"
#include "drill/measure.h"
#include "sim/job/job.h"
#include "sim/simulate.h"

namespace td::drill {

struct PipelineWaits {
  int64_t waiting_millionths = 0;  // of the step: exposed communication and idle, mean over ranks and steps
  int64_t ideal_millionths = 0;    // (p - 1) / (v m + p - 1)
  TimeNs microbatch_ns = 0;        // on rank 0: forward and backward of one, and the messages that it waits out
  TimeNs message_ns = 0;           // a message's transfer: the shortest of their kernels
  TimeNs longest_message_ns = 0;   // the longest one: nearly all of it waiting
  TimeNs least_compute_ns = 0;     // over the ranks, mean per step
  TimeNs most_compute_ns = 0;
};
PipelineWaits pipeline_waits(const sim::SimulatedJob& run, const Measured& measured, const sim::Job& job);

// The longest stretch of a step in which a rank communicates and does not compute, and the row whose kernel is longest
// there; without length if there is none.
struct Wait {
  trace::TrackId track = 0;
  Interval at;
};
Wait longest_wait(const sim::SimulatedJob& run, const Measured& measured, size_t rank, size_t step);

}  // namespace td::drill
