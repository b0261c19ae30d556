// Blocking calls that cost nothing: those after which the device did not run dry.
#pragma once

#include "analysis/measured.h"
#include "analysis/reading.h"

namespace td::analysis {

// Of the steady steps. A blocking call is harmless if it owns no more of any gap than queued kernels leave between them
// (gaps.h). Means over the rank's steady steps; all zero without one.
HarmlessSyncs harmless_syncs(const MeasuredRank& rank);

}  // namespace td::analysis
