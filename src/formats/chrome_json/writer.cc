#include "formats/chrome_json/writer.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/json.h"
#include "formats/category.h"
#include "formats/chrome_json/event.h"
#include "formats/chrome_json/flows.h"
#include "formats/chrome_json/json_text.h"
#include "formats/chrome_json/tail.h"
#include "formats/rows.h"

namespace td::formats::chrome {
namespace {

using trace::RankTrace;
using trace::SliceId;
using trace::SliceKind;
using trace::TrackId;

// Perfetto reads ts as a double of microseconds: whole nanoseconds stay exact up to here (104 days).
constexpr TimeNs kMaxExactNs = 9'000'000'000'000'000;
// A clock that is moved begins so long before the first event: work of no length at ts 0 is taken for lost.
constexpr TimeNs kLeadNs = kNsPerUs;
// Flow ids of the ranks of one file do not meet: correlation + part * 2^40.
constexpr int kPartShift = 40;

// "args" members after the first need a comma.
class ArgList {
 public:
  explicit ArgList(JsonText& out) : out_(out) {}
  JsonText& key(std::string_view name) {
    out_.raw(any_ ? ",\"" : ",\"args\":{\"").raw(name).raw("\":");
    any_ = true;
    return out_;
  }
  void integer(std::string_view name, int64_t value) { key(name).integer(value); }
  void integer_unless(std::string_view name, int64_t value, int64_t absent) {
    if (value != absent) integer(name, value);
  }
  void triple(std::string_view name, const uint32_t (&value)[3]) {
    key(name).raw("[").integer(value[0]).raw(",").integer(value[1]).raw(",").integer(value[2]).raw("]");
  }
  void close() {
    if (any_) out_.raw("}");
  }

 private:
  JsonText& out_;
  bool any_ = false;
};

// One rank's events.
class RankWriter {
 public:
  RankWriter(const RankTrace& trace, size_t part, const RankRows& rows, TimeNs shift_ns, int64_t& next_flow_id,
             JsonText& out)
      : t_(trace),
        part_(part),
        rows_(rows),
        shift_ns_(shift_ns),
        next_flow_id_(next_flow_id),
        out_(out),
        quoted_(trace.strings.size()),
        lists_(trace.strings.size()) {}

  Status write() {
    write_names();
    for (SliceId slice = 0; slice < t_.slice_count(); ++slice) {
      write_slice(slice);
      TRY_OK(out_.flush_some());
    }
    TRY_OK(write_launch_flows());
    for (const trace::Flow& flow : t_.flows) {
      write_flow(flow);
      TRY_OK(out_.flush_some());
    }
    for (const trace::CounterSample& sample : t_.counters) {
      write_counter(sample);
      TRY_OK(out_.flush_some());
    }
    return {};
  }

 private:
  const std::string& quoted(trace::StringId id) {
    std::string& text = quoted_[id];
    if (text.empty()) text = quote_json(t_.strings.view(id));
    return text;
  }

  // Shapes and types stand as lists where they are lists, else as a string.
  const std::string& list(trace::StringId id) {
    std::string& text = lists_[id];
    if (!text.empty()) return text;
    const Result<Json> value = parse_json(t_.strings.view(id));
    const bool plain = value && value->kind() == Json::Kind::array;
    text = plain ? std::string(t_.strings.view(id)) : quote_json(t_.strings.view(id));
    return text;
  }

  JsonText& row(std::string_view start, int64_t pid, int64_t tid) {
    return out_.raw(start).raw(",\"pid\":").integer(pid).raw(",\"tid\":").integer(tid);
  }

