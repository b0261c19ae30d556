// Who owns each idle stretch of the device: what the launching thread did before the launch that ended it.
#pragma once

#include <vector>

#include "analysis/host.h"
#include "analysis/reading.h"
#include "analysis/steps.h"
#include "analysis/timeline.h"

namespace td::analysis {

// Queued kernels follow each other within this; a longer pause has another owner.
inline constexpr TimeNs kQueueGapNs = 3 * kNsPerUs;

// One owner's part of a gap. The parts of a gap cover it exactly.
struct GapPart {
  GapOwner owner = GapOwner::host_other;
  Interval at;
  trace::SliceId culprit = trace::kNoSlice;  // the host slice that gave the owner, if one did
  size_t gap = 0;                            // index in RankTimeline::gaps
  size_t step = 0;                           // index in RankSteps::steady
};

// The parts of all gaps inside the rank's steady steps, in order of time.
std::vector<GapPart> own_gaps(const RankTimeline& timeline, const HostActivity& host, const RankSteps& steps);

// The parts of one gap, for tests. `at` may be the gap clipped to a step.
std::vector<GapPart> split_gap(const RankTimeline& timeline, const HostActivity& host, const DeviceGap& gap,
                               Interval at);

// How an owner's time repeats over the steady steps; empty with fewer than two steps.
//   per_step_ns  its time in each steady step
//   shapes       a hash of each step's kernels and grids: steps of one shape have one hash
std::optional<Rhythm> rhythm_of(const std::vector<TimeNs>& per_step_ns, const std::vector<uint64_t>& shapes);

// For rhythm_of: equal for steps that ran the same kernels on the same grids.
std::vector<uint64_t> step_shapes(const RankTimeline& timeline, const RankSteps& steps);

}  // namespace td::analysis
