// What one pass over the events yields, before the header is known: slices in the builder, and what can only be tied
// up at the end (begin/end pairs, arrows, names of rows).
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "formats/chrome_json/names.h"
#include "formats/problems.h"
#include "trace/trace.h"

namespace td::formats::chrome {

// A pid or tid as in the file: a number (also a quoted one), or a text by its id in Mapped::row_names.
struct RowId {
  int64_t value = 0;
  bool is_text = false;
  auto operator<=>(const RowId&) const = default;
};

// What makes two events stand on one track.
struct TrackKey {
  trace::TrackKind kind = trace::TrackKind::other;
  RowId pid;
  RowId tid;
  int64_t stream = 0;          // GPU rows only
  int32_t device = -1;         // GPU rows only
  int32_t rank = -1;           // args.rank of merged files
  trace::StringId series = 0;  // counters only: name of event and series, in Mapped::row_names
  auto operator<=>(const TrackKey&) const = default;
};

// One end of a slice given by a B and an E event.
struct BeginEnd {
  trace::TrackId track = 0;
  bool is_begin = false;
  trace::SliceKind kind = trace::SliceKind::other;
  trace::StringId name = 0;
  TimeNs at_ns = 0;
};

// One end of an arrow.
struct FlowEnd {
  trace::StringId key = 0;  // category, name and id, in Mapped::row_names
  char phase = 's';         // s, t or f
  bool binds_enclosing = false;
  int32_t nth = -1;  // which of the slices that start there, if our writer said so
  RowId pid;
  RowId tid;
  TimeNs at_ns = 0;
};

struct ProcessNames {
  trace::StringId name = 0;
  trace::StringId label = 0;
};
struct ThreadNames {
  trace::StringId name = 0;
  bool named = false;
  int32_t sort_index = 0;
};

struct Mapped {
  trace::RankTraceBuilder builder;
  Problems problems;
  trace::StringTable row_names;
  std::vector<TrackKey> tracks;  // by TrackId
  std::vector<BeginEnd> begin_ends;
  std::vector<FlowEnd> flow_ends;
  std::map<RowId, ProcessNames> processes;
  std::map<std::pair<RowId, RowId>, ThreadNames> threads;
  int64_t event_count = 0;     // elements of traceEvents
  int64_t metadata_count = 0;  // of those, names
};

}  // namespace td::formats::chrome
