// Tiny traces for tests: a rank is written down call by call, in microseconds, so that a test's expectation is sums
// that one can check by eye.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/trace.h"

namespace td::analysis::testing {

constexpr TimeNs us(int64_t value) { return value * kNsPerUs; }

// One rank with a main thread (and an autograd thread on demand), a compute stream and a communication stream.
class TinyRank {
 public:
  explicit TinyRank(int32_t rank = 0, int32_t world_size = 1) {
    trace::RankTrace& header = builder_.header();
    header.rank = rank;
    header.world_size = world_size;
    header.file = "rank" + std::to_string(rank) + ".json";
    header.device_name = "NVIDIA H100 80GB HBM3";
    main_ = track(trace::TrackKind::host_thread, 100, "thread 100 (main)");
    stream_ = track(trace::TrackKind::stream, 7, "stream 7");
    comm_stream_ = track(trace::TrackKind::stream, 20, "stream 20");
  }

  trace::RankTrace& header() { return builder_.header(); }
  trace::TrackId main_thread() const { return main_; }
  trace::TrackId another_thread(int64_t tid) {
    return track(trace::TrackKind::host_thread, tid, "thread " + std::to_string(tid));
  }

  TinyRank& step(int64_t number, int64_t begin_us, int64_t end_us) {
    return host(trace::SliceKind::annotation, "ProfilerStep#" + std::to_string(number), begin_us, end_us);
  }

  // A host slice of the main thread.
  TinyRank& host(trace::SliceKind kind, std::string_view name, int64_t begin_us, int64_t end_us) {
    return host_on(main_, kind, name, begin_us, end_us);
  }
  TinyRank& host_on(trace::TrackId thread, trace::SliceKind kind, std::string_view name, int64_t begin_us,
                    int64_t end_us) {
    builder_.add_slice(thread, kind, builder_.intern(name), us(begin_us), us(end_us - begin_us));
    return *this;
  }

  // A compute kernel, launched on the main thread by a call of 2 us.
  TinyRank& kernel(std::string_view name, int64_t launch_us, int64_t start_us, int64_t end_us, uint32_t grid = 1) {
    return kernel_from(main_, name, launch_us, start_us, end_us, grid);
  }
  TinyRank& kernel_from(trace::TrackId thread, std::string_view name, int64_t launch_us, int64_t start_us,
                        int64_t end_us, uint32_t grid = 1) {
    const trace::SliceId slice =
        launched(thread, "cudaLaunchKernel", trace::SliceKind::compute, stream_, name, launch_us, 2, start_us, end_us);
    trace::KernelArgs args;
    args.slice = slice;
    args.grid[0] = grid;
    builder_.add(args);
    return *this;
  }

  // The same from inside an op with recorded shapes; launched where the op begins.
  TinyRank& kernel_of(std::string_view op, std::string_view shapes, std::string_view types, std::string_view name,
                      int64_t launch_us, int64_t start_us, int64_t end_us) {
    const trace::SliceId host_op =
        builder_.add_slice(main_, trace::SliceKind::host_op, builder_.intern(op), us(launch_us), us(3));
    const int64_t id = next_correlation_;
    builder_.add(trace::OpArgs{
        .slice = host_op, .external_id = id, .shapes = builder_.intern(shapes), .types = builder_.intern(types)});
    const trace::SliceId slice =
        launched(main_, "cudaLaunchKernel", trace::SliceKind::compute, stream_, name, launch_us, 2, start_us, end_us);
    builder_.add(trace::OpArgs{.slice = slice, .external_id = id});
    return *this;
  }

  TinyRank& all_reduce(int64_t launch_us, int64_t start_us, int64_t end_us, int64_t elements = 1000,
                       trace::DType dtype = trace::DType::float32) {
    const trace::SliceId slice = launched(main_, "cudaLaunchKernelExC", trace::SliceKind::comm, comm_stream_,
                                          "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                                          launch_us, 2, start_us, end_us);
    trace::CollectiveArgs args;
    args.slice = slice;
    args.kind = trace::CollectiveKind::all_reduce;
    args.dtype = dtype;
    args.in_count = elements;
    args.out_count = elements;
    args.group_size = builder_.header().world_size;
    args.group = builder_.intern("0");
    builder_.add(args);
    return *this;
  }

  TinyRank& copy(std::string_view name, int64_t launch_us, int64_t call_us, int64_t start_us, int64_t end_us) {
    launched(main_, "cudaMemcpyAsync", trace::SliceKind::copy, stream_, name, launch_us, call_us, start_us, end_us);
    return *this;
  }

  // GPU work without a launch in the file.
  TinyRank& orphan(std::string_view name, int64_t start_us, int64_t end_us) {
    builder_.add_slice(stream_, trace::SliceKind::compute, builder_.intern(name), us(start_us), us(end_us - start_us),
                       next_correlation_++);
    return *this;
  }
  // A launch without GPU work.
  TinyRank& lost_launch(int64_t launch_us) {
    builder_.add_slice(main_, trace::SliceKind::runtime, builder_.intern("cudaLaunchKernel"), us(launch_us), us(2),
                       next_correlation_++);
    return *this;
  }

  // Times keep their zero, so that a test's microseconds are the trace's.
  trace::RankTrace build() { return builder_.finish_at(0); }

 private:
  trace::TrackId track(trace::TrackKind kind, int64_t tid, const std::string& name) {
    trace::Track out;
    out.kind = kind;
    out.pid = kind == trace::TrackKind::stream ? 0 : 4211;
    out.tid = tid;
    out.name = builder_.intern(name);
    if (kind == trace::TrackKind::stream) out.device = 0;
    return builder_.add_track(out);
  }

  trace::SliceId launched(trace::TrackId thread, std::string_view api, trace::SliceKind kind, trace::TrackId stream,
                          std::string_view name, int64_t launch_us, int64_t call_us, int64_t start_us, int64_t end_us) {
    const int64_t correlation = next_correlation_++;
    builder_.add_slice(thread, trace::SliceKind::runtime, builder_.intern(api), us(launch_us), us(call_us),
                       correlation);
    return builder_.add_slice(stream, kind, builder_.intern(name), us(start_us), us(end_us - start_us), correlation);
  }

  trace::RankTraceBuilder builder_;
  trace::TrackId main_ = 0;
  trace::TrackId stream_ = 0;
  trace::TrackId comm_stream_ = 0;
  int64_t next_correlation_ = 1;
};

inline trace::Trace job(std::vector<trace::RankTrace> ranks) { return trace::assemble(std::move(ranks)); }
inline trace::Trace job(trace::RankTrace rank) {
  std::vector<trace::RankTrace> ranks;
  ranks.push_back(std::move(rank));
  return job(std::move(ranks));
}

}  // namespace td::analysis::testing
