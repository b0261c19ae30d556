// What our own files carry beside Perfetto's model, as JSON in the descriptions of tracks and queues: who a rank is and
// what a row was, so that reading a file gives back what was written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "trace/trace.h"

namespace td::formats::perfetto {

// Of a rank; in the description of its first process.
std::string rank_text(const trace::RankTrace& trace, size_t part, TimeNs shift_ns);
// Of a track; in the description of its rows, or of its queue.
std::string track_text(const trace::RankTrace& trace, trace::TrackId track, size_t part);

struct OwnRank {
  size_t part = 0;
  TimeNs shift_ns = 0;      // a packet's time is a slice's start plus this
  trace::RankTrace header;  // without tracks and slices
};
std::optional<OwnRank> own_rank(std::string_view description);

struct OwnTrack {
  size_t part = 0;
  size_t index = 0;
  trace::Track track;  // without its strings
  std::string name;
  std::string process_name;
};
std::optional<OwnTrack> own_track(std::string_view description);

// Names of the args that GPU work and slices carry; the same as in Kineto's files where that has them.
inline constexpr std::string_view kCorrelation = "correlation";
inline constexpr std::string_view kExternalId = "External id";
inline constexpr std::string_view kSequence = "Sequence number";
inline constexpr std::string_view kShapes = "Input Dims";
inline constexpr std::string_view kTypes = "Input type";
inline constexpr std::string_view kRegisters = "registers_per_thread";
inline constexpr std::string_view kSharedMemory = "shared_memory_bytes";
inline constexpr std::string_view kBytes = "bytes";
inline constexpr std::string_view kCollective = "Collective name";
inline constexpr std::string_view kDtype = "dtype";
inline constexpr std::string_view kInCount = "In msg nelems";
inline constexpr std::string_view kOutCount = "Out msg nelems";
inline constexpr std::string_view kGroupSize = "Group size";
inline constexpr std::string_view kGroup = "Process Group Name";
inline constexpr std::string_view kGroupRanks = "Process Group Ranks";
inline constexpr std::string_view kCollectiveSequence = "Seq";
inline constexpr std::string_view kFlowOut = "flow_out";
inline constexpr std::string_view kFlowIn = "flow_in";

// Event ids of the ranks of one file do not meet: correlation + part * 2^40.
inline constexpr int kPartShift = 40;

}  // namespace td::formats::perfetto
