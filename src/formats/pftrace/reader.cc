#include "formats/pftrace/reader.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "formats/category.h"
#include "formats/nesting.h"
#include "formats/pftrace/own.h"
#include "formats/pftrace/packets.h"
#include "formats/plausible.h"
#include "trace/kernel_class.h"

namespace td::formats::perfetto {
namespace {

using trace::RankTrace;
using trace::SliceId;
using trace::SliceKind;
using trace::Track;
using trace::TrackId;
using trace::TrackKind;

int64_t number_of(std::string_view text, int64_t otherwise) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : otherwise;
}

int32_t narrow(int64_t value) { return static_cast<int32_t>(std::clamp<int64_t>(value, INT32_MIN, INT32_MAX)); }

trace::CollectiveKind collective_of(std::string_view text) {
  constexpr trace::CollectiveKind kKinds[] = {trace::CollectiveKind::all_reduce,     trace::CollectiveKind::all_gather,
                                              trace::CollectiveKind::reduce_scatter, trace::CollectiveKind::all_to_all,
                                              trace::CollectiveKind::broadcast,      trace::CollectiveKind::reduce,
                                              trace::CollectiveKind::send_recv};
  for (const trace::CollectiveKind kind : kKinds)
    if (trace::to_string(kind) == text) return kind;
  return trace::CollectiveKind::unknown;
}

trace::DType dtype_of_text(std::string_view text) {
  constexpr trace::DType kTypes[] = {
      trace::DType::int8,  trace::DType::uint8,   trace::DType::float8, trace::DType::float16, trace::DType::bfloat16,
      trace::DType::int32, trace::DType::float32, trace::DType::int64,  trace::DType::float64, trace::DType::boolean};
  for (const trace::DType type : kTypes)
    if (trace::to_string(type) == text) return type;
  return trace::dtype_of(text);
}

// Rows of packets to ranks.
class Assembler {
 public:
  explicit Assembler(Packets& packets) : p_(packets) {}

  std::vector<RankTrace> run() {
    find_ranks();
    place_tracks();
    place_queues();
    for (const SliceRow& row : p_.slices) add_slice(row);
    for (const WorkRow& row : p_.work) add_work(row);
    for (const CounterRow& row : p_.counters) {
      const Place& place = tracks_[row.track];
      if (place.kind != TrackKind::counter) {
        p_.problems.add_global("bad_counter", "counter samples on rows that are no counters were left out");
        continue;
      }
      ranks_[place.part].builder.add(trace::CounterSample{place.track, row.at_ns, row.value_millionths});
    }
    bind_flows();
    return finish();
  }

 private:
  struct Rank {
    trace::RankTraceBuilder builder;
    std::optional<OwnRank> own;
    std::map<size_t, TrackId> own_tracks;  // by the index that they had
  };
  struct Place {
    size_t part = 0;
    TrackId track = 0;
    TrackKind kind = TrackKind::other;
  };
  struct FlowEnd {
    size_t part = 0;
    SliceId slice = trace::kNoSlice;
  };

  void find_ranks() {
    std::map<size_t, OwnRank> own;
    for (const auto& [uuid, info] : p_.infos)
      if (const std::optional<OwnRank> rank = own_rank(info.description)) own.emplace(rank->part, *rank);
    for (auto& [part, rank] : own) {
      part_of_own_[part] = ranks_.size();
      ranks_.emplace_back().own = std::move(rank);
    }
    if (!ranks_.empty()) return;
    for (const Queue& queue : p_.queues)
      if (part_of_pid_.try_emplace(queue.pid, part_of_pid_.size()).second) ranks_.emplace_back();
    if (ranks_.empty()) ranks_.emplace_back();
  }

  // The rank of a process; nothing if several have GPU work and this one has none.
  std::optional<size_t> part_of(int64_t pid) const {
    if (const auto it = part_of_pid_.find(pid); it != part_of_pid_.end()) return it->second;
    if (ranks_.size() == 1) return 0;
    return std::nullopt;
  }

