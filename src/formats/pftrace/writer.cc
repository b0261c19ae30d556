#include "formats/pftrace/writer.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formats/category.h"
#include "formats/pftrace/fields.h"
#include "formats/pftrace/own.h"
#include "formats/pftrace/wire.h"
#include "formats/rows.h"

namespace td::formats::perfetto {
namespace {

using trace::RankTrace;
using trace::SliceId;
using trace::SliceKind;
using trace::TrackId;
using trace::TrackKind;

constexpr size_t kFlushBytes = size_t{1} << 20;
constexpr int64_t kMillion = 1'000'000;

// The file: packets of one sequence, with strings told once, in the packet that first uses them.
class File {
 public:
  explicit File(Sink& sink) : sink_(sink) {
    Message first;
    first.varint(packet::kSequenceFlags, packet::kStateCleared | packet::kNeedsState);
    add(first);
  }

  uint64_t iid(uint32_t field, std::string_view text) {
    const auto [it, added] = ids_[field].try_emplace(std::string(text), ids_[field].size() + 1);
    if (added) {
      Message entry;
      entry.varint(interned::kIid, it->second).bytes(interned::kString, text);
      fresh_.message(field, entry);
    }
    return it->second;
  }

  // A queue or a stage of a GPU; `key` tells them apart.
  uint64_t gpu_spec(const std::string& key, std::string_view name, std::string_view description, bool stage) {
    const auto [it, added] = specs_.try_emplace(key, specs_.size() + 1);
    if (added) {
      Message entry;
      entry.varint(interned::kIid, it->second).bytes(interned::kString, name);
      if (!description.empty()) entry.bytes(interned::kSpecDescription, description);
      if (stage) entry.varint(interned::kSpecCategory, interned::kCompute);
      fresh_.message(interned::kGpuSpec, entry);
    }
    return it->second;
  }

  void context(uint64_t iid, int64_t pid) {
    Message entry;
    entry.varint(interned::kIid, iid)
        .varint(interned::kContextPid, static_cast<uint64_t>(pid))
        .varint(interned::kContextApi, interned::kCuda);
    fresh_.message(interned::kContext, entry);
  }

  void descriptor(const Message& body) {
    Message packet;
    packet.message(packet::kTrackDescriptor, body);
    add(packet);
  }

  void event(TimeNs at_ns, uint32_t field, const Message& body) {
    Message packet;
    packet.varint(packet::kTimestamp, static_cast<uint64_t>(at_ns))
        .varint(packet::kSequenceFlags, packet::kNeedsState)
        .message(field, body);
    if (!fresh_.empty()) packet.message(packet::kInternedData, fresh_);
    fresh_.clear();
    add(packet);
  }

  Status flush_some() {
    if (out_.view().size() < kFlushBytes) return {};
    return flush();
  }
  Status finish() {
    TRY_OK(flush());
    return sink_.finish();
  }

 private:
  void add(Message& packet) {
    packet.varint(packet::kSequenceId, 1);
    out_.message(trace_file::kPacket, packet);
  }
  Status flush() {
    TRY_OK(sink_.write(out_.view()));
    out_.clear();
    return {};
  }

  Sink& sink_;
  Message out_;
  Message fresh_;
  std::map<uint32_t, std::map<std::string, uint64_t, std::less<>>> ids_;
  std::map<std::string, uint64_t> specs_;
};

class RankWriter {
 public:
  RankWriter(const RankTrace& trace, size_t part, bool merged, const RankRows& rows, TimeNs shift_ns,
             uint64_t& next_uuid, uint64_t& next_flow, File& file)
      : t_(trace),
        part_(part),
        merged_(merged),
        rows_(rows),
        shift_ns_(shift_ns),
        next_uuid_(next_uuid),
        next_flow_(next_flow),
        file_(file) {}

