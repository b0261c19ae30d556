#include "formats/pftrace/packets.h"

#include <algorithm>

#include "formats/pftrace/fields.h"

namespace td::formats::perfetto {
namespace {

constexpr size_t kWindowBytes = size_t{1} << 20;
// One packet longer than this is damage, not a trace.
constexpr uint64_t kMaxPacketBytes = uint64_t{256} << 20;
// Times that lie farther than a hundred years from 0 are none.
constexpr uint64_t kLatestNs = uint64_t{100} * 365 * 24 * 3600 * 1'000'000'000;

uint32_t narrow(uint64_t value) { return static_cast<uint32_t>(std::min<uint64_t>(value, UINT32_MAX)); }

int64_t millionths(double value) {
  constexpr double kLargest = 9e12;
  if (!(value > -kLargest) || !(value < kLargest)) return 0;
  const double scaled = value * 1e6;
  return static_cast<int64_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

// The length of the packet that `bytes` begin with, and of the tag and length before it. False if more bytes are
// needed to tell; `bad` if it is no packet.
bool packet_size(std::string_view bytes, size_t& head, uint64_t& size, bool& bad) {
  size = 0;
  if (bytes.empty()) return false;
  bad = bytes.front() != '\x0a';
  if (bad) return false;
  for (size_t at = 1; at < bytes.size(); ++at) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    size |= uint64_t{byte & 127U} << (7 * (at - 1));
    if (byte < 128) {
      head = at + 1;
      bad = size > kMaxPacketBytes;
      return !bad;
    }
    if (at == 5) {
      bad = true;
      return false;
    }
  }
  return false;
}

}  // namespace

Status Packets::read(Source& source, Progress& progress) {
  std::string window;
  std::string chunk(kWindowBytes, '\0');
  int64_t done = 0;
  while (true) {
    const size_t count = TRY(source.read(chunk));
    window.append(chunk, 0, count);
    size_t at = 0;
    bool bad = false;
    while (at < window.size()) {
      size_t head = 0;
      uint64_t size = 0;
      const std::string_view rest = std::string_view(window).substr(at);
      if (!packet_size(rest, head, size, bad)) break;
      if (rest.size() - head < size) break;
      packet(rest.substr(head, static_cast<size_t>(size)));
      ++packets;
      at += head + static_cast<size_t>(size);
    }
    done += static_cast<int64_t>(at);
    window.erase(0, at);
    progress.report("reading " + std::string(source.name()), done, source.size_bytes());
    if (progress.cancelled()) return fail(ErrorCode::cancelled, "reading was cancelled", std::string(source.name()));
    if (bad || (count == 0 && !window.empty())) {
      const std::string where = "byte " + std::to_string(done);
      if (packets == 0)
        return fail(ErrorCode::malformed, "no Perfetto trace: " + where + " begins no packet",
                    std::string(source.name()));
      problems.add_global(bad ? "damaged" : "truncated",
                          bad ? "what follows is no packet and was left out, from " + where
                              : "the file ends inside a packet, which was left out, at " + where);
      break;
    }
    if (count == 0) break;
  }
  return {};
}

uint32_t Packets::track_index(uint64_t uuid) {
  const auto [it, added] = index_of_.try_emplace(uuid, static_cast<uint32_t>(uuids.size()));
  if (added) {
    uuids.push_back(uuid);
    open_.emplace_back();
  }
  return it->second;
}

trace::StringId Packets::interned(Sequence& sequence, uint32_t field, uint64_t iid) {
  const auto table = sequence.strings.find(field);
  if (table != sequence.strings.end())
    if (const auto it = table->second.find(iid); it != table->second.end()) return strings.intern(it->second);
  problems.add_global("unknown_name", "numbers of strings that the file does not hold read as \"?\"");
  return strings.intern("?");
}

void Packets::packet(std::string_view bytes) {
  uint64_t stamp = 0;
  bool has_stamp = false;
  uint64_t id = 0;
  uint64_t flags = 0;
  uint64_t clock = 0;
  std::string_view track;
  std::string_view data;
  std::string_view event;
  std::string_view gpu_work;
  std::string_view defaults_bytes;
  std::string_view clocks;
  Fields fields(bytes);
  while (fields.next()) {
    switch (fields.field()) {
      case packet::kTimestamp:
        stamp = fields.number();
        has_stamp = true;
        break;
      case packet::kSequenceId:
        id = fields.number();
        break;
      case packet::kSequenceFlags:
        flags = fields.number();
        break;
      case packet::kClockId:
        clock = fields.number();
        break;
      case packet::kTrackDescriptor:
        track = fields.bytes();
        break;
      case packet::kInternedData:
        data = fields.bytes();
        break;
      case packet::kTrackEvent:
        event = fields.bytes();
        break;
      case packet::kGpuRenderStageEvent:
        gpu_work = fields.bytes();
        break;
      case packet::kDefaults:
        defaults_bytes = fields.bytes();
        break;
      case packet::kClockSnapshot:
        clocks = fields.bytes();
        break;
      default:
        break;
    }
  }
  if (fields.broken()) problems.add_global("bad_packet", "packets that are no message were read as far as they are");
  Sequence& sequence = sequences_[id];
  if ((flags & packet::kStateCleared) != 0) {
    auto clocks_kept = std::move(sequence.clocks);
    sequence = {};
    sequence.clocks = std::move(clocks_kept);
  }
  if (!defaults_bytes.empty()) set_defaults(sequence, defaults_bytes);
  if (!data.empty()) interned_data(sequence, data);
  if (!clocks.empty()) snapshot(sequence, clocks);
  if (!track.empty()) descriptor(track);
  if (event.empty() && gpu_work.empty()) return;
  TimeNs at_ns = 0;
  if (!has_stamp || !time_of(sequence, clock != 0 ? clock : sequence.default_clock, stamp, at_ns)) {
    problems.add_global("bad_timestamp", "events without a time, or over a hundred years from 0, were left out");
    return;
  }
  if (!event.empty()) track_event(sequence, event, at_ns);
  if (!gpu_work.empty()) gpu_event(sequence, gpu_work, at_ns);
}

bool Packets::time_of(Sequence& sequence, uint64_t clock, uint64_t stamp, TimeNs& at_ns) {
  uint64_t time = stamp;
  if (const auto it = sequence.clocks.find(clock); it != sequence.clocks.end() && it->second.known) {
    Clock& own = it->second;
    if (stamp > kLatestNs / own.unit_ns) return false;
    time = stamp * own.unit_ns;
    if (own.incremental) {
      own.base += time;
      time = own.base;
    }
  }
  if (time > kLatestNs) return false;
  at_ns = static_cast<TimeNs>(time);
  return true;
}

// Clocks of a sequence's own count from what the snapshot says, in its units.
void Packets::snapshot(Sequence& sequence, std::string_view bytes) {
  Fields fields(bytes);
  while (fields.next()) {
    if (fields.field() != clock_snapshot::kClock || !fields.is_bytes()) continue;
    uint64_t id = 0;
    Clock clock;
    clock.known = true;
    Fields inner(fields.bytes());
    while (inner.next()) {
      if (inner.field() == clock_snapshot::kId) id = inner.number();
      if (inner.field() == clock_snapshot::kTimestamp) clock.base = inner.number();
      if (inner.field() == clock_snapshot::kIsIncremental) clock.incremental = inner.number() != 0;
      if (inner.field() == clock_snapshot::kUnitNs)
        clock.unit_ns = std::clamp<uint64_t>(inner.number(), 1, uint64_t{1'000'000'000});
    }
    // The machine's clocks (ids below 64) are nanoseconds; only a sequence's own need state.
    if (id < 64) continue;
    clock.base = clock.base > kLatestNs / clock.unit_ns ? 0 : clock.base * clock.unit_ns;
    sequence.clocks[id] = clock;
  }
}

void Packets::set_defaults(Sequence& sequence, std::string_view bytes) {
  Fields fields(bytes);
  while (fields.next()) {
    if (fields.field() == defaults::kClockId) sequence.default_clock = fields.number();
    if (fields.field() != defaults::kTrackEvent) continue;
    Fields inner(fields.bytes());
    while (inner.next())
      if (inner.field() == defaults::kTrackUuid) sequence.default_track = inner.number();
  }
}

void Packets::interned_data(Sequence& sequence, std::string_view bytes) {
  Fields fields(bytes);
  while (fields.next()) {
    if (!fields.is_bytes()) continue;
    uint64_t iid = 0;
    uint64_t pid = 0;
    Spec spec;
    Fields inner(fields.bytes());
    while (inner.next()) {
      if (inner.field() == interned::kIid) iid = inner.number();
      if (inner.field() == interned::kString && inner.is_bytes()) spec.name = inner.bytes();
      if (inner.field() == interned::kContextPid && !inner.is_bytes()) pid = inner.number();
      if (inner.field() == interned::kSpecDescription && inner.is_bytes()) spec.description = inner.bytes();
    }
    switch (fields.field()) {
      case interned::kCategory:
      case interned::kEventName:
      case interned::kAnnotationName:
      case interned::kText:
        sequence.strings[fields.field()][iid] = std::move(spec.name);
        break;
      case interned::kGpuSpec:
        sequence.specs[iid] = std::move(spec);
        break;
      case interned::kContext:
        sequence.context_pids[iid] = static_cast<int64_t>(pid & 0x7FFFFFFF);
        break;
      default:
        break;
    }
  }
}

void Packets::descriptor(std::string_view bytes) {
  TrackInfo info;
  uint64_t uuid = 0;
  Fields fields(bytes);
  while (fields.next()) {
    switch (fields.field()) {
      case descriptor::kUuid:
        uuid = fields.number();
        break;
      case descriptor::kName:
      case descriptor::kStaticName:
        info.name = fields.bytes();
        break;
      case descriptor::kParent:
        info.parent = fields.number();
        break;
      case descriptor::kCounter:
        info.is_counter = true;
        break;
      case descriptor::kOrder:
        info.order = fields.integer();
        break;
      case descriptor::kDescription:
        info.description = fields.bytes();
        break;
      case descriptor::kProcess:
      case descriptor::kThread: {
        Fields inner(fields.bytes());
        const bool thread = fields.field() == descriptor::kThread;
        while (inner.next()) {
          if (inner.field() == descriptor::kPid) info.pid = inner.integer();
          if (thread && inner.field() == descriptor::kTid) info.tid = inner.integer();
          if (thread && inner.field() == descriptor::kThreadName) info.thread_name = inner.bytes();
          if (!thread && inner.field() == descriptor::kProcessName) info.process_name = inner.bytes();
        }
        break;
      }
      default:
        break;
    }
  }
  infos[uuid] = std::move(info);
}

bool Packets::annotation(Sequence& sequence, std::string_view bytes, Arg& arg) {
  Fields fields(bytes);
  bool has_value = false;
  while (fields.next()) {
    switch (fields.field()) {
      case annotation::kNameIid:
        arg.name = interned(sequence, interned::kAnnotationName, fields.number());
        break;
      case annotation::kName:
        arg.name = strings.intern(fields.bytes());
        break;
      case annotation::kUint:
      case annotation::kInt:
        arg.number = fields.integer();
        has_value = true;
        break;
      case annotation::kText:
        arg.text = strings.intern(fields.bytes());
        arg.is_text = has_value = true;
        break;
      case annotation::kTextIid:
        arg.text = interned(sequence, interned::kText, fields.number());
        arg.is_text = has_value = true;
        break;
      default:
        break;
    }
  }
  return has_value && arg.name != 0;
}

void Packets::track_event(Sequence& sequence, std::string_view bytes, TimeNs at_ns) {
  SliceRow row{.at_ns = at_ns, .args = {}, .flows_out = {}, .flows_in = {}};
  uint64_t type = 0;
  uint64_t uuid = sequence.default_track;
  int64_t value_millionths = 0;
  Fields fields(bytes);
  while (fields.next()) {
    switch (fields.field()) {
      case event::kType:
        type = fields.number();
        break;
      case event::kTrackUuid:
        uuid = fields.number();
        break;
      case event::kNameIid:
        row.name = interned(sequence, interned::kEventName, fields.number());
        break;
      case event::kName:
        row.name = strings.intern(fields.bytes());
        break;
      case event::kCategoryIid:
        if (!fields.is_bytes() && row.category == 0)
          row.category = interned(sequence, interned::kCategory, fields.number());
        break;
      case event::kCategory:
        if (row.category == 0) row.category = strings.intern(fields.bytes());
        break;
      case event::kAnnotation: {
        Arg arg;
        if (annotation(sequence, fields.bytes(), arg)) row.args.push_back(arg);
        break;
      }
      case event::kFlowId:
      case event::kOldFlowId:
        if (!fields.is_bytes()) row.flows_out.push_back(fields.number());
        break;
      case event::kEndFlowId:
      case event::kOldEndFlowId:
        if (!fields.is_bytes()) row.flows_in.push_back(fields.number());
        break;
      case event::kGpuCorrelation: {
        Fields inner(fields.bytes());
        while (inner.next())
          if (inner.field() == event::kSubmissionId) row.submission = inner.number();
        break;
      }
      case event::kCounterValue: {
        constexpr int64_t kLargest = int64_t{9'000'000'000'000};
        value_millionths = std::clamp(fields.integer(), -kLargest, kLargest) * 1'000'000;
        break;
      }
      case event::kDoubleCounterValue:
        value_millionths = millionths(fields.real());
        break;
      default:
        break;
    }
  }
  const uint32_t track = track_index(uuid);
  row.track = track;
  if (type == event::kCounter) {
    counters.push_back({track, at_ns, value_millionths});
  } else if (type == event::kEnd) {
    if (open_[track].empty()) {
      problems.add_global("unmatched_end", "ends of slices that never began were left out");
      return;
    }
    SliceRow& begun = slices[open_[track].back()];
    open_[track].pop_back();
    begun.dur_ns = std::max<TimeNs>(at_ns - begun.at_ns, 0);
  } else if (type == event::kBegin || type == event::kInstant) {
    row.instant = type == event::kInstant;
    if (row.instant) row.dur_ns = 0;
    if (!row.instant) open_[track].push_back(slices.size());
    slices.push_back(std::move(row));
  } else {
    problems.add_global("legacy_event", "events of the legacy form inside a Perfetto trace were left out");
  }
}

uint32_t Packets::queue_of(Sequence& sequence, uint64_t gpu_id, uint64_t iid, uint64_t context) {
  const auto [it, added] = sequence.queue_index.try_emplace({gpu_id, iid}, static_cast<uint32_t>(queues.size()));
  if (!added) return it->second;
  Queue queue{.gpu_id = static_cast<int64_t>(gpu_id & 0xFFFFFF), .pid = 0, .name = {}, .description = {}};
  if (const auto spec = sequence.specs.find(iid); spec != sequence.specs.end()) {
    queue.name = spec->second.name;
    queue.description = spec->second.description;
  }
  if (const auto pid = sequence.context_pids.find(context); pid != sequence.context_pids.end()) queue.pid = pid->second;
  queues.push_back(std::move(queue));
  return it->second;
}

void Packets::gpu_launch(std::string_view bytes, WorkRow& row) {
  row.has_launch = true;
  Fields fields(bytes);
  while (fields.next()) {
    if (!fields.is_bytes()) continue;
    Fields inner(fields.bytes());
    if (fields.field() == gpu::kGrid || fields.field() == gpu::kBlock) {
      uint32_t(&axes)[3] = fields.field() == gpu::kGrid ? row.grid : row.block;
      while (inner.next())
        if (inner.field() >= 1 && inner.field() <= 3) axes[inner.field() - 1] = narrow(inner.number());
    } else if (fields.field() == gpu::kArg) {
      Arg arg;
      while (inner.next()) {
        if (inner.field() == gpu::kArgName) arg.name = strings.intern(inner.bytes());
        if (inner.field() == gpu::kArgValue) arg.number = inner.integer();
      }
      row.args.push_back(arg);
    }
  }
}

void Packets::gpu_event(Sequence& sequence, std::string_view bytes, TimeNs at_ns) {
  WorkRow row{.at_ns = at_ns, .args = {}};
  uint64_t gpu_id = 0;
  uint64_t queue = 0;
  uint64_t context = 0;
  uint64_t duration_ns = 0;
  bool has_name = false;
  Fields fields(bytes);
  while (fields.next()) {
    switch (fields.field()) {
      case gpu::kEventId:
        row.submission = fields.number();
        break;
      case gpu::kDuration:
        duration_ns = fields.number();
        break;
      case gpu::kContext:
        context = fields.number();
        break;
      case gpu::kGpuId:
        gpu_id = fields.number();
        break;
      case gpu::kQueueIid:
        queue = fields.number();
        break;
      case gpu::kStageIid:
        if (const auto it = sequence.specs.find(fields.number()); it != sequence.specs.end())
          row.stage = strings.intern(it->second.name);
        break;
      case gpu::kNameIid:
        row.name = interned(sequence, interned::kEventName, fields.number());
        has_name = true;
        break;
      case gpu::kLaunch:
        gpu_launch(fields.bytes(), row);
        break;
      case gpu::kExtra: {
        Arg arg{.is_text = true};
        Fields inner(fields.bytes());
        while (inner.next()) {
          if (inner.field() == gpu::kExtraName) arg.name = strings.intern(inner.bytes());
          if (inner.field() == gpu::kExtraValue) arg.text = strings.intern(inner.bytes());
        }
        row.args.push_back(arg);
        break;
      }
      default:
        break;
    }
  }
  if (duration_ns > kLatestNs) {
    problems.add_global("bad_timestamp", "events without a time, or over a hundred years from 0, were left out");
    return;
  }
  row.dur_ns = static_cast<TimeNs>(duration_ns);
  if (!has_name) row.name = row.stage;
  row.queue = queue_of(sequence, gpu_id, queue, context);
  work.push_back(std::move(row));
}

}  // namespace td::formats::perfetto
