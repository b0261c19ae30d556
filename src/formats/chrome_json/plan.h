// Which tracks the trace gets: from the rows that the events stand on, their names, and our own writer's declaration.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "formats/chrome_json/header.h"
#include "formats/chrome_json/mapped.h"

namespace td::formats::chrome {

struct PlannedTrack {
  trace::Track track;
  size_t part = 0;
};

struct Plan {
  std::vector<Identity> parts;              // one a rank, at least one
  std::vector<PlannedTrack> tracks;         // in their final order
  std::vector<trace::TrackId> final_track;  // by the TrackId of the builder
  // Tracks of a row, for arrows: those of host threads first.
  std::map<std::pair<RowId, RowId>, std::vector<trace::TrackId>> rows;
};

// Names go into the string table of mapped.builder. `file_rank`: the rank that the file's name tells, -1 if none.
Plan make_plan(Mapped& mapped, const Header& header, int32_t file_rank);

}  // namespace td::formats::chrome