  // Nothing if the file does not hold the rank that the row names.
  std::optional<Place> own_place(const OwnTrack& own) {
    const auto part = part_of_own_.find(own.part);
    if (part == part_of_own_.end()) return std::nullopt;
    Rank& rank = ranks_[part->second];
    const auto known = rank.own_tracks.find(own.index);
    if (known != rank.own_tracks.end()) return Place{part->second, known->second, own.track.kind};
    Track track = own.track;
    track.name = rank.builder.intern(own.name);
    track.process_name = rank.builder.intern(own.process_name);
    const TrackId id = rank.builder.add_track(track);
    rank.own_tracks.emplace(own.index, id);
    return Place{part->second, id, track.kind};
  }
  std::optional<Place> own_place(std::string_view description) {
    const std::optional<OwnTrack> own = own_track(description);
    return own ? own_place(*own) : std::nullopt;
  }

  // Our own rows first, in the order that they had, used or not.
  void place_own_rows() {
    std::map<std::pair<size_t, size_t>, OwnTrack> rows;
    const auto take = [&](std::string_view description) {
      if (const std::optional<OwnTrack> own = own_track(description))
        rows.emplace(std::pair(own->part, own->index), *own);
    };
    for (const auto& [uuid, info] : p_.infos) take(info.description);
    for (const Queue& queue : p_.queues) take(queue.description);
    for (const auto& [key, own] : rows) (void)own_place(own);
  }

  void place_tracks() {
    place_own_rows();
    for (const uint64_t uuid : p_.uuids) {
      const auto it = p_.infos.find(uuid);
      const TrackInfo info = it == p_.infos.end() ? TrackInfo() : it->second;
      const std::optional<Place> own = own_place(info.description);
      tracks_.push_back(own ? *own : foreign_track(info));
    }
  }

  // The process and thread of a row of its own stand with a row above it.
  TrackInfo with_parents(TrackInfo info) const {
    uint64_t parent = info.parent;
    for (int depth = 0; depth < 16 && parent != 0; ++depth) {
      const auto it = p_.infos.find(parent);
      if (it == p_.infos.end()) break;
      if (info.pid < 0) info.pid = it->second.pid;
      if (info.tid < 0 && info.name.empty()) info.tid = it->second.tid;
      if (info.process_name.empty()) info.process_name = it->second.process_name;
      parent = it->second.parent;
    }
    if (info.process_name.empty())
      for (const auto& [uuid, other] : p_.infos)
        if (other.pid == info.pid && !other.process_name.empty()) info.process_name = other.process_name;
    return info;
  }

  Place foreign_track(const TrackInfo& bare) {
    const TrackInfo info = with_parents(bare);
    const std::optional<size_t> part = part_of(info.pid);
    if (!part) ++left_out_rows_;
    Rank& rank = ranks_[part.value_or(0)];
    Track track{.kind = info.is_counter ? TrackKind::counter : TrackKind::host_thread,
                .pid = std::max<int64_t>(info.pid, 0),
                .tid = std::max<int64_t>(info.tid, 0),
                .process_name = rank.builder.intern(info.process_name),
                .name = rank.builder.intern(info.thread_name.empty() ? info.name : info.thread_name),
                .sort_index = narrow(info.order)};
    return {part.value_or(0), rank.builder.add_track(track), track.kind};
  }

  void place_queues() {
    for (const Queue& queue : p_.queues) {
      if (const std::optional<Place> own = own_place(queue.description)) {
        queues_.push_back(*own);
        continue;
      }
      const size_t part = part_of(queue.pid).value_or(0);
      Rank& rank = ranks_[part];
      // "Stream 7": the number at the end.
      size_t digits = queue.name.size();
      while (digits > 0 && queue.name[digits - 1] >= '0' && queue.name[digits - 1] <= '9') --digits;
      Track track{.kind = TrackKind::stream,
                  .pid = queue.gpu_id,
                  .tid = number_of(std::string_view(queue.name).substr(digits), 0),
                  .process_name = rank.builder.intern("GPU " + std::to_string(queue.gpu_id)),
                  .name = rank.builder.intern(queue.name),
                  .device = narrow(queue.gpu_id)};
      queues_.push_back({part, rank.builder.add_track(track), TrackKind::stream});
    }
  }

