// Events -> slices: which track, which kind, which side tables.
#pragma once

#include <array>
#include <unordered_map>
#include <vector>

#include "formats/category.h"
#include "formats/chrome_json/event.h"
#include "formats/chrome_json/mapped.h"

namespace td::formats::chrome {

class Mapper {
 public:
  Mapper() : names_(mapped_.builder.header().strings, mapped_.problems) {}
  Mapper(const Mapper&) = delete;
  Mapper& operator=(const Mapper&) = delete;

  // Takes one event; its views need only live for the call.
  void add(const Event& event);

  Mapped& mapped() { return mapped_; }
  Problems& problems() { return mapped_.problems; }

 private:
  // What a name says about a slice, worked out once a name.
  struct NameFacts {
    bool known = false;
    bool communication = false;
    bool loader = false;
  };
  struct KeyHash {
    size_t operator()(const TrackKey& key) const;
  };

  void add_complete(const Event& event, Category category);
  void add_begin_or_end(const Event& event, Category category);
  void add_instant(const Event& event);
  void add_flow(const Event& event, Category category);
  void add_counter(const Event& event);
  void add_metadata(const Event& event);
  void add_args(trace::SliceId slice, Category category, const Event& event, trace::StringId name);
  void add_collective(trace::SliceId slice, const Args& args);

  bool check_start(const Event& event);
  trace::SliceKind kind_of(const Event& event, Category category, trace::StringId name);
  const NameFacts& facts_of(trace::StringId name);
  RowId row_id(const Value& value);
  trace::StringId row_name(std::string_view text) { return mapped_.row_names.intern(text); }
  trace::TrackId track_of(const Event& event, Category category);
  trace::TrackId track(const TrackKey& key);
  TrackKey gpu_key(const Event& event, Category category);
  TrackKey host_key(const Event& event, Category category);

  Mapped mapped_;
  Names names_;
  std::vector<NameFacts> facts_;  // by StringId
  std::unordered_map<TrackKey, trace::TrackId, KeyHash> track_ids_;
  std::array<trace::TrackId, 16> recent_tracks_{};  // by a hash of the key; most events hop between a few rows
};

}  // namespace td::formats::chrome
