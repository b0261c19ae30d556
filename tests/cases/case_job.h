// Small synthetic traces of reported cases: a job is written down as what its host threads do, and the device follows.
//
// Each rank has a main thread with a clock of its own, streams that run in order, and launches that reach an idle
// device after 6 us. Collectives start on each rank when they are launched and their stream is free, and end together.
// This is no simulator: nothing is drawn and nothing contends, so that each number of a case is the report's, or is
// marked as assumed where the case is written.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/facts.h"
#include "analysis/reading.h"
#include "trace/trace.h"

namespace td::cases {

struct KernelOptions {
  std::string op = "aten::op";  // host op around the launch; empty for none
  double host_us = 10;          // of that op; the launch call stands at its end
  int stream = 7;
  uint32_t grid = 108;
  std::string shapes = {};  // "[[1,4096],[4096,4096]]"; recorded only where not empty
  std::string types = {};
};

struct CollectiveOptions {
  int stream = 20;
  double host_us = 15;
  int64_t bytes = 0;           // not recorded where 0
  bool after_compute = true;   // waits for what stream 7 has been given so far
  bool compute_waits = false;  // stream 7 waits for it
  std::string dtype = "bfloat16";
};

class CaseRank {
 public:
  CaseRank(int32_t rank, int32_t world_size, std::string_view device);

  trace::RankTrace& header() { return builder_.header(); }

  // The next step begins; the mark before it ends. end_steps() ends the last one.
  void step(std::string_view name);
  void end_steps();
  // A range on the main thread around what `body` does.
  void range(std::string_view name, trace::SliceKind kind, const std::function<void()>& body);

  void kernel(std::string_view name, double dur_us, const KernelOptions& options = {});
  // One launch of `names.size()` kernels that follow each other after 1 us; `lost[i]` is not recorded.
  void graph(const std::vector<std::string>& names, double dur_us, const std::vector<bool>& lost = {},
             std::string_view api = "cudaGraphLaunch");
  // A host call of the main thread.
  void host(trace::SliceKind kind, std::string_view name, double us);
  // A range of the main thread from then until now.
  void mark(std::string_view name, double begin_us) {
    slice(main_, trace::SliceKind::annotation, name, begin_us, now_us_);
  }
  // The profiler at work on its own row, while the main thread stands still.
  void overhead(std::string_view name, double us);
  // Nothing is recorded for so long.
  void silence(double us) { now_us_ += us; }
  // Blocks until the device is done, and 5 us more.
  void sync(std::string_view api = "cudaStreamSynchronize");
  // A scalar comes to the host: a copy of 4 bytes, and the host waits for it.
  void item();
  // A copy on stream 7; a blocking one holds the host until it is done.
  void copy(std::string_view name, int64_t bytes, double bytes_per_s, bool blocking);
  // Stream `waiter` begins nothing more before `awaited` is done with what it has been given.
  void wait(int waiter, int awaited);

  [[nodiscard]] double now_us() const { return now_us_; }
  trace::RankTrace build();

 private:
  friend class CaseJob;
  struct Stream {
    trace::TrackId track = 0;
    double free_us = 0;
  };
  Stream& stream(int id);
  double start_of(int stream_id, double launched_us);
  trace::SliceId slice(trace::TrackId track, trace::SliceKind kind, std::string_view name, double begin_us,
                       double end_us, int64_t correlation = 0);
  // The launch call of 4 us; returns its correlation.
  int64_t launch(std::string_view api);

  trace::RankTraceBuilder builder_;
  trace::TrackId main_ = 0;
  std::optional<trace::TrackId> overhead_track_;
  std::map<int, Stream> streams_;
  double now_us_ = 0;
  double step_begin_us_ = -1;
  std::string step_name_;
  int64_t next_correlation_ = 1;
  int64_t next_external_ = 1;
};

class CaseJob {
 public:
  CaseJob(int32_t ranks, std::string_view device);

  CaseRank& rank(size_t index) { return ranks_[index]; }
  [[nodiscard]] size_t size() const { return ranks_.size(); }
  void each(const std::function<void(CaseRank&)>& body);
  void each(const std::function<void(CaseRank&, size_t)>& body);
  void step(std::string_view name);
  // All ranks; `dur_us` from the last arrival.
  void collective(trace::CollectiveKind kind, double dur_us, const CollectiveOptions& options = {});
  // From one rank to another: each one's kernel lasts from its own arrival to the common end.
  void send_recv(size_t from, size_t to, double dur_us);

  // Written to files, read back, assembled.
  trace::Trace build();

 private:
  std::vector<CaseRank> ranks_;
  int64_t next_sequence_ = 1;
};

// What a reader must and must not say.
struct Expected {
  std::vector<std::string> first = {};      // findings[0] is one of these
  std::vector<std::string> also = {};       // each of these is among the findings
  std::vector<std::string> forbidden = {};  // none of these is
};
void expect_reading(const trace::Trace& trace, const Expected& expected, const analysis::Facts& facts = {});
analysis::Reading reading_of(const trace::Trace& trace, const analysis::Facts& facts = {});
// A finding's cost as a share of the mean step; -1 without it.
double cost_frac(const analysis::Reading& reading, std::string_view cause);
analysis::Facts facts_with_fabric(const trace::Trace& trace, std::string_view fabric);

}  // namespace td::cases