  std::string_view text(trace::StringId id) const { return p_.strings.view(id); }

  SliceKind kind_of(const SliceRow& row, TrackKind track) const {
    if (row.instant) return SliceKind::instant;
    const Category category = category_of(text(row.category));
    const std::string_view name = text(row.name);
    switch (category) {
      case Category::kernel:
        return trace::is_communication_kernel(name) ? SliceKind::comm : SliceKind::compute;
      case Category::memcpy:
        return SliceKind::copy;
      case Category::memset:
        return SliceKind::memset;
      case Category::gpu_annotation:
        return SliceKind::gpu_annotation;
      case Category::sync:
        return SliceKind::sync;
      case Category::none:
      case Category::other:
        if (trace::is_loader_wait(name)) return SliceKind::loader;
        // Categories are free in Perfetto; on a thread of another tool's file they are that tool's ops.
        return track == TrackKind::host_thread && category == Category::other ? SliceKind::host_op : SliceKind::other;
      default:
        return host_kind(category, trace::is_loader_wait(name));
    }
  }

  int64_t correlation_of(uint64_t submission, size_t part) const {
    if (submission == 0) return trace::kNoCorrelation;
    const auto value = static_cast<int64_t>(submission & 0x7FFFFFFFFFFFFFFF);
    if (!ranks_[part].own) return value;
    return value & ((int64_t{1} << kPartShift) - 1);
  }

  struct Ids {
    int64_t correlation = trace::kNoCorrelation;
    trace::OpArgs op;
    bool has_op = false;
  };
  Ids ids_of(const std::vector<Arg>& args, trace::RankTraceBuilder& builder) const {
    Ids ids;
    for (const Arg& arg : args) {
      const std::string_view name = text(arg.name);
      const int64_t number = arg.is_text ? number_of(text(arg.text), -1) : arg.number;
      if (name == kCorrelation) ids.correlation = number;
      if (name == kExternalId) ids.op.external_id = number;
      if (name == kSequence) ids.op.sequence = number;
      if (name == kShapes) ids.op.shapes = builder.intern(text(arg.text));
      if (name == kTypes) ids.op.types = builder.intern(text(arg.text));
    }
    ids.has_op = ids.op.external_id != -1 || ids.op.sequence != -1 || ids.op.shapes != 0 || ids.op.types != 0;
    return ids;
  }

  void add_slice(const SliceRow& row) {
    Place& place = tracks_[row.track];
    trace::RankTraceBuilder& builder = ranks_[place.part].builder;
    if (row.dur_ns < 0) {
      p_.problems.add_global("unmatched_begin", "slices that never end were left out");
      return;
    }
    const SliceKind kind = kind_of(row, place.kind);
    if (is_gpu_work(kind) && place.kind == TrackKind::host_thread) make_stream(place);
    if (place.kind == TrackKind::counter) {
      p_.problems.add_global("slice_on_counter", "slices on rows of counters were left out");
      return;
    }
    const Ids ids = ids_of(row.args, builder);
    const int64_t correlation = row.submission != 0 ? correlation_of(row.submission, place.part) : ids.correlation;
    const SliceId slice =
        builder.add_slice(place.track, kind, builder.intern(text(row.name)), row.at_ns, row.dur_ns, correlation);
    if (ids.has_op) {
      trace::OpArgs op = ids.op;
      op.slice = slice;
      builder.add(op);
    }
    for (const uint64_t flow : row.flows_out) flow_from_[flow] = {place.part, slice};
    for (const uint64_t flow : row.flows_in) flow_to_.emplace_back(flow, FlowEnd{place.part, slice});
  }

