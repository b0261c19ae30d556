// Rows of an Nsight Systems export -> slices, one RankTrace for each process that used a GPU.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "base/io.h"
#include "base/result.h"
#include "formats/nsys_sqlite/session.h"
#include "formats/problems.h"
#include "trace/trace.h"

namespace td::formats::nsys {

class Mapper {
 public:
  Mapper(Database& database, const Session& session, Progress& progress, std::string file)
      : database_(database), session_(session), progress_(progress), file_(std::move(file)) {}

  // Every table that holds events. `io` if cancelled; what the database says.
  Status run();

  // By device and process. Empty if no event was found.
  std::vector<trace::RankTrace> finish();

 private:
  // What one process did, under way.
  struct Process {
    int64_t global_id = 0;
    trace::RankTraceBuilder builder;
    std::map<int64_t, trace::TrackId> threads;                      // by global thread id
    std::map<std::pair<int64_t, int64_t>, trace::TrackId> streams;  // (device, stream)
    std::map<std::pair<int64_t, int64_t>, trace::TrackId> syncs;    // (device, stream)
    std::map<int64_t, trace::TrackId> ranges;                       // NVTX start/end ranges, by domain
    trace::TrackId overhead = 0;
    bool has_overhead = false;
    int64_t first_device = -1;
  };

  Process& process(int64_t global_id);
  trace::TrackId thread(Process& process, int64_t global_tid);
  trace::TrackId stream(Process& process, int64_t device, int64_t stream);
  trace::TrackId sync_row(Process& process, int64_t device, int64_t stream);
  trace::TrackId range_row(Process& process, int64_t domain);
  trace::TrackId overhead_row(Process& process);

  // The slice's start and length, or false, counted, if the row has none that can be.
  bool times(const Row& row, std::string_view table, TimeNs& start_ns, TimeNs& dur_ns);
  trace::StringId name(Process& process, int64_t string_id, std::string_view table);

  Status kernels();
  Status graphs();
  Status copies();
  Status memsets();
  Status syncs();
  Status api_calls();
  Status ranges();
  Status os_calls();
  Status overheads();
  Status gpu_metrics();
  void add_range(const Row& row);
  void adopt_workers(std::vector<Process*>& with_gpu, std::vector<Process*>& others);
  Status each_row(std::string_view table, std::span<const std::string_view> columns,
                  const std::function<void(const Row&)>& visit);

  Database& database_;
  const Session& session_;
  Progress& progress_;
  std::string file_;
  Problems problems_;
  int64_t rows_ = 0;
  std::map<int64_t, std::unique_ptr<Process>> processes_;
  struct Metric {
    int64_t device;
    std::string name;
    std::vector<std::pair<TimeNs, int64_t>> samples;  // millionths
  };
  std::map<std::pair<int64_t, int64_t>, Metric> metrics_;  // (typeId, metricId)
};

}  // namespace td::formats::nsys