  void write_names() {
    for (size_t i = 0; i < rows_.processes.size(); ++i) {
      const ProcessRow& process = rows_.processes[i];
      if (!process.name.empty()) {
        row("{\"ph\":\"M\",\"name\":\"process_name\"", process.pid, 0);
        out_.raw(",\"args\":{\"name\":").raw(quote_json(process.name)).raw("}},\n");
      }
      row("{\"ph\":\"M\",\"name\":\"process_sort_index\"", process.pid, 0);
      out_.raw(",\"args\":{\"sort_index\":").integer(static_cast<int64_t>(part_ * 1000 + i)).raw("}},\n");
    }
    for (TrackId id = 0; id < t_.tracks.size(); ++id) {
      const trace::Track& track = t_.tracks[id];
      const bool shares_row = track.kind == trace::TrackKind::gpu_annotation && has_stream(id);
      if (shares_row || track.kind == trace::TrackKind::counter) continue;
      for (size_t lane = 0; lane < rows_.tracks[id].tids.size(); ++lane) write_thread(track, rows_.tracks[id], lane);
    }
  }

  bool has_stream(TrackId annotations) const {
    const TrackRows& row = rows_.tracks[annotations];
    for (TrackId id = 0; id < t_.tracks.size(); ++id)
      if (id != annotations && rows_.tracks[id].pid == row.pid && rows_.tracks[id].tids == row.tids) return true;
    return false;
  }

  void write_thread(const trace::Track& track, const TrackRows& rows, size_t lane) {
    std::string name(t_.strings.view(track.name));
    const bool stream = track.kind == trace::TrackKind::stream || track.kind == trace::TrackKind::gpu_annotation;
    if (name.empty())
      name = (stream                                 ? "stream "
              : track.kind == trace::TrackKind::sync ? "sync "
                                                     : "thread ") +
             std::to_string(track.tid);
    if (lane > 0) name += " (overlap)";
    row("{\"ph\":\"M\",\"name\":\"thread_name\"", rows.pid, rows.tids[lane]);
    out_.raw(",\"args\":{\"name\":").raw(quote_json(name)).raw("}},\n");
    row("{\"ph\":\"M\",\"name\":\"thread_sort_index\"", rows.pid, rows.tids[lane]);
    out_.raw(",\"args\":{\"sort_index\":").integer(track.sort_index).raw("}},\n");
  }

  void write_slice(SliceId slice) {
    const SliceKind kind = t_.kind[slice];
    const bool instant = kind == SliceKind::instant;
    out_.raw(instant ? "{\"ph\":\"i\",\"s\":\"t\"" : "{\"ph\":\"X\"");
    const std::string_view category = category_text(kind, t_.name_of(slice));
    if (!category.empty()) out_.raw(",\"cat\":\"").raw(category).raw("\"");
    slice_row(slice);
    if (!instant) out_.raw(",\"dur\":").microseconds(t_.dur_ns[slice]);
    if (!instant) write_args(slice);
    out_.raw("},\n");
  }

  void slice_row(SliceId slice) {
    out_.raw(",\"name\":").raw(quoted(t_.name[slice]));
    out_.raw(",\"pid\":").integer(rows_.pid(t_, slice)).raw(",\"tid\":").integer(rows_.tid(t_, slice));
    out_.raw(",\"ts\":").microseconds(t_.start_ns[slice] + shift_ns_);
  }

  void write_args(SliceId slice) {
    ArgList args(out_);
    const SliceKind kind = t_.kind[slice];
    if (const trace::OpArgs* op = t_.op_args(slice)) {
      args.integer_unless("External id", op->external_id, -1);
      args.integer_unless("Sequence number", op->sequence, -1);
      if (op->shapes != 0) args.key("Input Dims").raw(list(op->shapes));
      if (op->types != 0) args.key("Input type").raw(list(op->types));
    }
    if (is_gpu_work(kind) || kind == SliceKind::sync) {
      args.integer_unless("device", t_.track_of(slice).device, -1);
      args.integer("stream", t_.track_of(slice).tid);
    }
    args.integer_unless("correlation", t_.correlation[slice], trace::kNoCorrelation);
    if (const trace::KernelArgs* kernel = t_.kernel_args(slice)) {
      args.integer_unless("registers per thread", kernel->registers_per_thread, -1);
      args.integer_unless("shared memory", kernel->shared_memory_bytes, -1);
      args.triple("grid", kernel->grid);
      args.triple("block", kernel->block);
    }
    if (const trace::CopyArgs* copy = t_.copy_args(slice)) args.integer_unless("bytes", copy->size_bytes, -1);
    if (const trace::CollectiveArgs* collective = t_.collective_args(slice)) write_collective(args, *collective);
    args.close();
  }