  // A row that another tool drew for a stream.
  void make_stream(Place& place) {
    place.kind = TrackKind::stream;
    Track& track = ranks_[place.part].builder.header().tracks[place.track];
    track.kind = TrackKind::stream;
    track.device = std::max(track.device, 0);
  }

  static SliceKind work_kind(std::string_view stage, std::string_view name) {
    if (stage == "communication kernel") return SliceKind::comm;
    if (stage == "memcpy" || stage == "gpu_memcpy" || name.starts_with("Memcpy")) return SliceKind::copy;
    if (stage == "memset" || stage == "gpu_memset" || name.starts_with("Memset")) return SliceKind::memset;
    return trace::is_communication_kernel(name) ? SliceKind::comm : SliceKind::compute;
  }

  void add_work(const WorkRow& row) {
    const Place& place = queues_[row.queue];
    trace::RankTraceBuilder& builder = ranks_[place.part].builder;
    const std::string_view name = text(row.name);
    const SliceKind kind = work_kind(text(row.stage), name);
    const Ids ids = ids_of(row.args, builder);
    const int64_t correlation = row.submission != 0 ? correlation_of(row.submission, place.part) : ids.correlation;
    const SliceId slice =
        builder.add_slice(place.track, kind, builder.intern(name), row.at_ns, row.dur_ns, correlation);
    if (ids.has_op) {
      trace::OpArgs op = ids.op;
      op.slice = slice;
      builder.add(op);
    }
    if (row.has_launch) add_kernel(row, slice, builder);
    add_sizes(row, slice, kind, place.part);
  }

  void add_kernel(const WorkRow& row, SliceId slice, trace::RankTraceBuilder& builder) const {
    trace::KernelArgs args{.slice = slice};
    std::copy_n(row.grid, 3, args.grid);
    std::copy_n(row.block, 3, args.block);
    for (const Arg& arg : row.args) {
      if (text(arg.name) == kRegisters) args.registers_per_thread = narrow(arg.number);
      if (text(arg.name) == kSharedMemory) args.shared_memory_bytes = narrow(arg.number);
    }
    builder.add(args);
  }

  void add_sizes(const WorkRow& row, SliceId slice, SliceKind kind, size_t part) {
    trace::RankTraceBuilder& builder = ranks_[part].builder;
    trace::CollectiveArgs collective{.slice = slice};
    bool has_collective = false;
    for (const Arg& arg : row.args) {
      const std::string_view name = text(arg.name);
      const std::string_view value = text(arg.text);
      if (name == kBytes)
        builder.add(trace::CopyArgs{
            .slice = slice,
            .kind = kind == SliceKind::copy ? trace::copy_of_name(text(row.name)) : trace::CopyKind::unknown,
            .size_bytes = std::max<int64_t>(number_of(value, -1), -1)});
      if (name == kFlowOut) flow_from_[static_cast<uint64_t>(number_of(value, 0))] = {part, slice};
      if (name == kFlowIn) flow_to_.emplace_back(static_cast<uint64_t>(number_of(value, 0)), FlowEnd{part, slice});
      has_collective |= name == kCollective;
      if (name == kCollective) collective.kind = collective_of(value);
      if (name == kDtype) collective.dtype = dtype_of_text(value);
      if (name == kInCount) collective.in_count = number_of(value, -1);
      if (name == kOutCount) collective.out_count = number_of(value, -1);
      if (name == kGroupSize) collective.group_size = narrow(number_of(value, -1));
      if (name == kCollectiveSequence) collective.sequence = number_of(value, -1);
      if (name == kGroup) collective.group = builder.intern(value);
      if (name == kGroupRanks) collective.group_ranks = builder.intern(value);
    }
    if (!has_collective && kind == SliceKind::comm && !ranks_[part].own) {
      collective.kind = trace::collective_of_kernel(text(row.name));
      has_collective = true;
    }
    if (has_collective) builder.add(collective);
  }

