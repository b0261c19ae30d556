// Which rank the others wait for, step by step, and what that costs.
//
// A late rank is not always seen waiting for at the end: while the others still compute, their waiting is hidden, and
// at the end of backward they are several buckets behind. So lateness is replayed, not summed: the step's collectives
// run again, one after the other, each from the moment that every rank is ready for it,
//   end(c) = max(end(c - 1), max over ranks ready(c)) + transfer(c),
// once as it was and once with the late rank ready when the median of the others was. The difference of the last ends
// is what the rank costs. Compute does not move; contention beside a waiting collective is not replayed.
#pragma once

#include <vector>

#include "analysis/collectives.h"
#include "analysis/reading.h"

namespace td::analysis {

struct Lateness {
  std::vector<int64_t> last_rank;   // a steady step of the first rank: index in Trace::ranks, -1 if nobody was late
  std::vector<TimeNs> lateness_ns;  // by how much sooner the step's last collective would have ended; 0 if nobody
};

// Over complete collectives alone. The rank looked at in a step is the one that the chain waited for the longest.
//   offset_ns  corrected, one a rank
Lateness lateness_by_step(const std::vector<const RankTimeline*>& ranks, const MatchedCollectives& matched,
                          const std::vector<TimeNs>& offset_ns, const RankSteps& first_steps);

// A straggler is late in this share of the steps, by this share of the step.
inline constexpr double kAlwaysLastFrac = 0.8;
inline constexpr double kLateFrac = 0.03;

// Sums up lateness over the steps. `step_ns`: mean step.
LastArrival last_arrival(const Lateness& lateness, const std::vector<const RankTimeline*>& ranks, TimeNs step_ns);

}  // namespace td::analysis