  void write_collective(ArgList& args, const trace::CollectiveArgs& c) {
    args.key("Collective name").raw("\"").raw(collective_text(c.kind)).raw("\"");
    args.integer_unless("In msg nelems", c.in_count, -1);
    args.integer_unless("Out msg nelems", c.out_count, -1);
    args.integer_unless("Group size", c.group_size, -1);
    if (c.dtype != trace::DType::unknown) args.key("dtype").raw("\"").raw(dtype_text(c.dtype)).raw("\"");
    if (c.group != 0) args.key("Process Group Name").raw(quoted(c.group));
    if (c.group_ranks != 0) args.key("Process Group Ranks").raw(quoted(c.group_ranks));
    args.integer_unless("Seq", c.sequence, -1);
  }

  void flow_end(std::string_view phase_and_category, int64_t id, SliceId slice) {
    out_.raw(phase_and_category).raw(",\"id\":").integer(id);
    out_.raw(",\"pid\":").integer(rows_.pid(t_, slice)).raw(",\"tid\":").integer(rows_.tid(t_, slice));
    out_.raw(",\"ts\":").microseconds(t_.start_ns[slice] + shift_ns_);
  }

  // Arrows from launches, for viewers; only where the launch precedes, else no tool draws them.
  Status write_launch_flows() {
    const trace::LaunchIndex launches(t_);
    for (SliceId launch = 0; launch < t_.slice_count(); ++launch) {
      const int64_t correlation = t_.correlation[launch];
      if (t_.kind[launch] != SliceKind::runtime || correlation <= 0 || (correlation >> kPartShift) != 0) continue;
      const int64_t id = correlation + (static_cast<int64_t>(part_) << kPartShift);
      bool started = false;
      for (SliceId slice : launches.gpu_slices_of(correlation)) {
        if (launches.launch_of(slice) != launch || t_.start_ns[launch] >= t_.start_ns[slice]) continue;
        if (!started) {
          flow_end("{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\"", id, launch);
          out_.raw("},\n");
        }
        started = true;
        flow_end("{\"ph\":\"f\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"bp\":\"e\"", id, slice);
        out_.raw("},\n");
      }
      TRY_OK(out_.flush_some());
    }
    return {};
  }

  void write_flow(const trace::Flow& flow) {
    const int64_t id = next_flow_id_++;
    flow_end("{\"ph\":\"s\",\"cat\":\"fwdbwd\",\"name\":\"fwdbwd\"", id, flow.from);
    write_nth(flow.from);
    flow_end("{\"ph\":\"f\",\"cat\":\"fwdbwd\",\"name\":\"fwdbwd\",\"bp\":\"e\"", id, flow.to);
    write_nth(flow.to);
  }

  // Which of several slices that start together, where a reader would guess another one.
  void write_nth(SliceId slice) {
    const trace::Track& track = t_.track_of(slice);
    SliceId first = slice;
    while (first > track.begin && t_.start_ns[first - 1] == t_.start_ns[slice]) --first;
    SliceId last = slice + 1;
    while (last < track.end && t_.start_ns[last] == t_.start_ns[slice]) ++last;
    if (default_flow_end(t_, first, last) != slice) out_.raw(",\"args\":{\"nth\":").integer(slice - first).raw("}");
    out_.raw("},\n");
  }

  void write_counter(const trace::CounterSample& sample) {
    const TrackRows& track = rows_.tracks[sample.track];
    out_.raw("{\"ph\":\"C\",\"name\":").raw(quoted(t_.tracks[sample.track].name));
    out_.raw(",\"pid\":").integer(track.pid).raw(",\"tid\":").integer(track.tids.front());
    out_.raw(",\"ts\":").microseconds(sample.at_ns + shift_ns_);
    out_.raw(",\"args\":{\"value\":").raw(millionths_text(sample.value_millionths)).raw("}},\n");
  }

