#include "formats/chrome_json/header.h"

#include <algorithm>
#include <array>
#include <limits>

#include "formats/chrome_json/event.h"

namespace td::formats::chrome {
namespace {

constexpr std::array kHeaderKeys = {
    std::string_view("baseTimeNanoseconds"),
    std::string_view("deviceProperties"),
    std::string_view("distributedInfo"),
    std::string_view("host_name"),
    kDeclarationKey,
};

int32_t int32_of(const Json& json, int32_t otherwise = -1) {
  const int64_t value = json.as_int(otherwise);
  const bool fits = value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max();
  return fits ? static_cast<int32_t>(value) : otherwise;
}

// Ranks as a list, or as the string "[0, 1]" that Kineto writes itself.
std::vector<int32_t> ranks_of(const Json& json) {
  std::vector<int32_t> out;
  if (json.kind() == Json::Kind::string) {
    const Result<Json> inner = parse_json(json.as_string());
    return inner && inner->kind() == Json::Kind::array ? ranks_of(*inner) : out;
  }
  for (const Json& rank : json.items())
    if (const int32_t number = int32_of(rank); number >= 0) out.push_back(number);
  return out;
}

std::vector<trace::Group> groups_of(const Json& json) {
  std::vector<trace::Group> out;
  for (const Json& item : json.items()) {
    trace::Group group;
    const Json& name = item["pg_name"];
    group.name = name.kind() == Json::Kind::integer ? std::to_string(name.as_int()) : std::string(name.as_string());
    group.description = item["pg_desc"].as_string();
    group.ranks = ranks_of(item["ranks"]);
    out.push_back(std::move(group));
  }
  return out;
}

void take_distributed(Identity& job, const Json& json) {
  job.rank = std::max(int32_of(json["rank"]), -1);
  job.world_size = std::max(int32_of(json["world_size"]), -1);
  job.backend = json["backend"].as_string();
  // Some versions write the list as a string.
  const Json& config = json["pg_config"];
  const Result<Json> inner = parse_json(config.as_string("null"));
  job.groups = groups_of(config.kind() == Json::Kind::string && inner ? *inner : config);
}

std::vector<Device> devices_of(const Json& json) {
  std::vector<Device> out;
  for (const Json& item : json.items()) {
    Device device;
    device.id = item["id"].as_int(-1);
    device.name = item["name"].as_string();
    device.memory_bytes = std::max<int64_t>(item["totalGlobalMem"].as_int(-1), -1);
    device.sm_count = std::max(int32_of(item["numSms"]), -1);
    out.push_back(std::move(device));
  }
  return out;
}

std::optional<trace::TrackKind> track_kind_of(std::string_view text) {
  for (int kind = 0; kind <= static_cast<int>(trace::TrackKind::other); ++kind)
    if (to_string(static_cast<trace::TrackKind>(kind)) == text) return static_cast<trace::TrackKind>(kind);
  return std::nullopt;
}

Identity declared_rank(const Json& json) {
  Identity out;
  out.rank = int32_of(json["rank"]);
  out.world_size = int32_of(json["world_size"]);
  out.host_name = json["host_name"].as_string();
  out.device_name = json["device_name"].as_string();
  out.device_memory_bytes = json["device_memory_bytes"].as_int(-1);
  out.sm_count = int32_of(json["sm_count"]);
  out.backend = json["backend"].as_string();
  out.groups = groups_of(json["groups"]);
  const int64_t origin_ns = json["origin_ns"].as_int(INT64_MIN);
  if (origin_ns >= kMinTimeNs && origin_ns <= kMaxTimeNs) out.origin_ns = origin_ns;
  return out;
}

std::optional<DeclaredTrack> declared_track(const Json& json, size_t parts) {
  DeclaredTrack out;
  const int64_t part = json["part"].as_int(-1);
  const std::optional<trace::TrackKind> kind = track_kind_of(json["kind"].as_string());
  if (part < 0 || static_cast<size_t>(part) >= parts || !kind) return std::nullopt;
  out.part = static_cast<size_t>(part);
  out.kind = *kind;
  out.pid = json["pid"].as_int();
  out.tid = json["tid"].as_int();
  out.device = int32_of(json["device"]);
  out.sort_index = int32_of(json["sort_index"], 0);
  out.name = json["name"].as_string();
  out.process_name = json["process_name"].as_string();
  for (const Json& row : json["rows"].items())
    if (row.items().size() == 2) out.rows.emplace_back(row.items()[0].as_int(), row.items()[1].as_int());
  return out;
}

// nullopt unless every part of it can be understood: half a declaration would scatter slices over wrong tracks.
std::optional<Declaration> declaration_of(const Json& json) {
  if (json["version"].as_int() != 1) return std::nullopt;
  Declaration out;
  for (const Json& rank : json["ranks"].items()) out.ranks.push_back(declared_rank(rank));
  for (const Json& track : json["tracks"].items()) {
    std::optional<DeclaredTrack> declared = declared_track(track, out.ranks.size());
    if (!declared) return std::nullopt;
    out.tracks.push_back(std::move(*declared));
  }
  return out.ranks.empty() ? std::nullopt : std::optional(std::move(out));
}

}  // namespace

const Device* Header::device(int32_t id) const {
  const auto it = std::ranges::find(devices, id, &Device::id);
  if (it != devices.end()) return &*it;
  return devices.empty() ? nullptr : &devices.front();
}

bool is_header_key(std::string_view key) { return std::ranges::find(kHeaderKeys, key) != kHeaderKeys.end(); }

void take_header(Header& header, std::string_view key, std::string_view json, Problems& problems) {
  const Result<Json> value = parse_json(json);
  bool good = value.has_value();
  if (good && key == "baseTimeNanoseconds") {
    good = value->kind() == Json::Kind::integer;
    const int64_t base_ns = value->as_int();
    good = good && base_ns >= kMinTimeNs && base_ns <= kMaxTimeNs;
    if (good) header.base_time_ns = base_ns;
  } else if (good && key == "distributedInfo") {
    take_distributed(header.job, *value);
  } else if (good && key == "deviceProperties") {
    header.devices = devices_of(*value);
  } else if (good && key == "host_name") {
    header.job.host_name = value->as_string();
  } else if (good && key == kDeclarationKey) {
    header.declaration = declaration_of(*value);
    good = header.declaration.has_value();
  }
  if (!good)
    problems.add_global("bad_header",
                        "the top-level key \"" + std::string(key) + "\" could not be read and was left out");
}

int32_t rank_of_file_name(std::string_view path) {
  std::string name(path.substr(path.find_last_of("/\\") + 1));  // npos + 1 == 0
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (std::string_view word : {std::string_view("rank"), std::string_view("worker")}) {
    for (size_t at = name.find(word); at != std::string::npos; at = name.find(word, at + 1)) {
      size_t digit = at + word.size();
      if (digit < name.size() && (name[digit] == '-' || name[digit] == '_')) ++digit;
      size_t end = digit;
      while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
      if (end > digit && end - digit <= 7)
        return static_cast<int32_t>(parse_int(std::string_view(name).substr(digit, end - digit)).value_or(-1));
    }
  }
  return -1;
}

}  // namespace td::formats::chrome
