#include "formats/nsys_sqlite/mapper.h"

#include <algorithm>
#include <array>
#include <utility>

#include "formats/nesting.h"
#include "formats/nsys_sqlite/names.h"
#include "formats/plausible.h"

namespace td::formats::nsys {
namespace {

using trace::RankTrace;
using trace::SliceId;
using trace::SliceKind;
using trace::Track;
using trace::TrackId;
using trace::TrackKind;

template <size_t N>
using Columns = std::array<std::string_view, N>;

constexpr TimeNs kLatestNs = int64_t{100} * 365 * 24 * 3600 * kNsPerS;
constexpr int64_t kProgressRows = int64_t{1} << 18;
// A track and a metric cost memory of their own.
constexpr size_t kMaxTracks = size_t{1} << 20;
// GPU processes of one report; the largest nodes have 16 GPUs, of up to 7 instances each.
constexpr size_t kMaxProcesses = 65'536;

// NVTX event types.
constexpr int64_t kMark = 34;
constexpr int64_t kPushPop = 59;
constexpr int64_t kStartEnd = 60;

uint32_t dimension(int64_t value) { return static_cast<uint32_t>(std::clamp<int64_t>(value, 0, UINT32_MAX)); }
int32_t small(int64_t value) { return static_cast<int32_t>(std::clamp<int64_t>(value, -1, INT32_MAX)); }

}  // namespace

Status Mapper::each_row(std::string_view table, std::span<const std::string_view> columns,
                        const std::function<void(const Row&)>& visit) {
  bool cancelled = false;
  bool too_many = false;
  TRY_OK(database_.each_row(table, columns, [&](const Row& row) {
    if (++rows_ % kProgressRows == 0) {
      progress_.report("reading " + std::string(table), rows_, -1);
      cancelled = progress_.cancelled();
    }
    visit(row);
    too_many = processes_.size() > kMaxProcesses;
    return !cancelled && !too_many;
  }));
  if (cancelled) return fail(ErrorCode::cancelled, "reading was cancelled", file_);
  if (too_many)
    return fail(ErrorCode::malformed, "over " + std::to_string(kMaxProcesses) + " processes, expected those of a node",
                file_);
  return {};
}

Mapper::Process& Mapper::process(int64_t global_id) {
  const int64_t id = process_of(global_id);
  std::unique_ptr<Process>& slot = processes_[id];
  if (!slot) {
    slot = std::make_unique<Process>();
    slot->global_id = id;
  }
  return *slot;
}

TrackId Mapper::thread(Process& process, int64_t global_tid) {
  if (const auto it = process.threads.find(global_tid); it != process.threads.end()) return it->second;
  Track track{.kind = TrackKind::host_thread, .pid = pid_of(global_tid), .tid = tid_of(global_tid)};
  if (const auto it = session_.process_names.find(process.global_id); it != session_.process_names.end())
    track.process_name = process.builder.intern(it->second);
  std::string name = "thread " + std::to_string(track.tid);
  if (const auto it = session_.thread_names.find(global_tid); it != session_.thread_names.end())
    name += " (" + it->second + ")";
  track.name = process.builder.intern(name);
  return process.threads.emplace(global_tid, process.builder.add_track(track)).first->second;
}

TrackId Mapper::stream(Process& process, int64_t device, int64_t stream) {
  const std::pair key(device, stream);
  if (const auto it = process.streams.find(key); it != process.streams.end()) return it->second;
  if (process.first_device < 0) process.first_device = device;
  const Track track{.kind = TrackKind::stream,
                    .pid = device,
                    .tid = stream,
                    .process_name = process.builder.intern("GPU " + std::to_string(device)),
                    .name = process.builder.intern("stream " + std::to_string(stream)),
                    .device = small(device)};
  return process.streams.emplace(key, process.builder.add_track(track)).first->second;
}

TrackId Mapper::sync_row(Process& process, int64_t device, int64_t stream) {
  const std::pair key(device, stream);
  if (const auto it = process.syncs.find(key); it != process.syncs.end()) return it->second;
  const Track track{.kind = TrackKind::sync,
                    .pid = device,
                    .tid = stream,
                    .process_name = process.builder.intern("GPU " + std::to_string(device)),
                    .name = process.builder.intern("stream " + std::to_string(stream) + " (sync)"),
                    .device = small(device)};
  return process.syncs.emplace(key, process.builder.add_track(track)).first->second;
}

TrackId Mapper::range_row(Process& process, int64_t domain) {
  if (const auto it = process.ranges.find(domain); it != process.ranges.end()) return it->second;
  Track track{.kind = TrackKind::host_thread, .pid = pid_of(process.global_id)};
  track.name = process.builder.intern("NVTX ranges" + (domain == 0 ? "" : ", domain " + std::to_string(domain)));
  return process.ranges.emplace(domain, process.builder.add_track(track)).first->second;
}

TrackId Mapper::overhead_row(Process& process) {
  if (!process.has_overhead) {
    Track track{.kind = TrackKind::other, .pid = pid_of(process.global_id)};
    track.name = process.builder.intern("profiler overhead");
    process.overhead = process.builder.add_track(track);
    process.has_overhead = true;
  }
  return process.overhead;
}

bool Mapper::times(const Row& row, std::string_view table, TimeNs& start_ns, TimeNs& dur_ns) {
  const auto refuse = [&](std::string_view id, std::string_view what) {
    if (!problems_.has(id))
      problems_.add_global(
          id, std::string(what) + "; first in " + std::string(table) + " at start " + std::string(row.text(0)));
    else
      problems_.add_global(id, "");
    return false;
  };
  if (row.is_null(0) || row.is_null(1)) return refuse("missing_time", "rows without start or end were left out");
  start_ns = row.integer(0);
  const TimeNs end_ns = row.integer(1);
  if (start_ns < -kLatestNs || start_ns > kLatestNs || end_ns > kLatestNs)
    return refuse("bad_timestamp", "rows over a hundred years from 0 were left out");
  if (end_ns < start_ns) return refuse("negative_duration", "rows that end before they start were left out");
  dur_ns = end_ns - start_ns;
  return true;
}

trace::StringId Mapper::name(Process& process, int64_t string_id, std::string_view table) {
  std::string_view text;
  if (session_.string_of(string_id, text)) return process.builder.intern(text);
  problems_.add_global("unknown_name", "names that StringIds does not hold read as \"?\"; first in " +
                                           std::string(table) + ", id " + std::to_string(string_id));
  return process.builder.intern("?");
}

Status Mapper::kernels() {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_KERNEL";
  constexpr Columns<16> kColumns = {"start",
                                    "end",
                                    "deviceId",
                                    "streamId",
                                    "correlationId",
                                    "globalPid",
                                    "demangledName",
                                    "shortName",
                                    "gridX",
                                    "gridY",
                                    "gridZ",
                                    "blockX",
                                    "blockY",
                                    "blockZ",
                                    "registersPerThread",
                                    "staticSharedMemory"};
  return each_row(kTable, kColumns, [&](const Row& row) {
    TimeNs start_ns = 0;
    TimeNs dur_ns = 0;
    if (!times(row, kTable, start_ns, dur_ns)) return;
    Process& owner = process(row.integer(5));
    const TrackId track = stream(owner, row.integer(2), row.integer(3));
    std::string_view known;
    const bool has_long_name = session_.string_of(row.integer(6), known);
    const trace::StringId id = name(owner, row.integer(has_long_name ? 6 : 7), kTable);
    const std::string_view text = owner.builder.header().strings.view(id);
    const bool is_comm = trace::is_communication_kernel(text);
    const trace::CollectiveKind collective = trace::collective_of_kernel(text);
    const SliceId slice = owner.builder.add_slice(track, is_comm ? SliceKind::comm : SliceKind::compute, id, start_ns,
                                                  dur_ns, row.integer(4));
    if (is_comm) owner.builder.add(trace::CollectiveArgs{.slice = slice, .kind = collective});
    if (row.is_null(8)) return;
    trace::KernelArgs args{.slice = slice};
    for (size_t i = 0; i < 3; ++i) {
      args.grid[i] = dimension(row.integer(8 + i));
      args.block[i] = dimension(row.integer(11 + i));
    }
    args.registers_per_thread = row.is_null(14) ? -1 : small(row.integer(14));
    args.shared_memory_bytes = row.is_null(15) ? -1 : small(row.integer(15));
    owner.builder.add(args);
  });
}

// Without --cuda-graph-trace=node a launched graph is one row, whatever ran in it.
Status Mapper::graphs() {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
  constexpr Columns<7> kColumns = {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "graphId"};
  return each_row(kTable, kColumns, [&](const Row& row) {
    TimeNs start_ns = 0;
    TimeNs dur_ns = 0;
    if (!times(row, kTable, start_ns, dur_ns)) return;
    Process& owner = process(row.integer(5));
    const TrackId track = stream(owner, row.integer(2), row.integer(3));
    const trace::StringId id = owner.builder.intern("CUDA graph " + std::to_string(row.integer(6)) + " (one block)");
    owner.builder.add_slice(track, SliceKind::compute, id, start_ns, dur_ns, row.integer(4));
    problems_.add_global("graph_as_block",
                         "graph launches were recorded as one block each; capture with --cuda-graph-trace=node to see "
                         "their kernels");
  });
}

Status Mapper::copies() {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_MEMCPY";
  constexpr Columns<10> kColumns = {"start",     "end",   "deviceId", "streamId", "correlationId",
                                    "globalPid", "bytes", "copyKind", "srcKind",  "dstKind"};
  return each_row(kTable, kColumns, [&](const Row& row) {
    TimeNs start_ns = 0;
    TimeNs dur_ns = 0;
    if (!times(row, kTable, start_ns, dur_ns)) return;
    Process& owner = process(row.integer(5));
    const TrackId track = stream(owner, row.integer(2), row.integer(3));
    const int64_t kind = row.integer(7);
    const std::string text =
        copy_name(kind, row.is_null(8) ? -1 : row.integer(8), row.is_null(9) ? -1 : row.integer(9));
    const SliceId slice =
        owner.builder.add_slice(track, SliceKind::copy, owner.builder.intern(text), start_ns, dur_ns, row.integer(4));
    owner.builder.add(trace::CopyArgs{.slice = slice,
                                      .kind = copy_kind(kind),
                                      .size_bytes = std::max<int64_t>(row.is_null(6) ? -1 : row.integer(6), -1)});
  });
}

Status Mapper::memsets() {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_MEMSET";
  constexpr Columns<7> kColumns = {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "bytes"};
  return each_row(kTable, kColumns, [&](const Row& row) {
    TimeNs start_ns = 0;
    TimeNs dur_ns = 0;
    if (!times(row, kTable, start_ns, dur_ns)) return;
    Process& owner = process(row.integer(5));
    const TrackId track = stream(owner, row.integer(2), row.integer(3));
    const SliceId slice = owner.builder.add_slice(track, SliceKind::memset, owner.builder.intern("Memset (Device)"),
                                                  start_ns, dur_ns, row.integer(4));
    if (!row.is_null(6))
      owner.builder.add(trace::CopyArgs{.slice = slice, .size_bytes = std::max<int64_t>(row.integer(6), -1)});
  });
}

Status Mapper::syncs() {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
  constexpr Columns<7> kColumns = {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "syncType"};
  return each_row(kTable, kColumns, [&](const Row& row) {
    TimeNs start_ns = 0;
    TimeNs dur_ns = 0;
    if (!times(row, kTable, start_ns, dur_ns)) return;
    Process& owner = process(row.integer(5));
    const TrackId track = sync_row(owner, row.integer(2), row.integer(3));
    owner.builder.add_slice(track, SliceKind::sync, owner.builder.intern(sync_name(row.integer(6))), start_ns, dur_ns,
                            row.integer(4));
  });
}

Status Mapper::api_calls() {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_RUNTIME";
  constexpr Columns<5> kColumns = {"start", "end", "globalTid", "correlationId", "nameId"};
  return each_row(kTable, kColumns, [&](const Row& row) {
    TimeNs start_ns = 0;
    TimeNs dur_ns = 0;
    if (!times(row, kTable, start_ns, dur_ns)) return;
    Process& owner = process(row.integer(2));
    const trace::StringId whole = name(owner, row.integer(4), kTable);
    const std::string text(api_name(owner.builder.header().strings.view(whole)));
    owner.builder.add_slice(thread(owner, row.integer(2)), SliceKind::runtime, owner.builder.intern(text), start_ns,
                            dur_ns, row.integer(3));
  });
}

void Mapper::add_range(const Row& row) {
  const int64_t type = row.integer(2);
  if (type != kPushPop && type != kStartEnd && type != kMark) return;  // names of domains and categories
  Process& owner = process(row.integer(4));
  std::string_view text = row.text(3);
  if (row.is_null(3) && !session_.string_of(row.integer(5), text)) text = "?";
  const TrackId track = type == kStartEnd ? range_row(owner, row.integer(6)) : thread(owner, row.integer(4));
  if (type == kMark) {
    const TimeNs at_ns = row.integer(0);
    if (row.is_null(0) || at_ns < -kLatestNs || at_ns > kLatestNs) return;
    owner.builder.add_slice(track, SliceKind::instant, owner.builder.intern(text), at_ns, 0);
    return;
  }
  TimeNs start_ns = 0;
  TimeNs dur_ns = 0;
  if (!times(row, "NVTX_EVENTS", start_ns, dur_ns)) return;
  const OpRange range = parse_op_range(text);
  SliceKind kind = range.is_op ? SliceKind::host_op : SliceKind::annotation;
  if (trace::is_loader_wait(range.name)) kind = SliceKind::loader;
  const SliceId slice = owner.builder.add_slice(track, kind, owner.builder.intern(range.name), start_ns, dur_ns);
  if (range.sequence < 0 && range.sizes.empty()) return;
  std::string shapes;
  for (const char c : range.sizes)
    if (c != ' ') shapes += c;
  owner.builder.add(trace::OpArgs{
      .slice = slice, .sequence = range.sequence, .shapes = shapes.empty() ? 0 : owner.builder.intern(shapes)});
}

Status Mapper::ranges() {
  constexpr Columns<7> kColumns = {"start", "end", "eventType", "text", "globalTid", "textId", "domainId"};
  return each_row("NVTX_EVENTS", kColumns, [&](const Row& row) { add_range(row); });
}

Status Mapper::os_calls() {
  constexpr std::string_view kTable = "OSRT_API";
  constexpr Columns<4> kColumns = {"start", "end", "globalTid", "nameId"};
  return each_row(kTable, kColumns, [&](const Row& row) {
    TimeNs start_ns = 0;
    TimeNs dur_ns = 0;
    if (!times(row, kTable, start_ns, dur_ns)) return;
    Process& owner = process(row.integer(2));
    owner.builder.add_slice(thread(owner, row.integer(2)), SliceKind::other, name(owner, row.integer(3), kTable),
                            start_ns, dur_ns);
  });
}

Status Mapper::overheads() {
  for (const std::string_view table : {"CUPTI_ACTIVITY_KIND_OVERHEAD", "PROFILER_OVERHEAD"}) {
    constexpr Columns<4> kColumns = {"start", "end", "globalTid", "nameId"};
    TRY_OK(each_row(table, kColumns, [&](const Row& row) {
      TimeNs start_ns = 0;
      TimeNs dur_ns = 0;
      if (!times(row, table, start_ns, dur_ns)) return;
      Process& owner = process(row.integer(2));
      std::string_view text;
      if (row.is_null(3) || !session_.string_of(row.integer(3), text)) text = "Overhead";
      owner.builder.add_slice(overhead_row(owner), SliceKind::overhead, owner.builder.intern(text), start_ns, dur_ns);
    }));
  }
  return {};
}

// The low byte of typeId is the GPU.
Status Mapper::gpu_metrics() {
  constexpr Columns<3> kNames = {"typeId", "metricId", "metricName"};
  TRY_OK(each_row("TARGET_INFO_GPU_METRICS", kNames, [&](const Row& row) {
    if (metrics_.size() < kMaxTracks)
      metrics_.emplace(std::pair(row.integer(0), row.integer(1)),
                       Metric{.device = row.integer(0) & 0xFF, .name = std::string(row.text(2)), .samples = {}});
  }));
  constexpr Columns<4> kSamples = {"timestamp", "typeId", "metricId", "value"};
  return each_row("GPU_METRICS", kSamples, [&](const Row& row) {
    const auto it = metrics_.find({row.integer(1), row.integer(2)});
    const TimeNs at_ns = row.integer(0);
    const double value = row.real(3);
    constexpr double kLargest = 9e12;  // in millionths it still is an int64_t
    if (it == metrics_.end() || row.is_null(0) || at_ns < -kLatestNs || at_ns > kLatestNs || !(value > -kLargest) ||
        !(value < kLargest)) {
      problems_.add_global("bad_counter", "samples of GPU metrics without a name, a time or a number were left out");
      return;
    }
    it->second.samples.emplace_back(at_ns, static_cast<int64_t>(value * 1e6));
  });
}

Status Mapper::run() {
  TRY_OK(kernels());
  TRY_OK(graphs());
  TRY_OK(copies());
  TRY_OK(memsets());
  TRY_OK(syncs());
  TRY_OK(api_calls());
  TRY_OK(ranges());
  TRY_OK(os_calls());
  TRY_OK(overheads());
  return gpu_metrics();
}

// Processes without GPU work are a training process's loader workers, or something else on the machine. With one GPU
// process there is no doubt whose they would be; their rows are kept beside its own.
void Mapper::adopt_workers(std::vector<Process*>& with_gpu, std::vector<Process*>& others) {
  if (with_gpu.empty()) {
    with_gpu.swap(others);
    return;
  }
  if (with_gpu.size() > 1) {
    int64_t left_out = 0;
    for (Process* other : others) left_out += static_cast<int64_t>(other->builder.slice_count());
    if (left_out > 0)
      problems_.add_global("other_processes",
                           "events of processes without GPU work were left out: with several GPU processes nothing "
                           "says whose they are",
                           left_out);
    return;
  }
  trace::RankTraceBuilder& to = with_gpu.front()->builder;
  for (Process* other : others) {
    const RankTrace& from = other->builder.header();
    std::vector<TrackId> tracks;
    for (Track track : from.tracks) {
      if (track.kind == TrackKind::host_thread) track.kind = TrackKind::loader_worker;
      track.process_name = to.intern(from.strings.view(track.process_name));
      track.name = to.intern(from.strings.view(track.name));
      tracks.push_back(to.add_track(track));
    }
    for (SliceId slice = 0; slice < from.slice_count(); ++slice)
      to.add_slice(tracks[from.track[slice]], from.kind[slice], to.intern(from.name_of(slice)), from.start_ns[slice],
                   from.dur_ns[slice]);
  }
}

std::vector<RankTrace> Mapper::finish() {
  std::vector<Process*> with_gpu;
  std::vector<Process*> others;
  for (const auto& [id, process] : processes_) (process->streams.empty() ? others : with_gpu).push_back(process.get());
  std::ranges::stable_sort(with_gpu, {}, &Process::first_device);
  adopt_workers(with_gpu, others);

  std::vector<RankTrace> out;
  for (Process* process : with_gpu) {
    trace::RankTraceBuilder& builder = process->builder;
    for (const auto& [key, metric] : metrics_) {
      if (metric.device != process->first_device || metric.samples.empty()) continue;
      Track track{.kind = TrackKind::counter, .pid = metric.device};
      track.name = builder.intern(metric.name);
      track.device = small(metric.device);
      const TrackId id = builder.add_track(track);
      for (const auto& [at_ns, value] : metric.samples) builder.add(trace::CounterSample{id, at_ns, value});
    }
    const int64_t dropped = drop_implausible_times(builder);
    if (dropped > 0)
      problems_.add_global("implausible_time", "events that made the trace span more than a year were left out",
                           dropped);
    if (builder.slice_count() == 0) continue;
    RankTrace& header = builder.header();
    header.file = file_;
    header.host_name = session_.host_name;
    if (const Gpu* gpu = session_.gpu_of(pid_of(process->global_id), process->first_device)) {
      header.device_name = gpu->name;
      header.device_memory_bytes = gpu->memory_bytes;
      header.sm_count = gpu->sm_count;
    }
    out.push_back(builder.finish());
    out.back().base_time_ns = session_.utc_of_zero_ns(out.back().file_origin_ns);
    const Nesting nesting = make_nested(out.back());
    if (nesting.moved > 0)
      problems_.add_global("overlapping_slices",
                           "host slices of one thread overlap without nesting; they stand on a further track of that "
                           "thread",
                           nesting.moved);
    if (nesting.clipped > 0)
      problems_.add_global("clipped_child", "a host slice that outlived its parent by up to 1 us was cut to it",
                           nesting.clipped);
  }
  if (!out.empty()) out.front().problems = problems_.sorted();
  return out;
}

}  // namespace td::formats::nsys
