// Which rank the others wait for, step by step, and what that costs.
//
// A late rank is not always seen waiting for at the end: while the others still compute, their waiting is hidden, and
// at the end of backward they are several buckets behind. So lateness is replayed, not summed: the step's collectives
// run again, one after the other, each from the moment that every rank is ready for it,
//   end(c) = max(end(c - 1), max over ranks ready(c)) + transfer(c),
// as it was and with the late rank mended in each of two ways; lateness is the larger difference of the last ends.
//   on time: the late rank is ready when the median of the others was. What that leaves out: kernels that wait hold
//   SMs,
//     so the others' readiness is itself later than it would be.
//   at pace: every rank is ready when the late one was, its time since the step's start divided by its pace, which is
//     its time to the step's first collective over the median other's. Until then nobody waits beside compute, and the
//     late rank never does.
#pragma once

#include <vector>

#include "analysis/collectives.h"
#include "analysis/reading.h"

namespace td::analysis {

struct Lateness {
  std::vector<int64_t> last_rank;   // a steady step of the first rank: index in Trace::ranks, -1 if nobody was late
  std::vector<TimeNs> lateness_ns;  // by how much sooner the step would have ended; 0 if nobody
};

// Over complete collectives alone. The rank looked at in a step is the one that the chain waited for the longest.
//   offset_ns, steps  one a rank; offsets corrected
Lateness lateness_by_step(const std::vector<const RankTimeline*>& ranks, const MatchedCollectives& matched,
                          const std::vector<TimeNs>& offset_ns, const std::vector<const RankSteps*>& steps);

// A straggler is late in this share of the steps, by this share of the step.
inline constexpr double kAlwaysLastFrac = 0.8;
inline constexpr double kLateFrac = 0.03;

// Sums up lateness over the steps. `step_ns`: mean step.
LastArrival last_arrival(const Lateness& lateness, const std::vector<const RankTimeline*>& ranks, TimeNs step_ns);

}  // namespace td::analysis
