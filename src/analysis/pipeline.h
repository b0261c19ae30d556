// Pipelines: messages between stages, and what of their waiting is the schedule's own.
//
// A message is a send_recv that the file names as such, in a group of two ranks. (A kernel called SendRecv without
// metadata may as well be an all-to-all.) Its kernel on the receiver holds the wait for the sender, so a length says
// little; the shortest of a group on any rank is taken for the transfer, and what a kernel has more is waiting.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/timeline.h"
#include "base/intervals.h"

namespace td::analysis {

struct Measured;

bool is_message(const trace::RankTrace& rank, trace::SliceId slice);

// One rank's messages, in its own time.
struct RankMessages {
  IntervalSet kernels;      // union of them
  IntervalSet collectives;  // union of all other communication
  IntervalSet waits;        // of the messages, until their transfer began
};
std::vector<RankMessages> measure_messages(const std::vector<const RankTimeline*>& ranks);

// What the messages of all ranks say of the pipeline.
struct Pipeline {
  int32_t stages = 0;        // p
  bool all_stages = false;   // a rank of each is here
  int64_t passes = 0;        // microbatches x chunks a stage: messages that a stage hands to the next in a step
  double bubble_frac = 0;    // ideal: (p - 1) / (passes + p - 1)
  double waiting_frac = 0;   // measured: waiting for messages with no compute under it, and idle; mean over ranks
  TimeNs compute_ns = 0;     // mean over ranks and steps
  double spread_frac = 0;    // of compute: longest rank over the mean, less one
  size_t waits_longest = 0;  // the rank that waits the most
};
// Nothing if there are no messages, or none in a steady step. Needs the ledgers.
std::optional<Pipeline> find_pipeline(const Measured& measured);

// Waiting for messages with no compute under it, mean per step.
TimeNs message_wait_ns(const Measured& measured, size_t rank);

// A well-fed pipeline idles less than this of its step.
inline constexpr double kWellFedFrac = 0.0625;
// What a step's microbatches gain when their number is doubled until the pipeline is well fed, as a share of their
// time: 1 - (1 - b) / (1 - b').
struct WellFed {
  int64_t factor = 1;
  double bubble_frac = 0;  // then
  double win_frac = 0;
};
WellFed well_fed(const Pipeline& pipeline);

}  // namespace td::analysis
