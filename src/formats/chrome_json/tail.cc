#include "formats/chrome_json/tail.h"

#include <algorithm>

#include "base/json.h"
#include "formats/chrome_json/header.h"

namespace td::formats::chrome {
namespace {

using trace::RankTrace;

int32_t device_of(const RankTrace& trace) {
  for (const trace::Track& track : trace.tracks)
    if (track.kind == trace::TrackKind::stream && track.begin != track.end) return std::max(track.device, 0);
  return 0;
}

Json group_list(const RankTrace& trace) {
  Json list = Json::array();
  for (const trace::Group& group : trace.groups) {
    Json ranks = Json::array();
    for (int32_t rank : group.ranks) ranks.push(Json::integer(rank));
    Json item = Json::object();
    item.set("pg_name", Json::string(group.name));
    item.set("pg_desc", Json::string(group.description));
    item.set("pg_size", Json::integer(static_cast<int64_t>(group.ranks.size())));
    item.set("ranks", std::move(ranks));
    list.push(std::move(item));
  }
  return list;
}

Json device_list(std::span<const RankTrace* const> ranks) {
  Json list = Json::array();
  std::vector<int32_t> seen;
  for (const RankTrace* rank : ranks) {
    const int32_t id = device_of(*rank);
    const bool known = !rank->device_name.empty() || rank->device_memory_bytes >= 0 || rank->sm_count >= 0;
    if (!known || std::ranges::find(seen, id) != seen.end()) continue;
    seen.push_back(id);
    Json item = Json::object();
    item.set("id", Json::integer(id)).set("name", Json::string(rank->device_name));
    if (rank->device_memory_bytes >= 0) item.set("totalGlobalMem", Json::integer(rank->device_memory_bytes));
    if (rank->sm_count >= 0) item.set("numSms", Json::integer(rank->sm_count));
    list.push(std::move(item));
  }
  return list;
}

// By hand for the blank after the colon: HolisticTraceAnalysis finds the rank with the pattern "rank":\s+(\d+).
std::string distributed_text(std::span<const RankTrace* const> ranks) {
  const RankTrace& first = *ranks.front();
  const bool single = ranks.size() == 1;
  const bool known =
      !first.backend.empty() || first.world_size >= 0 || !first.groups.empty() || (single && first.rank >= 0);
  if (!known) return {};
  std::string out = ",\n\"distributedInfo\": {\"backend\": " + quote_json(first.backend);
  if (single && first.rank >= 0) out += ", \"rank\": " + std::to_string(first.rank);
  if (first.world_size >= 0) out += ", \"world_size\": " + std::to_string(first.world_size);
  if (!first.groups.empty())
    out += ", \"pg_count\": " + std::to_string(first.groups.size()) + ", \"pg_config\": " + group_list(first).dump();
  return out + "}";
}

Json declared_rank(const RankTrace& trace, TimeNs origin_ns) {
  Json out = Json::object();
  out.set("rank", Json::integer(trace.rank)).set("world_size", Json::integer(trace.world_size));
  out.set("host_name", Json::string(trace.host_name)).set("device_name", Json::string(trace.device_name));
  out.set("device_memory_bytes", Json::integer(trace.device_memory_bytes))
      .set("sm_count", Json::integer(trace.sm_count));
  out.set("backend", Json::string(trace.backend)).set("groups", group_list(trace));
  out.set("origin_ns", Json::integer(origin_ns));
  return out;
}

Json declared_track(const RankTrace& trace, const trace::Track& track, const TrackRows& rows, size_t part) {
  Json places = Json::array();
  for (int64_t tid : rows.tids) places.push(Json::array().push(Json::integer(rows.pid)).push(Json::integer(tid)));
  Json out = Json::object();
  out.set("part", Json::integer(static_cast<int64_t>(part))).set("kind", Json::string(to_string(track.kind)));
  out.set("pid", Json::integer(track.pid))
      .set("tid", Json::integer(track.tid))
      .set("device", Json::integer(track.device));
  out.set("sort_index", Json::integer(track.sort_index)).set("name", Json::string(trace.strings.view(track.name)));
  out.set("process_name", Json::string(trace.strings.view(track.process_name))).set("rows", std::move(places));
  return out;
}

std::string declaration_text(std::span<const RankTrace* const> ranks, const std::vector<RankRows>& rows,
                             const FileClock& clock) {
  std::string out = ",\n\"" + std::string(kDeclarationKey) + "\": {\"version\":1,\"ranks\":[";
  for (size_t part = 0; part < ranks.size(); ++part)
    out += (part == 0 ? "\n" : ",\n") + declared_rank(*ranks[part], clock.shift_ns[part]).dump();
  out += "],\"tracks\":[";
  bool first = true;
  for (size_t part = 0; part < ranks.size(); ++part) {
    for (trace::TrackId id = 0; id < ranks[part]->tracks.size(); ++id) {
      out += (first ? "\n" : ",\n") +
             declared_track(*ranks[part], ranks[part]->tracks[id], rows[part].tracks[id], part).dump();
      first = false;
    }
  }
  return out + "]}";
}

}  // namespace

std::string tail_text(std::span<const RankTrace* const> ranks, const std::vector<RankRows>& rows,
                      const FileClock& clock) {
  std::string out = ",\n\"schemaVersion\": 1";
  const Json devices = device_list(ranks);
  if (!devices.items().empty()) out += ",\n\"deviceProperties\": " + devices.dump();
  out += distributed_text(ranks);
  if (!ranks.front()->host_name.empty()) out += ",\n\"host_name\": " + quote_json(ranks.front()->host_name);
  if (clock.base_ns != 0) out += ",\n\"baseTimeNanoseconds\": " + std::to_string(clock.base_ns);
  return out + declaration_text(ranks, rows, clock);
}

std::string_view collective_text(trace::CollectiveKind kind) {
  switch (kind) {
    case trace::CollectiveKind::unknown:
      return "unknown";
    case trace::CollectiveKind::all_reduce:
      return "allreduce";
    case trace::CollectiveKind::all_gather:
      return "_allgather_base";
    case trace::CollectiveKind::reduce_scatter:
      return "_reduce_scatter_base";
    case trace::CollectiveKind::all_to_all:
      return "all_to_allv";
    case trace::CollectiveKind::broadcast:
      return "broadcast";
    case trace::CollectiveKind::reduce:
      return "reduce";
    case trace::CollectiveKind::send_recv:
      return "send";
  }
  return "unknown";
}

std::string_view dtype_text(trace::DType dtype) {
  switch (dtype) {
    case trace::DType::unknown:
      return "";
    case trace::DType::int8:
      return "Char";
    case trace::DType::uint8:
      return "Byte";
    case trace::DType::float8:
      return "Float8_e4m3fn";
    case trace::DType::float16:
      return "Half";
    case trace::DType::bfloat16:
      return "BFloat16";
    case trace::DType::int32:
      return "Int";
    case trace::DType::float32:
      return "Float";
    case trace::DType::int64:
      return "Long";
    case trace::DType::float64:
      return "Double";
    case trace::DType::boolean:
      return "Bool";
  }
  return "";
}

std::string millionths_text(int64_t millionths) {
  const bool negative = millionths < 0;
  const uint64_t size = negative ? 0 - static_cast<uint64_t>(millionths) : static_cast<uint64_t>(millionths);
  std::string out = (negative ? "-" : "") + std::to_string(size / 1'000'000);
  std::string rest = std::to_string(size % 1'000'000);
  if (rest == "0") return out;
  rest.insert(0, 6 - rest.size(), '0');
  while (rest.back() == '0') rest.pop_back();
  return out + "." + rest;
}

}  // namespace td::formats::chrome