  Status write() {
    write_processes();
    for (size_t i = 0; i < t_.flows.size(); ++i) {
      flow_out_[t_.flows[i].from].push_back(next_flow_);
      flow_in_[t_.flows[i].to].push_back(next_flow_++);
    }
    for (TrackId track = 0; track < t_.tracks.size(); ++track) {
      const TrackKind kind = t_.tracks[track].kind;
      if (kind == TrackKind::counter) {
        TRY_OK(write_counters(track));
      } else if (kind == TrackKind::stream) {
        TRY_OK(write_stream(track));
      } else {
        TRY_OK(write_rows(track));
      }
    }
    return {};
  }

 private:
  void write_processes() {
    for (size_t i = 0; i < rows_.processes.size(); ++i) {
      const ProcessRow& process = rows_.processes[i];
      Message names;
      names.varint(descriptor::kPid, static_cast<uint64_t>(process.pid));
      if (!process.name.empty()) names.bytes(descriptor::kProcessName, process.name);
      Message body;
      process_uuid_[process.pid] = next_uuid_;
      body.varint(descriptor::kUuid, next_uuid_++).message(descriptor::kProcess, names);
      body.varint(descriptor::kOrder, part_ * 1000 + i);
      if (i == 0) body.bytes(descriptor::kDescription, rank_text(t_, part_, shift_ns_));
      file_.descriptor(body);
    }
    const int64_t pid = rows_.processes.empty() ? 1 : rows_.processes.front().pid;
    file_.context(part_ + 1, pid);
  }

  std::string row_name(const trace::Track& track, size_t lane) const {
    std::string name(t_.strings.view(track.name));
    if (name.empty()) name = "thread " + std::to_string(track.tid);
    return lane == 0 ? name : name + " (overlap)";
  }

  Status write_rows(TrackId id) {
    const trace::Track& track = t_.tracks[id];
    const TrackRows& rows = rows_.tracks[id];
    std::vector<uint64_t> uuids;
    for (size_t lane = 0; lane < rows.tids.size(); ++lane) {
      Message thread;
      thread.varint(descriptor::kPid, static_cast<uint64_t>(rows.pid))
          .varint(descriptor::kTid, static_cast<uint64_t>(rows.tids[lane]))
          .bytes(descriptor::kThreadName, row_name(track, lane));
      Message body;
      uuids.push_back(next_uuid_);
      body.varint(descriptor::kUuid, next_uuid_++).message(descriptor::kThread, thread);
      body.varint(descriptor::kOrder, static_cast<uint64_t>(std::max(track.sort_index, 0)));
      body.bytes(descriptor::kDescription, track_text(t_, id, part_));
      file_.descriptor(body);
    }
    std::vector<std::vector<TimeNs>> open(uuids.size());
    for (SliceId slice = track.begin; slice < track.end; ++slice) {
      const size_t lane = std::min<size_t>(rows_.lane.empty() ? 0 : rows_.lane[slice], uuids.size() - 1);
      close(open[lane], t_.start_ns[slice], uuids[lane]);
      const bool instant = t_.kind[slice] == SliceKind::instant;
      begin(slice, uuids[lane], instant ? event::kInstant : event::kBegin);
      if (!instant) open[lane].push_back(t_.end_ns(slice));
      TRY_OK(file_.flush_some());
    }
    for (size_t lane = 0; lane < uuids.size(); ++lane) close(open[lane], INT64_MAX, uuids[lane]);
    return {};
  }

  // Ends what is over by `until_ns`, inner slices first.
  void close(std::vector<TimeNs>& open, TimeNs until_ns, uint64_t uuid) {
    while (!open.empty() && open.back() <= until_ns) {
      Message body;
      body.varint(event::kType, event::kEnd).varint(event::kTrackUuid, uuid);
      file_.event(open.back() + shift_ns_, packet::kTrackEvent, body);
      open.pop_back();
    }
  }

