// What an Nsight Systems export says beside its events: strings, processes, threads, devices.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/io.h"
#include "base/result.h"
#include "base/units.h"
#include "trace/string_table.h"

namespace td::formats::nsys {

// A global id: bits 0-23 thread, 24-47 process, above them machine and hardware.
constexpr int64_t process_of(int64_t global_id) {
  return static_cast<int64_t>(static_cast<uint64_t>(global_id) & ~uint64_t{0xFFFFFF});
}
constexpr int64_t pid_of(int64_t global_id) {
  return static_cast<int64_t>((static_cast<uint64_t>(global_id) >> 24) & 0xFFFFFF);
}
constexpr int64_t tid_of(int64_t global_id) {
  return static_cast<int64_t>(static_cast<uint64_t>(global_id) & 0xFFFFFF);
}

struct Gpu {
  std::string name;
  int64_t memory_bytes = -1;
  int32_t sm_count = -1;
};

class Session {
 public:
  static Result<Session> load(Database& database);

  // The string of a StringIds id; false if the file has none.
  bool string_of(int64_t id, std::string_view& out) const;
  // The GPU that a process calls `device`; nullptr where the file does not say.
  [[nodiscard]] const Gpu* gpu_of(int64_t pid, int64_t device) const;

  std::map<int64_t, std::string> process_names;  // by process_of(id)
  std::map<int64_t, std::string> thread_names;   // by global thread id; the first of several
  std::string host_name;

  // Wall clock at time 0 of the events, the first of which is at `first_ns`: their times count from the session's start
  // or, in exports of some versions, from the boot. 0 if unknown.
  [[nodiscard]] int64_t utc_of_zero_ns(TimeNs first_ns) const;

 private:
  Status load_strings(Database& database);
  Status load_processes(Database& database);
  Status load_gpus(Database& database);
  Status load_clock(Database& database);

  int64_t session_utc_ns_ = 0;
  TimeNs session_start_ns_ = 0;
  trace::StringTable table_;
  std::unordered_map<int64_t, trace::StringId> strings_;           // looked up only, never walked
  std::map<int64_t, Gpu> gpus_;                                    // by TARGET_INFO_GPU.id
  std::map<std::pair<int64_t, int64_t>, int64_t> gpu_of_ordinal_;  // (pid, CUDA ordinal)
};

}  // namespace td::formats::nsys
