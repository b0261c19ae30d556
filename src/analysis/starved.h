// How long a rank's compute stood still because the next kernel had not been launched yet, whether or not
// communication ran beside it: a collective's kernel that spins under such a gap hides it from the ledger's idle time,
// and does not shorten it.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/measured.h"

namespace td::analysis {

// Stretches of the steady steps without compute or copies: the parts of them that dispatch and launch latency own
// (gaps.h). Without communication these are the ledger's.
struct Starved {
  TimeNs total_ns = 0;    // mean per step
  TimeNs longest_ns = 0;  // of one owner in one stretch
  int64_t count = 0;      // stretches, over all steady steps
};
Starved starved_by_launches(const MeasuredRank& rank);

// A stretch of a steady step without compute or copies, as one owner sees it.
struct HeldGap {
  size_t step = 0;  // index in RankSteps::steady
  Interval at;
  trace::SliceId after = trace::kNoSlice;    // what ended it
  trace::SliceId culprit = trace::kNoSlice;  // the owner's longest call in it
  TimeNs held_ns = 0;                        // the owner's part
  TimeNs other_ns = 0;                       // that of others, but for queue gaps and waits of the device
};
// All such stretches of a rank, in order of time.
std::vector<HeldGap> gaps_held_by(const MeasuredRank& rank, GapOwner owner);

// True if the other ranks' compute is starved nearly as long as that of ranks[late]: every host is slow, none is a
// straggler.
bool starved_alike(const Measured& measured, size_t late);

}  // namespace td::analysis
