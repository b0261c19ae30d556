// Measurements and sentences that several detectors share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/measured.h"
#include "analysis/reading.h"

namespace td::analysis {

// Index of the rank that the job's pace is set by: the one with the least exposed communication, for whom the others
// wait. The first of equals; kNone without steps.
size_t pacing_rank(const Measured& measured);

// "45.1 ms of 101.5 ms a step (44.4 %)"; "in all" where the whole trace stands for a step.
std::string share_text(const Measured& measured, TimeNs part_ns, TimeNs step_ns);

// The median over the other ranks of a gap owner's time a step.
TimeNs median_gap_of_others_ns(const Measured& measured, size_t rank, GapOwner owner);

// Why a rank's host is late, where that has a cause of its own: the device idles on that rank, and less on the others,
// while its host waits for a batch, compiles or maps memory. That owner's excess is at least kOwnerFrac of the step and
// outweighs what else the rank has more of, in kernels and in idle. Such a rank is no straggler: mending the owner
// mends it.
inline constexpr double kOwnerFrac = 0.05;
std::optional<GapOwner> owner_of_lateness(const Measured& measured, size_t rank);

// Idle that is not the ordinary microsecond between queued kernels.
TimeNs loss_by_idle_ns(const Ledger& ledger);

// How much the trace allows to be sure: steps seen, problems of trust, Python stacks that slow the host.
double evidence_quality(const Measured& measured, const Ledger& ledger);

// From launch call to kernel start over the steady steps: the median run-ahead. Nothing without launches.
std::optional<TimeNs> median_run_ahead_ns(const MeasuredRank& rank);

// GPU work of one kind in the steady steps, the longest first, as places.
std::vector<Span> longest_slices(const MeasuredRank& rank, trace::SliceKind kind, size_t at_most);

// True if Python stacks were recorded, which slow the host.
bool has_python_stacks(const Measured& measured);

}  // namespace td::analysis