  // In the order of their ends' ids, which is the order that our own writer gave them.
  void bind_flows() {
    std::ranges::stable_sort(flow_to_, {}, &std::pair<uint64_t, FlowEnd>::first);
    for (const auto& [id, to] : flow_to_) {
      const auto from = flow_from_.find(id);
      if (from == flow_from_.end() || from->second.part != to.part) {
        p_.problems.add_global("unmatched_flow", "arrows of which an end is missing were left out");
        continue;
      }
      ranks_[to.part].builder.add(trace::Flow{from->second.slice, to.slice});
    }
  }

  std::vector<RankTrace> finish() {
    if (left_out_rows_ > 0)
      p_.problems.add_global("other_processes", "rows of processes without GPU work stand with the first rank",
                             left_out_rows_);
    std::vector<RankTrace> out;
    for (Rank& rank : ranks_) {
      const int64_t dropped = drop_implausible_times(rank.builder);
      if (dropped > 0)
        p_.problems.add_global("implausible_time", "events that made the trace span more than a year were left out",
                               dropped);
      if (rank.builder.slice_count() == 0 && rank.builder.header().counters.empty() && !rank.own) continue;
      out.push_back(finish_rank(rank));
    }
    const auto is_empty = [](const RankTrace& trace) { return trace.slice_count() == 0 && trace.counters.empty(); };
    if (std::ranges::all_of(out, is_empty)) out.clear();
    if (!out.empty()) out.front().problems = p_.problems.sorted();
    return out;
  }

  RankTrace finish_rank(Rank& rank) {
    if (!rank.own) {
      RankTrace trace = rank.builder.finish();
      const Nesting nesting = make_nested(trace);
      if (nesting.moved > 0)
        p_.problems.add_global("overlapping_slices",
                               "host slices of one thread overlap without nesting; they stand on a further track",
                               nesting.moved);
      return trace;
    }
    const OwnRank& own = *rank.own;
    RankTrace trace = rank.builder.finish_at(own.shift_ns);
    trace.rank = own.header.rank;
    trace.world_size = own.header.world_size;
    trace.host_name = own.header.host_name;
    trace.device_name = own.header.device_name;
    trace.device_memory_bytes = own.header.device_memory_bytes;
    trace.sm_count = own.header.sm_count;
    trace.backend = own.header.backend;
    trace.groups = own.header.groups;
    trace.file_origin_ns = own.header.file_origin_ns;
    trace.base_time_ns = own.header.base_time_ns;
    (void)make_nested(trace);
    return trace;
  }

  Packets& p_;
  std::vector<Rank> ranks_;
  std::map<size_t, size_t> part_of_own_;
  std::map<int64_t, size_t> part_of_pid_;
  std::vector<Place> tracks_;  // by Packets::uuids
  std::vector<Place> queues_;
  std::map<uint64_t, FlowEnd> flow_from_;
  std::vector<std::pair<uint64_t, FlowEnd>> flow_to_;
  int64_t left_out_rows_ = 0;
};

}  // namespace

Result<std::vector<RankTrace>> read(Source& source, Progress& progress) {
  Packets packets;
  TRY_OK(packets.read(source, progress));
  if (packets.slices.empty() && packets.work.empty() && packets.counters.empty())
    return fail(ErrorCode::malformed,
                "a Perfetto trace of " + std::to_string(packets.packets) +
                    " packets without track events or GPU work: record with TrackEvent or GpuRenderStageEvent",
                std::string(source.name()));
  std::vector<RankTrace> ranks = Assembler(packets).run();
  for (RankTrace& rank : ranks) rank.file = source.name();
  if (ranks.empty())
    return fail(ErrorCode::malformed, "a Perfetto trace in which no event has a usable time",
                std::string(source.name()));
  return ranks;
}

}  // namespace td::formats::perfetto