  void annotate(Message& body, std::string_view name, int64_t value) {
    Message item;
    item.varint(annotation::kNameIid, file_.iid(interned::kAnnotationName, name))
        .varint(annotation::kInt, static_cast<uint64_t>(value));
    body.message(event::kAnnotation, item);
  }
  void annotate(Message& body, std::string_view name, std::string_view value) {
    Message item;
    item.varint(annotation::kNameIid, file_.iid(interned::kAnnotationName, name))
        .varint(annotation::kTextIid, file_.iid(interned::kText, value));
    body.message(event::kAnnotation, item);
  }

  // The id that binds a launch to its work; 0 where the correlation is none or too wide.
  uint64_t submission_of(SliceId slice) const {
    const int64_t correlation = t_.correlation[slice];
    if (correlation <= 0 || (correlation >> kPartShift) != 0) return 0;
    return static_cast<uint64_t>(correlation) + (static_cast<uint64_t>(part_) << kPartShift);
  }

  void begin(SliceId slice, uint64_t uuid, uint64_t type) {
    const SliceKind kind = t_.kind[slice];
    Message body;
    body.varint(event::kType, type).varint(event::kTrackUuid, uuid);
    body.varint(event::kNameIid, file_.iid(interned::kEventName, t_.name_of(slice)));
    const std::string_view category = category_text(kind, t_.name_of(slice));
    if (!category.empty()) body.varint(event::kCategoryIid, file_.iid(interned::kCategory, category));
    if (const trace::OpArgs* op = t_.op_args(slice)) {
      if (op->external_id != -1) annotate(body, kExternalId, op->external_id);
      if (op->sequence != -1) annotate(body, kSequence, op->sequence);
      if (op->shapes != 0) annotate(body, kShapes, t_.strings.view(op->shapes));
      if (op->types != 0) annotate(body, kTypes, t_.strings.view(op->types));
    }
    const uint64_t submission = submission_of(slice);
    if (submission != 0 && kind == SliceKind::runtime) {
      Message correlation;
      correlation.varint(event::kSubmissionId, submission);
      body.message(event::kGpuCorrelation, correlation);
    } else if (t_.correlation[slice] != trace::kNoCorrelation) {
      annotate(body, kCorrelation, t_.correlation[slice]);
    }
    for (const uint64_t id : ids_at(flow_out_, slice)) body.fixed64(event::kFlowId, id);
    for (const uint64_t id : ids_at(flow_in_, slice)) body.fixed64(event::kEndFlowId, id);
    file_.event(t_.start_ns[slice] + shift_ns_, packet::kTrackEvent, body);
  }

  static const std::vector<uint64_t>& ids_at(const std::map<SliceId, std::vector<uint64_t>>& flows, SliceId slice) {
    static const std::vector<uint64_t> kNone;
    const auto it = flows.find(slice);
    return it == flows.end() ? kNone : it->second;
  }

  static void extra(Message& body, std::string_view name, std::string_view value) {
    Message item;
    item.bytes(gpu::kExtraName, name).bytes(gpu::kExtraValue, value);
    body.message(gpu::kExtra, item);
  }
  static void extra_unless(Message& body, std::string_view name, int64_t value, int64_t absent) {
    if (value != absent) extra(body, name, std::to_string(value));
  }

  static std::string_view stage_of(SliceKind kind) {
    switch (kind) {
      case SliceKind::comm:
        return "communication kernel";
      case SliceKind::copy:
        return "memcpy";
      case SliceKind::memset:
        return "memset";
      default:
        return "kernel";
    }
  }

  Status write_stream(TrackId id) {
    const trace::Track& track = t_.tracks[id];
    std::string name(t_.strings.view(track.name));
    if (name.empty()) name = "stream " + std::to_string(track.tid);
    const std::string key = "queue " + std::to_string(part_) + " " + std::to_string(id);
    const std::string description = track_text(t_, id, part_);
    for (SliceId slice = track.begin; slice < track.end; ++slice) {
      const uint64_t queue = file_.gpu_spec(key, name, description, false);
      write_work(slice, queue, track);
      TRY_OK(file_.flush_some());
    }
    return {};
  }

