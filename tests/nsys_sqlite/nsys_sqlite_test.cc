// Nsight Systems exports, from the SQLite file to the trace.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>

#include "formats/format.h"
#include "native/sqlite_database.h"
#include "trace/check_trace.h"

namespace td {
namespace {

// An export in memory from SQL, as the bytes of its file.
std::string database_of(const std::string& sql) {
  sqlite3* handle = nullptr;
  EXPECT_EQ(sqlite3_open(":memory:", &handle), SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK)
      << (message != nullptr ? message : "");
  sqlite3_int64 size = 0;
  unsigned char* bytes = sqlite3_serialize(handle, "main", &size, 0);
  std::string out(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
  sqlite3_free(bytes);
  sqlite3_close(handle);
  return out;
}

Result<std::vector<trace::RankTrace>> read(const std::string& bytes) {
  native::MemoryFile file(bytes, "report.sqlite");
  NoProgress progress;
  return formats::read_any(file, progress);
}

const trace::LoadProblem* problem(const trace::RankTrace& rank, std::string_view id) {
  for (const trace::LoadProblem& item : rank.problems)
    if (item.id == id) return &item;
  return nullptr;
}

// Two processes of one node, vm 1: pid 100 on device 0, pid 200 on device 1.
constexpr int64_t kPid100 = (int64_t{1} << 48) | (int64_t{100} << 24);
constexpr int64_t kPid200 = (int64_t{1} << 48) | (int64_t{200} << 24);

std::string kernel_row(int64_t process, int device, int64_t start, int64_t end, int correlation, int name) {
  return "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(" + std::to_string(start) + "," + std::to_string(end) + "," +
         std::to_string(device) + ",7," + std::to_string(correlation) + "," + std::to_string(process) + "," +
         std::to_string(name) + "," + std::to_string(name) + ",10,1,1,128,1,1,32,1024);";
}

const std::string kTables =
    "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
    "INSERT INTO StringIds VALUES(1,'gemm'),(2,'ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage)'),"
    "(3,'cudaLaunchKernel_v7000'),(4,'pt_main_thread'),(5,'step 3');"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, \"end\" INTEGER, deviceId INTEGER, streamId INTEGER,"
    "correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER, gridX INTEGER, gridY INTEGER,"
    "gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER, registersPerThread INTEGER,"
    "staticSharedMemory INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, \"end\" INTEGER, globalTid INTEGER, correlationId INTEGER,"
    "nameId INTEGER);"
    "CREATE TABLE NVTX_EVENTS(start INTEGER, \"end\" INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER,"
    "textId INTEGER);";

TEST(NsysSqlite, RanksAreTheProcessesThatUsedAGpu) {
  const std::string bytes = database_of(
      kTables + kernel_row(kPid200, 1, 1000, 3000, 9, 1) + kernel_row(kPid100, 0, 1500, 2500, 9, 2) +
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(500,700," + std::to_string(kPid200 + 200) + ",9,3);" +
      "INSERT INTO NVTX_EVENTS VALUES(400,4000,59,NULL," + std::to_string(kPid200 + 200) + ",5);" +
      "INSERT INTO NVTX_EVENTS VALUES(450,600,59,'aten::mm, op_id = 7, seq = 12, sizes = [[2, 3], [3, 4]]'," +
      std::to_string(kPid200 + 200) + ",NULL);");
  const auto ranks = read(bytes);
  ASSERT_TRUE(ranks.has_value()) << ranks.error().text();
  ASSERT_EQ(ranks->size(), 2U);
  const trace::RankTrace& first = (*ranks)[0];
  ASSERT_EQ(first.slice_count(), 1U);
  EXPECT_EQ(first.kind[0], trace::SliceKind::comm);
  EXPECT_EQ(first.collectives.at(0).kind, trace::CollectiveKind::all_reduce);
  const trace::RankTrace& second = (*ranks)[1];
  ASSERT_EQ(second.slice_count(), 4U);
  // The clock is the report's: 400 ns is this rank's first event.
  EXPECT_EQ(second.file_origin_ns, 400);
  const trace::LaunchIndex launches(second);
  for (trace::SliceId slice = 0; slice < second.slice_count(); ++slice) {
    if (second.kind[slice] != trace::SliceKind::compute) continue;
    EXPECT_EQ(second.start_ns[slice], 600);
    EXPECT_EQ(second.dur_ns[slice], 2000);
    EXPECT_EQ(second.kernel_args(slice)->grid[0], 10U);
    EXPECT_EQ(second.name_of(launches.launch_of(slice)), "cudaLaunchKernel");
  }
  ASSERT_EQ(second.ops.size(), 1U);
  EXPECT_EQ(second.name_of(second.ops[0].slice), "aten::mm");
  EXPECT_EQ(second.ops[0].sequence, 12);
  EXPECT_EQ(second.strings.view(second.ops[0].shapes), "[[2,3],[3,4]]");
  EXPECT_TRUE(trace::check_trace(trace::assemble(*ranks), trace::Strictness::recorded).empty());
}

TEST(NsysSqlite, BadRowsAreCountedAndTheRestIsRead) {
  const std::string bytes = database_of(
      kTables + kernel_row(kPid100, 0, 1000, 3000, 1, 1) + kernel_row(kPid100, 0, 5000, 4000, 2, 1) +
      kernel_row(kPid100, 0, 6000, INT64_MAX, 3, 1) + kernel_row(kPid100, 0, 7000, 8000, 4, 99) +
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, globalPid) VALUES(9000," + std::to_string(kPid100) + ");");
  const auto ranks = read(bytes);
  ASSERT_TRUE(ranks.has_value()) << ranks.error().text();
  const trace::RankTrace& rank = ranks->at(0);
  EXPECT_EQ(rank.slice_count(), 2U);
  for (const char* id : {"negative_duration", "bad_timestamp", "missing_time", "unknown_name"}) {
    ASSERT_NE(problem(rank, id), nullptr) << id;
    EXPECT_EQ(problem(rank, id)->count, 1) << id;
  }
}

TEST(NsysSqlite, OldExportsLackTablesAndColumns) {
  const std::string bytes = database_of(
      "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds VALUES(1,'saxpy');"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, \"end\" INTEGER, deviceId INTEGER, streamId INTEGER,"
      "correlationId INTEGER, shortName INTEGER); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(10, 20, 0, 7, 1, 1);");
  const auto ranks = read(bytes);
  ASSERT_TRUE(ranks.has_value()) << ranks.error().text();
  EXPECT_EQ(ranks->at(0).name_of(0), "saxpy");
  EXPECT_TRUE(ranks->at(0).kernels.empty());
}

TEST(NsysSqlite, WorkersOfTheOnlyGpuProcessStandBesideIt) {
  const std::string bytes =
      database_of(kTables + kernel_row(kPid100, 0, 1000, 3000, 1, 1) +
                  "INSERT INTO NVTX_EVENTS VALUES(400,4000,59,'decode'," + std::to_string(kPid200 + 200) + ",NULL);");
  const auto ranks = read(bytes);
  ASSERT_TRUE(ranks.has_value()) << ranks.error().text();
  ASSERT_EQ(ranks->size(), 1U);
  bool worker = false;
  for (const trace::Track& track : ranks->at(0).tracks) worker |= track.kind == trace::TrackKind::loader_worker;
  EXPECT_TRUE(worker);
}

TEST(NsysSqlite, GraphsAsBlocksAreSaidToBeBlocks) {
  const std::string bytes = database_of(
      kTables +
      "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start INTEGER, \"end\" INTEGER, deviceId INTEGER, streamId INTEGER,"
      "correlationId INTEGER, globalPid INTEGER, graphId INTEGER); INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE "
      "VALUES(10, 90, 0, 7, 5," +
      std::to_string(kPid100) + ", 3);");
  const auto ranks = read(bytes);
  ASSERT_TRUE(ranks.has_value()) << ranks.error().text();
  EXPECT_EQ(ranks->at(0).name_of(0), "CUDA graph 3 (one block)");
  EXPECT_NE(problem(ranks->at(0), "graph_as_block"), nullptr);
}

TEST(NsysSqlite, OtherDatabasesAreNamed) {
  const auto other = read(database_of("CREATE TABLE a(b); INSERT INTO a VALUES(1);"));
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(other.error().code, ErrorCode::unsupported);
  EXPECT_NE(other.error().message.find("StringIds"), std::string::npos);
  const auto empty = read(database_of(kTables));
  ASSERT_FALSE(empty.has_value());
  EXPECT_EQ(empty.error().code, ErrorCode::malformed);
}

// A view or a virtual table under a known name could run anything; only tables are read.
TEST(NsysSqlite, OnlyPlainTablesAreRead) {
  const auto ranks = read(
      database_of("CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds VALUES(1,'x');"
                  "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(start) AS (SELECT 1 UNION ALL SELECT "
                  "start + 1 FROM n)"
                  "SELECT start, start + 1 AS \"end\", 0 AS deviceId, 7 AS streamId FROM n;"));
  ASSERT_FALSE(ranks.has_value());
  EXPECT_EQ(ranks.error().code, ErrorCode::malformed);
}

// Cut anywhere, with any byte changed: an error or a reading, never a crash.
TEST(NsysSqlite, DamagedFilesAreAnErrorOrAReading) {
  const std::string whole = database_of(kTables + kernel_row(kPid100, 0, 1000, 3000, 1, 1));
  for (size_t size = 0; size < whole.size(); size += 97) (void)read(whole.substr(0, size));
  int read_all = 0;
  for (size_t at = 16; at < whole.size(); at += 61) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x5A);
    const auto ranks = read(damaged);
    if (!ranks) continue;
    ++read_all;
    EXPECT_TRUE(trace::check_trace(trace::assemble(*ranks), trace::Strictness::recorded).empty()) << at;
  }
  EXPECT_GT(read_all, 0);
}

TEST(NsysSqlite, WithoutSqliteTheMessageSaysWhere) {
  const std::string bytes = database_of(kTables);
  MemorySource source(bytes, "report.sqlite");
  NoProgress progress;
  const auto ranks = formats::read_any(source, progress);
  ASSERT_FALSE(ranks.has_value());
  EXPECT_EQ(ranks.error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace td
