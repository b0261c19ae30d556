#include "formats/nsys_sqlite/session.h"

#include <algorithm>
#include <array>

namespace td::formats::nsys {
namespace {

template <size_t N>
using Columns = std::array<std::string_view, N>;

int32_t narrow(int64_t value) { return value >= 0 && value <= INT32_MAX ? static_cast<int32_t>(value) : -1; }

}  // namespace

Status Session::load_strings(Database& database) {
  constexpr Columns<2> kColumns = {"id", "value"};
  return database.each_row("StringIds", kColumns, [&](const Row& row) {
    strings_.emplace(row.integer(0), table_.intern(row.text(1)));
    return true;
  });
}

Status Session::load_processes(Database& database) {
  constexpr Columns<2> kProcess = {"globalPid", "name"};
  TRY_OK(database.each_row("PROCESSES", kProcess, [&](const Row& row) {
    process_names.emplace(process_of(row.integer(0)), row.text(1));
    return true;
  }));
  constexpr Columns<2> kThread = {"globalTid", "nameId"};
  return database.each_row("ThreadNames", kThread, [&](const Row& row) {
    std::string_view name;
    if (string_of(row.integer(1), name) && !name.empty()) thread_names.emplace(row.integer(0), name);
    return true;
  });
}

Status Session::load_gpus(Database& database) {
  constexpr Columns<4> kGpu = {"id", "name", "totalMemory", "smCount"};
  TRY_OK(database.each_row("TARGET_INFO_GPU", kGpu, [&](const Row& row) {
    gpus_.emplace(row.integer(0), Gpu{.name = std::string(row.text(1)),
                                      .memory_bytes = row.is_null(2) ? -1 : row.integer(2),
                                      .sm_count = row.is_null(3) ? -1 : narrow(row.integer(3))});
    return true;
  }));
  constexpr Columns<3> kDevice = {"pid", "cudaId", "gpuId"};
  return database.each_row("TARGET_INFO_CUDA_DEVICE", kDevice, [&](const Row& row) {
    gpu_of_ordinal_.emplace(std::pair(row.integer(0), row.integer(1)), row.integer(2));
    return true;
  });
}

Status Session::load_clock(Database& database) {
  constexpr Columns<1> kStart = {"utcEpochNs"};
  TRY_OK(database.each_row("TARGET_INFO_SESSION_START_TIME", kStart, [&](const Row& row) {
    session_utc_ns_ = row.integer(0);
    return false;
  }));
  constexpr Columns<1> kDetails = {"startTime"};
  TRY_OK(database.each_row("ANALYSIS_DETAILS", kDetails, [&](const Row& row) {
    session_start_ns_ = row.integer(0);
    return false;
  }));
  constexpr Columns<2> kEnvironment = {"name", "value"};
  return database.each_row("TARGET_INFO_SYSTEM_ENV", kEnvironment, [&](const Row& row) {
    if (row.text(0) == "Hostname" && host_name.empty()) host_name = row.text(1);
    return true;
  });
}

int64_t Session::utc_of_zero_ns(TimeNs first_ns) const {
  // A clock before 1970 or after 2200 is none.
  constexpr int64_t kLatestNs = int64_t{7'258'118'400} * 1'000'000'000;
  if (session_utc_ns_ <= 0 || session_utc_ns_ > kLatestNs) return 0;
  if (session_start_ns_ <= 0 || first_ns < session_start_ns_) return session_utc_ns_;
  return session_start_ns_ < session_utc_ns_ ? session_utc_ns_ - session_start_ns_ : 0;
}

Result<Session> Session::load(Database& database) {
  Session session;
  TRY_OK(session.load_strings(database));
  TRY_OK(session.load_processes(database));
  TRY_OK(session.load_gpus(database));
  TRY_OK(session.load_clock(database));
  return session;
}

bool Session::string_of(int64_t id, std::string_view& out) const {
  const auto it = strings_.find(id);
  if (it == strings_.end()) return false;
  out = table_.view(it->second);
  return true;
}

const Gpu* Session::gpu_of(int64_t pid, int64_t device) const {
  const auto ordinal = gpu_of_ordinal_.find({pid, device});
  const auto it = gpus_.find(ordinal == gpu_of_ordinal_.end() ? device : ordinal->second);
  return it == gpus_.end() ? nullptr : &it->second;
}

}  // namespace td::formats::nsys