  void write_work(SliceId slice, uint64_t queue, const trace::Track& track) {
    const SliceKind kind = t_.kind[slice];
    const std::string stage(stage_of(kind));
    const auto device = static_cast<uint64_t>(std::max(track.device, 0));
    Message body;
    if (const uint64_t submission = submission_of(slice); submission != 0) body.varint(gpu::kEventId, submission);
    body.varint(gpu::kDuration, static_cast<uint64_t>(t_.dur_ns[slice]));
    body.varint(gpu::kContext, part_ + 1);
    body.varint(gpu::kGpuId, merged_ ? part_ : device);
    body.varint(gpu::kQueueIid, queue);
    body.varint(gpu::kStageIid, file_.gpu_spec("stage " + stage, stage, {}, true));
    body.varint(gpu::kNameIid, file_.iid(interned::kEventName, t_.name_of(slice)));
    write_launch(slice, body);
    if (submission_of(slice) == 0) extra_unless(body, kCorrelation, t_.correlation[slice], trace::kNoCorrelation);
    if (const trace::CopyArgs* copy = t_.copy_args(slice)) extra(body, kBytes, std::to_string(copy->size_bytes));
    if (const trace::CollectiveArgs* collective = t_.collective_args(slice)) write_collective(*collective, body);
    if (const trace::OpArgs* op = t_.op_args(slice)) {
      extra_unless(body, kExternalId, op->external_id, -1);
      extra_unless(body, kSequence, op->sequence, -1);
      if (op->shapes != 0) extra(body, kShapes, t_.strings.view(op->shapes));
      if (op->types != 0) extra(body, kTypes, t_.strings.view(op->types));
    }
    for (const uint64_t flow : ids_at(flow_out_, slice)) extra(body, kFlowOut, std::to_string(flow));
    for (const uint64_t flow : ids_at(flow_in_, slice)) extra(body, kFlowIn, std::to_string(flow));
    file_.event(t_.start_ns[slice] + shift_ns_, packet::kGpuRenderStageEvent, body);
  }

  void write_launch(SliceId slice, Message& body) {
    const trace::KernelArgs* kernel = t_.kernel_args(slice);
    if (kernel == nullptr) return;
    Message grid;
    Message block;
    for (uint32_t axis = 0; axis < 3; ++axis) {
      grid.varint(axis + 1, kernel->grid[axis]);
      block.varint(axis + 1, kernel->block[axis]);
    }
    Message launch;
    launch.message(gpu::kGrid, grid).message(gpu::kBlock, block);
    const auto arg = [&](std::string_view name, int64_t value) {
      if (value == -1) return;
      Message item;
      item.bytes(gpu::kArgName, name).varint(gpu::kArgValue, static_cast<uint64_t>(value));
      launch.message(gpu::kArg, item);
    };
    arg(kRegisters, kernel->registers_per_thread);
    arg(kSharedMemory, kernel->shared_memory_bytes);
    body.message(gpu::kLaunch, launch);
  }

  void write_collective(const trace::CollectiveArgs& args, Message& body) const {
    extra(body, kCollective, trace::to_string(args.kind));
    if (args.dtype != trace::DType::unknown) extra(body, kDtype, trace::to_string(args.dtype));
    extra_unless(body, kInCount, args.in_count, -1);
    extra_unless(body, kOutCount, args.out_count, -1);
    extra_unless(body, kGroupSize, args.group_size, -1);
    if (args.group != 0) extra(body, kGroup, t_.strings.view(args.group));
    if (args.group_ranks != 0) extra(body, kGroupRanks, t_.strings.view(args.group_ranks));
    extra_unless(body, kCollectiveSequence, args.sequence, -1);
  }

