// Where each track of a trace is drawn in the file: process and thread numbers that Perfetto takes, and lanes for
// slices that overlap.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace td::formats {

struct TrackRows {
  int64_t pid = 0;
  std::vector<int64_t> tids;  // one a lane, at least one
};

struct ProcessRow {
  int64_t pid = 0;
  std::string name;
};

struct RankRows {
  std::vector<TrackRows> tracks;  // by TrackId
  std::vector<uint8_t> lane;      // by SliceId; empty if every slice is on its track's first lane
  std::vector<ProcessRow> processes;

  [[nodiscard]] int64_t pid(const trace::RankTrace& t, trace::SliceId slice) const {
    return tracks[t.track[slice]].pid;
  }
  [[nodiscard]] int64_t tid(const trace::RankTrace& t, trace::SliceId slice) const {
    return tracks[t.track[slice]].tids[lane.empty() ? 0 : lane[slice]];
  }
};

// Numbers are the trace's own where they can be: 0 < n < 2^32 and not taken. Perfetto calls pid 0 its idle process, so
// the GPU of number d is process 1000000 + d. Several ranks get blocks of 10000 that do not meet. The annotations of a
// stream share its row, as in Kineto.
std::vector<RankRows> lay_out(std::span<const trace::RankTrace* const> ranks);

}  // namespace td::formats
