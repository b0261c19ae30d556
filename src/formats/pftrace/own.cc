#include "formats/pftrace/own.h"

#include <algorithm>
#include <array>

#include "base/json.h"

namespace td::formats::perfetto {
namespace {

using trace::RankTrace;
using trace::TrackKind;

constexpr std::array kTrackKinds = {TrackKind::host_thread,    TrackKind::loader_worker, TrackKind::stream,
                                    TrackKind::gpu_annotation, TrackKind::sync,          TrackKind::counter,
                                    TrackKind::other};
// A file of ours holds as many ranks and rows as a job has; what claims more is not ours.
constexpr int64_t kMaxIndex = int64_t{1} << 20;

int32_t narrow(const Json& value) {
  return static_cast<int32_t>(std::clamp<int64_t>(value.as_int(-1), INT32_MIN, INT32_MAX));
}

bool is_index(const Json& value) {
  const int64_t number = value.as_int(-1);
  return number >= 0 && number < kMaxIndex;
}

}  // namespace

std::string rank_text(const RankTrace& trace, size_t part, TimeNs shift_ns) {
  Json groups = Json::array();
  for (const trace::Group& group : trace.groups) {
    Json ranks = Json::array();
    for (const int32_t rank : group.ranks) ranks.push(Json::integer(rank));
    groups.push(Json::object()
                    .set("name", Json::string(group.name))
                    .set("description", Json::string(group.description))
                    .set("ranks", std::move(ranks)));
  }
  return Json::object()
      .set("td_rank", Json::integer(static_cast<int64_t>(part)))
      .set("shift_ns", Json::integer(shift_ns))
      .set("rank", Json::integer(trace.rank))
      .set("world_size", Json::integer(trace.world_size))
      .set("host_name", Json::string(trace.host_name))
      .set("device_name", Json::string(trace.device_name))
      .set("device_memory_bytes", Json::integer(trace.device_memory_bytes))
      .set("sm_count", Json::integer(trace.sm_count))
      .set("backend", Json::string(trace.backend))
      .set("origin_ns", Json::integer(trace.file_origin_ns))
      .set("base_ns", Json::integer(trace.base_time_ns))
      .set("groups", std::move(groups))
      .dump();
}

std::string track_text(const RankTrace& trace, trace::TrackId track, size_t part) {
  const trace::Track& row = trace.tracks[track];
  return Json::object()
      .set("td_track", Json::integer(track))
      .set("part", Json::integer(static_cast<int64_t>(part)))
      .set("kind", Json::string(trace::to_string(row.kind)))
      .set("pid", Json::integer(row.pid))
      .set("tid", Json::integer(row.tid))
      .set("device", Json::integer(row.device))
      .set("sort_index", Json::integer(row.sort_index))
      .set("name", Json::string(trace.strings.view(row.name)))
      .set("process", Json::string(trace.strings.view(row.process_name)))
      .dump();
}

std::optional<OwnRank> own_rank(std::string_view description) {
  if (!description.starts_with("{\"td_rank\":")) return std::nullopt;
  const Result<Json> parsed = parse_json(description);
  if (!parsed) return std::nullopt;
  const Json& json = *parsed;
  if (!is_index(json["td_rank"])) return std::nullopt;
  OwnRank out{
      .part = static_cast<size_t>(json["td_rank"].as_int()), .shift_ns = json["shift_ns"].as_int(), .header = {}};
  RankTrace& header = out.header;
  header.rank = narrow(json["rank"]);
  header.world_size = narrow(json["world_size"]);
  header.host_name = json["host_name"].as_string();
  header.device_name = json["device_name"].as_string();
  header.device_memory_bytes = json["device_memory_bytes"].as_int(-1);
  header.sm_count = narrow(json["sm_count"]);
  header.backend = json["backend"].as_string();
  header.file_origin_ns = json["origin_ns"].as_int();
  header.base_time_ns = json["base_ns"].as_int();
  for (const Json& item : json["groups"].items()) {
    trace::Group group{.name = std::string(item["name"].as_string()),
                       .description = std::string(item["description"].as_string()),
                       .ranks = {}};
    for (const Json& rank : item["ranks"].items()) group.ranks.push_back(narrow(rank));
    header.groups.push_back(std::move(group));
  }
  return out;
}

std::optional<OwnTrack> own_track(std::string_view description) {
  if (!description.starts_with("{\"td_track\":")) return std::nullopt;
  const Result<Json> parsed = parse_json(description);
  if (!parsed) return std::nullopt;
  const Json& json = *parsed;
  if (!is_index(json["td_track"]) || !is_index(json["part"])) return std::nullopt;
  OwnTrack out{.part = static_cast<size_t>(json["part"].as_int()),
               .index = static_cast<size_t>(json["td_track"].as_int()),
               .track = {},
               .name = std::string(json["name"].as_string()),
               .process_name = std::string(json["process"].as_string())};
  for (const TrackKind kind : kTrackKinds)
    if (trace::to_string(kind) == json["kind"].as_string()) out.track.kind = kind;
  out.track.pid = json["pid"].as_int();
  out.track.tid = json["tid"].as_int();
  out.track.device = narrow(json["device"]);
  out.track.sort_index = narrow(json["sort_index"]);
  return out;
}

}  // namespace td::formats::perfetto