  Status write_counters(TrackId id) {
    const TrackRows& rows = rows_.tracks[id];
    Message body;
    const uint64_t uuid = next_uuid_++;
    body.varint(descriptor::kUuid, uuid).bytes(descriptor::kName, t_.strings.view(t_.tracks[id].name));
    if (const auto it = process_uuid_.find(rows.pid); it != process_uuid_.end())
      body.varint(descriptor::kParent, it->second);
    body.message(descriptor::kCounter, Message());
    body.bytes(descriptor::kDescription, track_text(t_, id, part_));
    file_.descriptor(body);
    for (const trace::CounterSample& sample : t_.counters) {
      if (sample.track != id) continue;
      Message value;
      value.varint(event::kType, event::kCounter).varint(event::kTrackUuid, uuid);
      if (sample.value_millionths % kMillion == 0)
        value.varint(event::kCounterValue, static_cast<uint64_t>(sample.value_millionths / kMillion));
      else
        value.real(event::kDoubleCounterValue, static_cast<double>(sample.value_millionths) / kMillion);
      file_.event(sample.at_ns + shift_ns_, packet::kTrackEvent, value);
      TRY_OK(file_.flush_some());
    }
    return {};
  }

  const RankTrace& t_;
  size_t part_;
  bool merged_;
  const RankRows& rows_;
  TimeNs shift_ns_;
  uint64_t& next_uuid_;
  uint64_t& next_flow_;
  File& file_;
  std::map<int64_t, uint64_t> process_uuid_;
  std::map<SliceId, std::vector<uint64_t>> flow_out_;
  std::map<SliceId, std::vector<uint64_t>> flow_in_;
};

// What is added to each rank's times so that all share a clock and none is negative.
Result<std::vector<TimeNs>> shifts_of(std::span<const RankTrace* const> ranks) {
  std::vector<TimeNs> zero_ns;  // of each rank, on the common clock
  TimeNs first_ns = INT64_MAX;
  TimeNs longest_ns = 0;
  bool fits = true;
  for (const RankTrace* rank : ranks) {
    TimeNs zero = 0;
    fits = fits && !__builtin_add_overflow(rank->base_time_ns, rank->file_origin_ns, &zero);
    TimeNs earliest_ns = 0;
    for (SliceId slice = 0; slice < rank->slice_count(); ++slice) {
      earliest_ns = std::min(earliest_ns, rank->start_ns[slice]);
      longest_ns = std::max(longest_ns, rank->end_ns(slice));
    }
    for (const trace::CounterSample& sample : rank->counters) {
      earliest_ns = std::min(earliest_ns, sample.at_ns);
      longest_ns = std::max(longest_ns, sample.at_ns);
    }
    zero_ns.push_back(zero);
    TimeNs begin_ns = 0;
    fits = fits && !__builtin_add_overflow(zero, earliest_ns, &begin_ns);
    first_ns = std::min(first_ns, begin_ns);
  }
  for (TimeNs& zero : zero_ns) {
    TimeNs last_ns = 0;
    fits =
        fits && !__builtin_sub_overflow(zero, first_ns, &zero) && !__builtin_add_overflow(zero, longest_ns, &last_ns);
  }
  if (!fits) return fail(ErrorCode::invalid_argument, "pftrace: the ranks' clocks are too far apart for one file");
  return zero_ns;
}

}  // namespace

Status write(std::span<const RankTrace* const> ranks, Sink& sink) {
  if (ranks.empty()) return fail(ErrorCode::invalid_argument, "pftrace: no rank to write, expected at least one");
  const std::vector<TimeNs> shift_ns = TRY(shifts_of(ranks));
  const std::vector<RankRows> rows = lay_out(ranks);
  File file(sink);
  Message root;
  root.varint(descriptor::kUuid, 0).varint(descriptor::kProcessOrdering, 1).varint(descriptor::kThreadOrdering, 1);
  file.descriptor(root);
  uint64_t next_uuid = 1;
  uint64_t next_flow = 1;
  for (size_t part = 0; part < ranks.size(); ++part) {
    TRY_OK(RankWriter(*ranks[part], part, ranks.size() > 1, rows[part], shift_ns[part], next_uuid, next_flow, file)
               .write());
  }
  return file.finish();
}

}  // namespace td::formats::perfetto
