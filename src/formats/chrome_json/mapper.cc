#include "formats/chrome_json/mapper.h"

#include <algorithm>
#include <limits>

#include "trace/kernel_class.h"

namespace td::formats::chrome {
namespace {

using trace::SliceId;
using trace::SliceKind;
using trace::StringId;
using trace::TrackId;
using trace::TrackKind;

// Legacy torch.autograd export: no categories, ops on the process row "CPU functions", GPU work on "CUDA functions"
// with tid = device.
constexpr std::string_view kLegacyHostProcess = "CPU functions";
constexpr std::string_view kLegacyGpuProcess = "CUDA functions";
// GPU rows carry the device number as pid; anything larger is another numbering.
constexpr int64_t kMaxDevicePid = 1023;

int32_t to_int32(int64_t value) {
  return static_cast<int32_t>(
      std::clamp<int64_t>(value, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()));
}

int32_t int32_or(int64_t value, int32_t otherwise) {
  return to_int32(value) == value ? static_cast<int32_t>(value) : otherwise;
}

// "stream 7" -> 7; nullopt if no number ends the text.
std::optional<int64_t> trailing_number(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  size_t start = text.size();
  while (start > 0 && text[start - 1] >= '0' && text[start - 1] <= '9') --start;
  return start == text.size() ? std::nullopt : parse_int(text.substr(start));
}

Category legacy_category(const Event& event) {
  const std::string_view name = event.name.raw;
  if (name.starts_with("Memcpy")) return Category::memcpy;
  if (name.starts_with("Memset")) return Category::memset;
  return Category::kernel;
}

Category category_of(const Event& event) {
  const Category category = formats::category_of(event.category.raw);
  if (category != Category::none || event.pid.kind != Value::Kind::string) return category;
  if (event.pid.text.is(kLegacyHostProcess)) return Category::op;
  if (event.pid.text.is(kLegacyGpuProcess)) return legacy_category(event);
  return category;
}

size_t mix(size_t hash, uint64_t value) {
  return static_cast<size_t>((hash ^ value ^ (static_cast<uint64_t>(hash) << 6)) * 0x9E3779B97F4A7C15ULL >> 7);
}

}  // namespace

size_t Mapper::KeyHash::operator()(const TrackKey& key) const {
  size_t hash = static_cast<size_t>(key.kind) * 2 + static_cast<size_t>(key.tid.is_text);
  hash = mix(hash, static_cast<uint64_t>(key.pid.value));
  hash = mix(hash, static_cast<uint64_t>(key.tid.value));
  hash = mix(hash, static_cast<uint64_t>(key.stream));
  hash = mix(hash, static_cast<uint64_t>(key.rank));
  hash = mix(hash, static_cast<uint64_t>(key.device));
  return mix(hash, key.series);
}

void Mapper::add(const Event& event) {
  ++mapped_.event_count;
  switch (event.phase) {
    case 'X':
      return add_complete(event, category_of(event));
    case 'B':
    case 'E':
      return add_begin_or_end(event, category_of(event));
    case 'i':
    case 'I':
      return add_instant(event);
    case 's':
    case 't':
    case 'f':
      return add_flow(event, formats::category_of(event.category.raw));
    case 'C':
      return add_counter(event);
    case 'M':
      return add_metadata(event);
    case '\0':
      // JAX ends its list with an empty object.
      if (event.any_key) problems().add("not_an_event", "an element of traceEvents without \"ph\" was left out");
      return;
    default:
      return problems().add("unsupported_phase", std::string("events of phase \"") + event.phase + "\" were left out");
  }
}

bool Mapper::check_start(const Event& event) {
  if (event.start.state == FileTime::State::ok) return true;
  if (event.start.state == FileTime::State::absent)
    problems().add("missing_timestamp", "an event without \"ts\" was left out");
  else
    problems().add("bad_timestamp", "an event whose \"ts\" is no number of microseconds was left out");
  return false;
}

const Mapper::NameFacts& Mapper::facts_of(StringId name) {
  if (name >= facts_.size()) facts_.resize(std::max<size_t>(name + 1, facts_.size() * 2));
  NameFacts& facts = facts_[name];
  if (!facts.known) {
    const std::string_view text = mapped_.builder.header().strings.view(name);
    facts = {true, trace::is_communication_kernel(text), trace::is_loader_wait(text)};
  }
  return facts;
}

SliceKind Mapper::kind_of(const Event& event, Category category, StringId name) {
  switch (category) {
    case Category::kernel:
      return facts_of(name).communication || event.args.any(Args::kAnyCollective) ? SliceKind::comm
                                                                                  : SliceKind::compute;
    case Category::memcpy:
      return SliceKind::copy;
    case Category::memset:
      return SliceKind::memset;
    case Category::gpu_annotation:
      return SliceKind::gpu_annotation;
    case Category::sync:
      return SliceKind::sync;
    default:
      return host_kind(category, facts_of(name).loader);
  }
}

RowId Mapper::row_id(const Value& value) {
  if (value.kind == Value::Kind::absent || value.is_null()) return {};
  if (value.kind == Value::Kind::scalar || value.kind == Value::Kind::string)
    if (const std::optional<int64_t> number = parse_int(value.text.raw)) return {*number, false};
  return {row_name(value.text.raw), true};
}

TrackKey Mapper::gpu_key(const Event& event, Category category) {
  TrackKey key;
  key.kind = category == Category::gpu_annotation ? TrackKind::gpu_annotation
             : category == Category::sync         ? TrackKind::sync
                                                  : TrackKind::stream;
  key.pid = row_id(event.pid);
  key.tid = row_id(event.tid);
  const Args& args = event.args;
  if (args.any(Args::kDevice)) {
    key.device = to_int32(args.device);
  } else if (!key.pid.is_text && key.pid.value >= 0 && key.pid.value <= kMaxDevicePid) {
    key.device = static_cast<int32_t>(key.pid.value);
  } else if (event.pid.text.is(kLegacyGpuProcess) && !key.tid.is_text) {
    key.device = to_int32(key.tid.value);
  }
  if (args.any(Args::kStream)) {
    key.stream = args.stream;
  } else {
    key.stream = key.tid.is_text ? trailing_number(event.tid.text.raw).value_or(0) : key.tid.value;
  }
  return key;
}

TrackKey Mapper::host_key(const Event& event, Category category) {
  TrackKey key;
  key.pid = row_id(event.pid);
  key.tid = row_id(event.tid);
  // The profiler's own rows: "Spans", "Traces" and "" as pid, overhead on pid -1, and categories nobody knows.
  const bool own = category == Category::profiler_span || category == Category::overhead ||
                   category == Category::other || (event.phase != 'X' && key.pid.is_text);
  key.kind = own ? TrackKind::other : TrackKind::host_thread;
  return key;
}

TrackId Mapper::track_of(const Event& event, Category category) {
  TrackKey key = is_on_gpu(category) ? gpu_key(event, category) : host_key(event, category);
  if (event.args.any(Args::kRank)) key.rank = to_int32(event.args.rank);
  return track(key);
}

TrackId Mapper::track(const TrackKey& key) {
  const size_t hash = KeyHash()(key);
  TrackId& recent = recent_tracks_[(hash >> 3) % recent_tracks_.size()];
  if (recent < mapped_.tracks.size() && mapped_.tracks[recent] == key) return recent;
  const auto known = track_ids_.find(key);
  if (known != track_ids_.end()) return recent = known->second;
  trace::Track track;
  track.kind = key.kind;
  track.device = key.device;
  const TrackId id = mapped_.builder.add_track(track);
  mapped_.tracks.push_back(key);
  track_ids_.emplace(key, id);
  return recent = id;
}

void Mapper::add_complete(const Event& event, Category category) {
  if (!check_start(event)) return;
  if (event.dur.state == FileTime::State::bad)
    return problems().add("bad_duration", "an event whose \"dur\" is no number of microseconds was left out");
  if (is_gpu_work(category) && event.start.ns == 0 && event.dur.ns <= 0)
    return problems().add("lost_timestamp", "GPU work with ts 0 and dur 0 (the profiler lost its times) was left out");
  TimeNs dur_ns = event.dur.ns;
  if (event.dur.state == FileTime::State::absent) {
    problems().add("missing_duration", "a complete event without \"dur\" was taken as having no length");
  } else if (dur_ns < 0) {
    problems().add("negative_duration", "a negative \"dur\" was taken as 0");
    dur_ns = 0;
  }
  const StringId name = names_.intern(event.name);
  const Args& args = event.args;
  int64_t correlation = trace::kNoCorrelation;
  if (args.any(Args::kCorrelation)) correlation = args.correlation;
  if (args.any(Args::kCorrelationRaw)) correlation = args.correlation_raw;
  const SliceId slice = mapped_.builder.add_slice(track_of(event, category), kind_of(event, category, name), name,
                                                  event.start.ns, dur_ns, correlation);
  if (args.has != 0 || category == Category::memcpy) add_args(slice, category, event, name);
}

void Mapper::add_args(SliceId slice, Category category, const Event& event, StringId name) {
  const Args& args = event.args;
  trace::RankTraceBuilder& builder = mapped_.builder;
  if (args.any(Args::kExternalId | Args::kSequence | Args::kShapes | Args::kTypes)) {
    trace::OpArgs op;
    op.slice = slice;
    if (args.any(Args::kExternalId)) op.external_id = args.external_id;
    if (args.any(Args::kSequence)) op.sequence = args.sequence;
    if (args.any(Args::kShapes)) op.shapes = names_.intern_list(args.shapes);
    if (args.any(Args::kTypes)) op.types = names_.intern_list(args.types);
    builder.add(op);
  }
  if (!is_gpu_work(category)) return;
  if (category == Category::kernel && args.any(Args::kAnyKernel)) {
    trace::KernelArgs kernel;
    kernel.slice = slice;
    if (args.any(Args::kGrid)) std::ranges::copy(args.grid, kernel.grid);
    if (args.any(Args::kBlock)) std::ranges::copy(args.block, kernel.block);
    if (args.any(Args::kRegisters)) kernel.registers_per_thread = int32_or(args.registers, -1);
    if (args.any(Args::kSharedMemory)) kernel.shared_memory_bytes = int32_or(args.shared_memory, -1);
    builder.add(kernel);
  }
  if (category == Category::memcpy || args.any(Args::kBytes)) {
    trace::CopyArgs copy;
    copy.slice = slice;
    if (category == Category::memcpy) copy.kind = trace::copy_of_name(builder.header().strings.view(name));
    if (args.any(Args::kBytes)) copy.size_bytes = args.bytes;
    builder.add(copy);
  }
  if (args.any(Args::kAnyCollective)) add_collective(slice, args);
}

void Mapper::add_collective(SliceId slice, const Args& args) {
  trace::CollectiveArgs out;
  out.slice = slice;
  if (args.any(Args::kCollective)) out.kind = trace::collective_of_metadata(args.collective.text.raw);
  if (args.any(Args::kDType)) out.dtype = trace::dtype_of(args.dtype.text.raw);
  if (args.any(Args::kGroupSize)) out.group_size = int32_or(args.group_size, -1);
  if (args.any(Args::kInCount)) out.in_count = args.in_count;
  if (args.any(Args::kOutCount)) out.out_count = args.out_count;
  if (args.any(Args::kSeq)) out.sequence = args.seq;
  if (args.any(Args::kGroupName)) out.group = names_.intern_value(args.group_name);
  if (args.any(Args::kGroupRanks)) out.group_ranks = names_.intern_value(args.group_ranks);
  mapped_.builder.add(out);
}

void Mapper::add_begin_or_end(const Event& event, Category category) {
  if (!check_start(event)) return;
  const StringId name = names_.intern(event.name);
  // An E event often repeats neither category nor args, so pairs live on the row of pid and tid alone.
  TrackKey key = host_key(event, Category::none);
  if (event.args.any(Args::kRank)) key.rank = to_int32(event.args.rank);
  const SliceKind kind = is_on_gpu(category) ? SliceKind::other : host_kind(category, facts_of(name).loader);
  mapped_.begin_ends.push_back({track(key), event.phase == 'B', kind, name, event.start.ns});
}

void Mapper::add_instant(const Event& event) {
  if (!check_start(event)) return;
  TrackKey key = host_key(event, Category::none);
  if (event.args.any(Args::kRank)) key.rank = to_int32(event.args.rank);
  mapped_.builder.add_slice(track(key), SliceKind::instant, names_.intern(event.name), event.start.ns, 0);
}

void Mapper::add_flow(const Event& event, Category category) {
  if (category == Category::launch_flow) return;  // launch -> kernel: the correlation says it
  if (!check_start(event)) return;
  std::string key(event.category.raw);
  key.append(1, '\0').append(event.name.raw).append(1, '\0').append(event.id.text.raw);
  FlowEnd end;
  end.key = row_name(key);
  end.phase = event.phase;
  end.binds_enclosing = event.binds_enclosing;
  if (event.args.any(Args::kNth)) end.nth = to_int32(event.args.nth);
  end.pid = row_id(event.pid);
  end.tid = row_id(event.tid);
  end.at_ns = event.start.ns;
  mapped_.flow_ends.push_back(end);
}

void Mapper::add_counter(const Event& event) {
  if (!check_start(event)) return;
  if (event.raw_args.kind != Value::Kind::object) return;
  TrackKey key;
  key.kind = TrackKind::counter;
  key.pid = row_id(event.pid);
  key.tid = row_id(event.tid);
  if (event.args.any(Args::kRank)) key.rank = to_int32(event.args.rank);
  Cursor c{event.raw_args.text.raw.data(), event.raw_args.text.raw.data() + event.raw_args.text.raw.size()};
  for_each_member(c, [&](std::string_view series, Cursor& at) {
    Value value;
    const Scan scan = scan_value(at, value);
    if (scan != Scan::ok) return scan;
    const std::optional<int64_t> millionths = parse_scaled(value.text.raw, 6);
    if (series == "rank") return scan;
    if (!millionths || value.kind != Value::Kind::scalar) {
      problems().add("bad_counter", "a counter's value that is no number was left out");
      return scan;
    }
    // "GPU 0 Utilization" for one series of several; a series called "value" says no more than the event's own name.
    std::string name(event.name.raw);
    if (series != "value") name.append(" ").append(series);
    key.series = row_name(name);
    const size_t known = mapped_.tracks.size();
    const TrackId id = track(key);
    if (id >= known) mapped_.builder.header().tracks[id].name = names_.intern({name, event.name.escaped});
    mapped_.builder.add(trace::CounterSample{id, event.start.ns, *millionths});
    return scan;
  });
}

void Mapper::add_metadata(const Event& event) {
  ++mapped_.metadata_count;
  if (event.raw_args.kind != Value::Kind::object) return;
  const RowId pid = row_id(event.pid);
  const RowId tid = row_id(event.tid);
  const bool process = event.name.is("process_name") || event.name.is("process_labels");
  const bool thread = event.name.is("thread_name") || event.name.is("thread_sort_index");
  if (!process && !thread) return;
  Cursor c{event.raw_args.text.raw.data(), event.raw_args.text.raw.data() + event.raw_args.text.raw.size()};
  for_each_member(c, [&](std::string_view key, Cursor& at) {
    Value value;
    const Scan scan = scan_value(at, value);
    if (scan != Scan::ok || value.is_null()) return scan;
    Text text = value.text;
    while (text.raw.ends_with(' ')) text.raw.remove_suffix(1);  // "stream 7 "
    if (key == "name" && event.name.is("process_name")) mapped_.processes[pid].name = names_.intern(text);
    if (key == "labels" && event.name.is("process_labels")) mapped_.processes[pid].label = names_.intern(text);
    ThreadNames* names = thread ? &mapped_.threads[{pid, tid}] : nullptr;
    if (key == "name" && event.name.is("thread_name")) {
      names->name = names_.intern(text);
      names->named = true;
    }
    if (key == "sort_index" && thread) names->sort_index = to_int32(parse_int(text.raw).value_or(0));
    return scan;
  });
}

}  // namespace td::formats::chrome
