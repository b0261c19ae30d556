// How unevenly the host does the same thing: a thread that shares its core with others is preempted in mid-op.
#pragma once

#include "analysis/measured.h"

namespace td::analysis {

struct HostJitter {
  TimeNs op_ns = 0;      // outermost ops of the launching threads in the steady steps, of names seen often enough
  TimeNs excess_ns = 0;  // of that, beyond twice the lower quartile of each name
  int64_t ops = 0;
  int64_t stretched = 0;  // ops that took more than four times that quartile
  trace::SliceId worst = trace::kNoSlice;
};

// Ops that block, compile, allocate or wait for a batch are left out: their length has another reason. So is all that a
// full launch queue holds up: only ops that end while nothing is queued count.
HostJitter host_jitter(const MeasuredRank& rank);

// excess / op time from which a host is called contended.
inline constexpr double kJitterFrac = 0.3;

}  // namespace td::analysis