  const RankTrace& t_;
  size_t part_;
  const RankRows& rows_;
  TimeNs shift_ns_;
  int64_t& next_flow_id_;
  JsonText& out_;
  std::vector<std::string> quoted_;  // by StringId, filled on first use
  std::vector<std::string> lists_;
};

// First and last time that a rank writes, on its file's clock.
struct FileRange {
  TimeNs first_ns = INT64_MAX;
  TimeNs last_ns = INT64_MIN;
  bool empty_work_at_zero = false;  // would read as GPU work whose times the profiler lost

  void take(TimeNs at_ns) {
    first_ns = std::min(first_ns, at_ns);
    last_ns = std::max(last_ns, at_ns);
  }
};

FileRange file_range(const RankTrace& trace) {
  FileRange out;
  for (SliceId slice = 0; slice < trace.slice_count(); ++slice) {
    const TimeNs at_ns = trace.start_ns[slice] + trace.file_origin_ns;
    out.take(at_ns);
    out.empty_work_at_zero |= at_ns == 0 && trace.dur_ns[slice] == 0 && is_gpu_work(trace.kind[slice]);
  }
  for (const trace::CounterSample& sample : trace.counters) out.take(sample.at_ns + trace.file_origin_ns);
  if (out.first_ns > out.last_ns) out.first_ns = out.last_ns = trace.file_origin_ns;
  return out;
}

}  // namespace

Result<FileClock> file_clock(std::span<const RankTrace* const> ranks) {
  FileClock clock;
  const TimeNs first_base_ns = ranks.front()->base_time_ns;
  bool one_base = true;
  bool keep = true;  // the ranks' own times suit Perfetto's doubles and every reader
  TimeNs earliest_ns = INT64_MAX;
  TimeNs latest_ns = INT64_MIN;
  for (const RankTrace* rank : ranks) {
    const FileRange range = file_range(*rank);
    one_base = one_base && rank->base_time_ns == first_base_ns;
    keep = keep && range.first_ns >= 0 && range.last_ns <= kMaxExactNs && !range.empty_work_at_zero;
    earliest_ns = std::min(earliest_ns, rank->base_time_ns + range.first_ns);
    latest_ns = std::max(latest_ns, rank->base_time_ns + range.last_ns);
  }
  const TimeNs base_ns = earliest_ns - kLeadNs;
  const bool can_move = base_ns >= kMinTimeNs && base_ns <= kMaxTimeNs && latest_ns - base_ns <= kMaxTimeNs;
  if (!one_base && !can_move)
    return fail(ErrorCode::invalid_argument, "chrome_json: the ranks' clocks are more than 95 years apart");
  clock.base_ns = one_base && (keep || !can_move) ? first_base_ns : base_ns;
  for (const RankTrace* rank : ranks)
    clock.shift_ns.push_back(rank->base_time_ns + rank->file_origin_ns - clock.base_ns);
  return clock;
}

Status write(std::span<const RankTrace* const> ranks, Sink& sink) {
  if (ranks.empty()) return fail(ErrorCode::invalid_argument, "chrome_json: no rank to write, expected at least one");
  const std::vector<RankRows> rows = lay_out(ranks);
  const FileClock clock = TRY(file_clock(ranks));
  JsonText out(sink);
  out.raw("{\"traceEvents\":[\n");
  int64_t next_flow_id = 1;
  for (size_t part = 0; part < ranks.size(); ++part)
    TRY_OK(RankWriter(*ranks[part], part, rows[part], clock.shift_ns[part], next_flow_id, out).write());
  out.end_list();
  out.raw("\n]");
  out.raw(tail_text(ranks, rows, clock)).raw("}\n");
  return out.finish();
}

}  // namespace td::formats::chrome
