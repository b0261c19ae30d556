// What a step would take with one cause removed, by replaying the trace's own dependencies. Never by adding ceilings.
#pragma once

#include <functional>
#include <vector>

#include "analysis/measured.h"

namespace td::analysis {

// Replays each steady step's collectives of ranks[index] on their stream: a collective starts when it is ready (the
// compute kernel launched last before it has ended) and the one before it is done, and takes its transfer time (the
// shortest over the ranks; its own length if that is unknown) times scale(slice). Compute does not move; what follows
// the last collective moves up by as much as that one ends earlier than in the replay with scale 1, at most by the
// step's exposed communication. Contention between compute and communication is not replayed.
// Returns the mean time gained per step, >= 0.
TimeNs replay_comm_gain_ns(const Measured& measured, size_t index, const std::function<double(trace::SliceId)>& scale);

// What hiding `exposed_ns` of communication behind `hideable_ns` of compute would gain per step when `hidden_frac` of
// it disappears (the last bucket never does).
TimeNs hide_gain_ns(TimeNs exposed_ns, TimeNs hideable_ns, double hidden_frac);

// A what-if that removes `gain_ns` from a mean step.
WhatIf per_step(TimeNs step_ns, TimeNs gain_ns, std::string method);

}  // namespace td::analysis
