// The top-level keys beside traceEvents. They may stand before or after it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "formats/problems.h"
#include "trace/trace.h"

namespace td::formats::chrome {

struct Device {
  int64_t id = -1;
  std::string name;
  int64_t memory_bytes = -1;
  int32_t sm_count = -1;
};

// Who a rank is; -1 and "" where unknown.
struct Identity {
  int32_t rank = -1;
  int32_t world_size = -1;
  std::string host_name;
  std::string device_name;
  int64_t device_memory_bytes = -1;
  int32_t sm_count = -1;
  std::string backend;
  std::vector<trace::Group> groups;
  std::optional<TimeNs> origin_ns;  // the file's time that is 0 of the trace
};

// A track as our own writer declares it, with the rows (pid, tid) of the file that it was drawn on.
struct DeclaredTrack {
  size_t part = 0;  // index into Declaration::ranks
  trace::TrackKind kind = trace::TrackKind::other;
  int64_t pid = 0;
  int64_t tid = 0;
  int32_t device = -1;
  int32_t sort_index = 0;
  std::string name;
  std::string process_name;
  std::vector<std::pair<int64_t, int64_t>> rows;
};

// The top-level key "tracedrills" (docs/formats/chrome_json.md).
struct Declaration {
  std::vector<Identity> ranks;
  std::vector<DeclaredTrack> tracks;
};

struct Header {
  Identity job;  // distributedInfo and host_name
  TimeNs base_time_ns = 0;
  std::vector<Device> devices;
  std::optional<Declaration> declaration;
  std::vector<std::string> keys;  // top-level keys in order, the first few; to say what a file is instead

  // The properties of a device number; without such an entry the first, nullptr if there is none.
  [[nodiscard]] const Device* device(int32_t id) const;
};

inline constexpr std::string_view kDeclarationKey = "tracedrills";

// True if the value of this top-level key is wanted as text.
bool is_header_key(std::string_view key);

// Takes the value of a top-level key for which is_header_key() holds; one that cannot be read is a problem.
void take_header(Header& header, std::string_view key, std::string_view json, Problems& problems);

// "rank" or "worker" and a number in a file's name: rank0.json, rank-70.x.json, worker3.123.pt.trace.json; else -1.
int32_t rank_of_file_name(std::string_view path);

}  // namespace td::formats::chrome
