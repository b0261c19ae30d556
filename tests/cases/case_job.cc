#include "case_job.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/read.h"
#include "base/io.h"
#include "base/math.h"
#include "formats/format.h"

namespace td::cases {
namespace {

using trace::SliceKind;

constexpr double kLatencyUs = 6;
constexpr double kCallUs = 4;

TimeNs ns(double us) { return round_to_int(us * 1000.0); }

std::string_view kernel_of(trace::CollectiveKind kind) {
  switch (kind) {
    case trace::CollectiveKind::all_gather:
      return "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
    case trace::CollectiveKind::reduce_scatter:
      return "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
    case trace::CollectiveKind::all_to_all:
    case trace::CollectiveKind::send_recv:
      return "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)";
    default:
      return "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
  }
}

Result<trace::Trace> through_files(const std::vector<trace::RankTrace>& ranks) {
  std::vector<trace::RankTrace> out;
  NoProgress progress;
  for (const formats::Format& format : formats::registered_formats()) {
    if (format.id != "chrome_json") continue;
    for (const trace::RankTrace& rank : ranks) {
      std::string bytes;
      StringSink sink(bytes);
      const std::vector<const trace::RankTrace*> one = {&rank};
      TRY_OK(format.write(one, sink));
      MemorySource source(bytes, "rank" + std::to_string(rank.rank) + ".json");
      std::vector<trace::RankTrace> read = TRY(formats::read_any(source, progress));
      for (trace::RankTrace& read_rank : read) out.push_back(std::move(read_rank));
    }
  }
  return trace::assemble(std::move(out));
}

}  // namespace

CaseRank::CaseRank(int32_t rank, int32_t world_size, std::string_view device) {
  trace::RankTrace& header = builder_.header();
  header.rank = rank;
  header.world_size = world_size;
  header.file = "rank" + std::to_string(rank) + ".json";
  header.device_name = std::string(device);
  trace::Track track;
  track.kind = trace::TrackKind::host_thread;
  track.pid = 4211;
  track.tid = 4211;
  track.name = builder_.intern("thread 4211 (pt_main_thread)");
  main_ = builder_.add_track(track);
}

CaseRank::Stream& CaseRank::stream(int id) {
  const auto it = streams_.find(id);
  if (it != streams_.end()) return it->second;
  trace::Track track;
  track.kind = trace::TrackKind::stream;
  track.tid = id;
  track.name = builder_.intern("stream " + std::to_string(id));
  track.device = 0;
  return streams_.emplace(id, Stream{builder_.add_track(track), 0}).first->second;
}

trace::SliceId CaseRank::slice(trace::TrackId track, SliceKind kind, std::string_view name, double begin_us,
                               double end_us, int64_t correlation) {
  const TimeNs begin_ns = ns(begin_us);
  return builder_.add_slice(track, kind, builder_.intern(name), begin_ns, std::max<TimeNs>(0, ns(end_us) - begin_ns),
                            correlation);
}

double CaseRank::start_of(int stream_id, double launched_us) {
  return std::max(stream(stream_id).free_us, launched_us + kLatencyUs);
}

int64_t CaseRank::launch(std::string_view api) {
  const int64_t correlation = next_correlation_++;
  slice(main_, SliceKind::runtime, api, now_us_, now_us_ + kCallUs, correlation);
  now_us_ += kCallUs;
  return correlation;
}

void CaseRank::step(std::string_view name) {
  end_steps();
  step_begin_us_ = now_us_;
  step_name_ = std::string(name);
}

void CaseRank::end_steps() {
  if (step_begin_us_ >= 0) slice(main_, SliceKind::annotation, step_name_, step_begin_us_, now_us_);
  step_begin_us_ = -1;
}

void CaseRank::range(std::string_view name, SliceKind kind, const std::function<void()>& body) {
  const double begin_us = now_us_;
  body();
  slice(main_, kind, name, begin_us, now_us_);
}

void CaseRank::kernel(std::string_view name, double dur_us, const KernelOptions& options) {
  const double begin_us = now_us_;
  const int64_t external = next_external_++;
  now_us_ += std::max(0.0, options.host_us - kCallUs);
  const double launched_us = now_us_;
  const int64_t correlation = launch("cudaLaunchKernel");
  if (!options.op.empty()) {
    const trace::SliceId op = slice(main_, SliceKind::host_op, options.op, begin_us, now_us_);
    trace::OpArgs args{.slice = op, .external_id = external};
    if (!options.shapes.empty()) {
      args.shapes = builder_.intern(options.shapes);
      args.types = builder_.intern(options.types);
    }
    builder_.add(args);
  }
  const double start_us = start_of(options.stream, launched_us);
  Stream& on = stream(options.stream);
  const trace::SliceId work = slice(on.track, SliceKind::compute, name, start_us, start_us + dur_us, correlation);
  on.free_us = start_us + dur_us + 1;
  trace::KernelArgs args;
  args.slice = work;
  args.grid[0] = options.grid;
  args.grid[1] = args.grid[2] = 1;
  args.block[0] = 256;
  args.block[1] = args.block[2] = 1;
  builder_.add(args);
  if (!options.op.empty()) builder_.add(trace::OpArgs{.slice = work, .external_id = external});
}

void CaseRank::graph(const std::vector<std::string>& names, double dur_us, const std::vector<bool>& lost,
                     std::string_view api) {
  const double launched_us = now_us_;
  const int64_t correlation = launch(api);
  Stream& on = stream(7);
  double at_us = start_of(7, launched_us);
  for (size_t i = 0; i < names.size(); ++i) {
    if (i >= lost.size() || !lost[i]) slice(on.track, SliceKind::compute, names[i], at_us, at_us + dur_us, correlation);
    at_us += dur_us + 1;
  }
  on.free_us = at_us;
}

void CaseRank::host(SliceKind kind, std::string_view name, double us) {
  slice(main_, kind, name, now_us_, now_us_ + us);
  now_us_ += us;
}

void CaseRank::overhead(std::string_view name, double us) {
  if (!overhead_track_) {
    trace::Track track;
    track.kind = trace::TrackKind::other;
    track.pid = -1;
    track.name = builder_.intern("overhead");
    overhead_track_ = builder_.add_track(track);
  }
  slice(*overhead_track_, SliceKind::overhead, name, now_us_, now_us_ + us);
  now_us_ += us;
}

void CaseRank::sync(std::string_view api) {
  double done_us = now_us_ + kCallUs;
  for (const auto& [id, one] : streams_) done_us = std::max(done_us, one.free_us - 1);
  done_us += 5;
  slice(main_, SliceKind::runtime, api, now_us_, done_us, next_correlation_++);
  now_us_ = done_us;
}

void CaseRank::item() {
  const double begin_us = now_us_;
  now_us_ += 5;
  const double launched_us = now_us_;
  const int64_t correlation = launch("cudaMemcpyAsync");
  Stream& on = stream(7);
  const double start_us = start_of(7, launched_us);
  const trace::SliceId work =
      slice(on.track, SliceKind::copy, "Memcpy DtoH (Device -> Pageable)", start_us, start_us + 1.5, correlation);
  builder_.add(trace::CopyArgs{.slice = work, .kind = trace::CopyKind::d2h, .size_bytes = 4});
  on.free_us = start_us + 2.5;
  sync();
  slice(main_, SliceKind::host_op, "aten::item", begin_us, now_us_);
}

void CaseRank::copy(std::string_view name, int64_t bytes, double bytes_per_s, bool blocking) {
  const double dur_us = static_cast<double>(bytes) / bytes_per_s * 1e6;
  const double launched_us = now_us_;
  Stream& on = stream(7);
  const double start_us = start_of(7, launched_us);
  const int64_t correlation = next_correlation_++;
  const double call_end_us = blocking ? start_us + dur_us + 2 : now_us_ + 5;
  slice(main_, SliceKind::runtime, "cudaMemcpyAsync", now_us_, call_end_us, correlation);
  now_us_ = call_end_us;
  const trace::SliceId work = slice(on.track, SliceKind::copy, name, start_us, start_us + dur_us, correlation);
  builder_.add(trace::CopyArgs{.slice = work, .kind = trace::copy_of_name(name), .size_bytes = bytes});
  on.free_us = start_us + dur_us + 1;
}

void CaseRank::wait(int waiter, int awaited) {
  stream(waiter).free_us = std::max(stream(waiter).free_us, stream(awaited).free_us);
}

trace::RankTrace CaseRank::build() {
  end_steps();
  return builder_.finish_at(0);
}

CaseJob::CaseJob(int32_t ranks, std::string_view device) {
  for (int32_t r = 0; r < ranks; ++r) ranks_.emplace_back(r, ranks, device);
}

void CaseJob::each(const std::function<void(CaseRank&)>& body) {
  for (CaseRank& rank : ranks_) body(rank);
}
void CaseJob::each(const std::function<void(CaseRank&, size_t)>& body) {
  for (size_t r = 0; r < ranks_.size(); ++r) body(ranks_[r], r);
}
void CaseJob::step(std::string_view name) {
  each([&](CaseRank& rank) { rank.step(name); });
}

void CaseJob::collective(trace::CollectiveKind kind, double dur_us, const CollectiveOptions& options) {
  const int64_t sequence = next_sequence_++;
  std::vector<double> starts;
  std::vector<int64_t> correlations;
  double last_us = 0;
  for (CaseRank& rank : ranks_) {
    const double begin_us = rank.now_us_;
    rank.now_us_ += std::max(0.0, options.host_us - kCallUs);
    if (options.after_compute) rank.wait(options.stream, 7);
    const double launched_us = rank.now_us_;
    correlations.push_back(rank.launch("cudaLaunchKernelExC"));
    rank.slice(rank.main_, SliceKind::host_op, "record_param_comms", begin_us, rank.now_us_);
    starts.push_back(rank.start_of(options.stream, launched_us));
    last_us = std::max(last_us, starts.back());
  }
  const double end_us = last_us + dur_us;
  for (size_t r = 0; r < ranks_.size(); ++r) {
    CaseRank& rank = ranks_[r];
    CaseRank::Stream& on = rank.stream(options.stream);
    const trace::SliceId work =
        rank.slice(on.track, SliceKind::comm, kernel_of(kind), starts[r], end_us, correlations[r]);
    trace::CollectiveArgs args;
    args.slice = work;
    args.kind = kind;
    args.dtype = trace::dtype_of(options.dtype == "float32" ? "Float" : "BFloat16");
    args.group_size = static_cast<int32_t>(ranks_.size());
    args.sequence = sequence;
    if (options.bytes > 0) {
      const int64_t elements = options.bytes / trace::size_bytes(args.dtype);
      args.in_count = kind == trace::CollectiveKind::all_gather ? elements / args.group_size : elements;
      args.out_count = kind == trace::CollectiveKind::reduce_scatter ? elements / args.group_size : elements;
    }
    args.group = rank.builder_.intern("0");
    rank.builder_.add(args);
    on.free_us = end_us + 1;
    if (options.compute_waits) rank.wait(7, options.stream);
  }
}

void CaseJob::send_recv(size_t from, size_t to, double dur_us) {
  std::vector<size_t> both = {from, to};
  std::vector<double> starts;
  std::vector<int64_t> correlations;
  double last_us = 0;
  for (const size_t r : both) {
    CaseRank& rank = ranks_[r];
    // Activations are sent when they are computed; the receiver waits for them whatever it computes.
    if (r == from) rank.wait(30, 7);
    const double launched_us = rank.now_us_;
    correlations.push_back(rank.launch("cudaLaunchKernelExC"));
    starts.push_back(rank.start_of(r == from ? 30 : 31, launched_us));
    last_us = std::max(last_us, starts.back());
  }
  for (size_t i = 0; i < 2; ++i) {
    CaseRank& rank = ranks_[both[i]];
    CaseRank::Stream& on = rank.stream(i == 0 ? 30 : 31);
    const trace::SliceId work = rank.slice(on.track, SliceKind::comm, kernel_of(trace::CollectiveKind::send_recv),
                                           starts[i], last_us + dur_us, correlations[i]);
    trace::CollectiveArgs args;
    args.slice = work;
    args.kind = trace::CollectiveKind::send_recv;
    args.dtype = trace::DType::bfloat16;
    args.group_size = 2;
    args.in_count = args.out_count = 1'000'000;
    args.group = rank.builder_.intern("pp");
    rank.builder_.add(args);
    on.free_us = last_us + dur_us + 1;
    if (i == 1) rank.wait(7, 31);
  }
}

trace::Trace CaseJob::build() {
  std::vector<trace::RankTrace> built;
  for (CaseRank& rank : ranks_) built.push_back(rank.build());
  Result<trace::Trace> trace = through_files(built);
  EXPECT_TRUE(trace) << trace.error().text();
  return trace ? *std::move(trace) : trace::Trace{};
}

analysis::Reading reading_of(const trace::Trace& trace, const analysis::Facts& facts) {
  return analysis::read(trace, facts);
}

void expect_reading(const trace::Trace& trace, const Expected& expected, const analysis::Facts& facts) {
  const analysis::Reading reading = reading_of(trace, facts);
  ASSERT_FALSE(reading.findings.empty());
  std::string all;
  for (const analysis::Finding& finding : reading.findings)
    all += finding.cause + " " + std::to_string(finding.cost_ns_per_step.value_or(-1)) + "; ";
  if (!reading.ledgers.empty()) {
    const analysis::Ledger& own = reading.ledgers.front();
    all += "step " + std::to_string(own.step_ns) + " compute " + std::to_string(own.compute_ns) + " comm " +
           std::to_string(own.exposed_comm_ns) + " copy " + std::to_string(own.exposed_copy_ns) + " idle";
    for (const analysis::GapGroup& gap : own.gaps)
      all += " " + std::string(analysis::to_string(gap.owner)) + " " + std::to_string(gap.total_ns);
  }
  for (const analysis::OverlapKind& row : reading.overlap.by_kind)
    all += "; " + row.kind + " " + std::to_string(row.comm_ns) + " exposed " + std::to_string(row.exposed_ns);
  for (const analysis::Problem& problem : reading.trust.problems) all += " [" + problem.id + "]";
  const auto has = [&](const std::string& cause) {
    return std::ranges::any_of(reading.findings, [&](const analysis::Finding& f) { return f.cause == cause; });
  };
  if (!expected.first.empty()) {
    EXPECT_TRUE(std::ranges::find(expected.first, reading.findings.front().cause) != expected.first.end())
        << "read as " << all;
  }
  for (const std::string& cause : expected.also) EXPECT_TRUE(has(cause)) << cause << " is not among " << all;
  for (const std::string& cause : expected.forbidden) EXPECT_FALSE(has(cause)) << cause << " is among " << all;
}

double cost_frac(const analysis::Reading& reading, std::string_view cause) {
  for (const analysis::Finding& finding : reading.findings)
    if (finding.cause == cause)
      return static_cast<double>(finding.cost_ns_per_step.value_or(0)) /
             static_cast<double>(reading.ledgers.front().step_ns);
  return -1;
}

analysis::Facts facts_with_fabric(const trace::Trace& trace, std::string_view fabric) {
  analysis::Facts facts;
  const Status added = analysis::add_fabric(facts, fabric, trace);
  EXPECT_TRUE(added) << added.error().text();
  return facts;
}

}  // namespace td::cases
