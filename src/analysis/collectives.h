// The same collective on several ranks: matching, clocks, who waited for whom.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/reading.h"
#include "analysis/steps.h"
#include "analysis/timeline.h"

namespace td::analysis {

// One rank's kernel of a collective.
struct CollectiveCall {
  size_t rank = 0;  // index in Trace::ranks
  trace::SliceId slice = trace::kNoSlice;
};

// A collective that every rank of its group (of those that are in the trace) took part in.
struct Collective {
  trace::CollectiveKind kind = trace::CollectiveKind::unknown;
  trace::DType dtype = trace::DType::unknown;
  std::string group;                  // process group name
  int32_t group_size = -1;            // -1 if the file does not say
  int64_t size_bytes = -1;            // nccl-tests' S
  std::vector<CollectiveCall> calls;  // by rank
  bool complete = false;              // all of the group's ranks are here
  // On the common clock, after alignment:
  TimeNs last_arrival_ns = 0;
  TimeNs transfer_ns = 0;  // shortest kernel over the ranks: what was left once all had arrived
  size_t last = 0;         // index in `calls` of the last to arrive
};

struct MatchedCollectives {
  std::vector<Collective> all;              // in order of last arrival
  std::vector<TimeNs> clock_correction_ns;  // to add to each rank's clock_offset_ns
  std::vector<bool> rank_aligned;           // a correction could be measured
  int64_t unmatched = 0;                    // communication kernels without peers, over all ranks
  bool groups_complete = false;
};

// The ranks in "[0, 1, 2, 3]"; empty if the text is cut ("[0, 1, ...]") or absent.
std::vector<int32_t> ranks_in(std::string_view text);

// Matches by (group, sequence number) where the files have one, else by order within the host step of the same name,
// else by order in the whole trace. Point-to-point kernels are left out: they do not end together.
//   ranks, steps  one entry a rank, in the trace's order
MatchedCollectives match_collectives(const std::vector<const RankTimeline*>& ranks,
                                     const std::vector<const RankSteps*>& steps);

// Exposed waiting of each rank: its exposed communication before the last arrival. In the rank's own time.
//   offset_ns  corrected, one a rank
std::vector<IntervalSet> exposed_waits(const std::vector<const RankTimeline*>& ranks, const MatchedCollectives& matched,
                                       const std::vector<TimeNs>& offset_ns);

}  // namespace td::analysis
