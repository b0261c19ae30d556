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

// True if the other ranks' compute is starved nearly as long as that of ranks[late]: every host is slow, none is a
// straggler.
bool starved_alike(const Measured& measured, size_t late);

}  // namespace td::analysis
