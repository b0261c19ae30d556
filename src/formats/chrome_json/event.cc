#include "formats/chrome_json/event.h"

#include <algorithm>
#include <limits>

namespace td::formats::chrome {
namespace {

void set_int(Args& args, Args::Field field, int64_t Args::* member, const Value& value) {
  if (value.kind != Value::Kind::scalar && value.kind != Value::Kind::string) return;
  const std::optional<int64_t> number = parse_int(value.text.raw);
  if (!number) return;
  args.*member = *number;
  args.has |= field;
}

void set_value(Args& args, Args::Field field, Value Args::* member, const Value& value) {
  if (value.is_null()) return;
  args.*member = value;
  args.has |= field;
}

// "[2,66,1]" -> three numbers; values outside uint32 or another shape leave the field unset.
void set_triple(Args& args, Args::Field field, std::array<uint32_t, 3> Args::* member, const Value& value) {
  if (value.kind != Value::Kind::array) return;
  std::array<uint32_t, 3> out{};
  size_t count = 0;
  std::string_view text = value.text.raw;
  for (size_t at = 1; at < text.size(); ++at) {
    if (text[at] < '0' || text[at] > '9') continue;
    size_t end = at;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    const std::optional<int64_t> number = parse_int(text.substr(at, end - at));
    if (!number || *number > std::numeric_limits<uint32_t>::max() || count == 3) return;
    out[count++] = static_cast<uint32_t>(*number);
    at = end;
  }
  if (count != 3) return;
  args.*member = out;
  args.has |= field;
}

void take_arg(Args& args, std::string_view key, const Value& value) {
  const auto integer = [&](std::string_view name, Args::Field field, int64_t Args::* member) {
    if (key != name) return false;
    set_int(args, field, member, value);
    return true;
  };
  const auto text = [&](std::string_view name, Args::Field field, Value Args::* member) {
    if (key != name) return false;
    set_value(args, field, member, value);
    return true;
  };
  switch (key.size()) {
    case 3:
      if (integer("Seq", Args::kSeq, &Args::seq) || integer("nth", Args::kNth, &Args::nth)) return;
      return;
    case 4:
      if (key == "grid") return set_triple(args, Args::kGrid, &Args::grid, value);
      integer("rank", Args::kRank, &Args::rank);
      return;
    case 5:
      if (key == "block") return set_triple(args, Args::kBlock, &Args::block, value);
      if (integer("bytes", Args::kBytes, &Args::bytes)) return;
      text("dtype", Args::kDType, &Args::dtype);
      return;
    case 6:
      if (integer("stream", Args::kStream, &Args::stream)) return;
      integer("device", Args::kDevice, &Args::device);
      return;
    case 10:
      if (text("Input Dims", Args::kShapes, &Args::shapes) || text("Input type", Args::kTypes, &Args::types)) return;
      integer("Group size", Args::kGroupSize, &Args::group_size);
      return;
    case 11:
      if (integer("correlation", Args::kCorrelation, &Args::correlation)) return;
      if (integer("External id", Args::kExternalId, &Args::external_id)) return;
      integer("external id", Args::kExternalId, &Args::external_id);
      return;
    case 13:
      if (integer("shared memory", Args::kSharedMemory, &Args::shared_memory)) return;
      integer("In msg nelems", Args::kInCount, &Args::in_count);
      return;
    case 14:
      integer("Out msg nelems", Args::kOutCount, &Args::out_count);
      return;
    case 15:
      if (integer("Sequence number", Args::kSequence, &Args::sequence)) return;
      if (text("Collective name", Args::kCollective, &Args::collective)) return;
      integer("correlation_raw", Args::kCorrelationRaw, &Args::correlation_raw);
      return;
    case 18:
      text("Process Group Name", Args::kGroupName, &Args::group_name);
      return;
    case 19:
      text("Process Group Ranks", Args::kGroupRanks, &Args::group_ranks);
      return;
    case 20:
      integer("registers per thread", Args::kRegisters, &Args::registers);
      return;
    default:
      return;
  }
}

void note_unknown_word(const Value& value, Problems& problems) {
  if (value.kind != Value::Kind::scalar || value.text.empty()) return;
  const char first = value.text.raw.front();
  if ((first >= '0' && first <= '9') || first == '-') return;  // numbers: wrong ones are named where they are used
  if (is_unknown_word(value.text.raw))
    problems.add("bare_word", "a bare word stands where a value should, taken as null");
}

Scan scan_args(Cursor& c, Args& args, Problems& problems) {
  return for_each_member(c, [&](std::string_view key, Cursor& at) {
    Value value;
    if (const Scan scan = scan_value(at, value); scan != Scan::ok) return scan;
    note_unknown_word(value, problems);
    take_arg(args, key, value);
    return Scan::ok;
  });
}

Scan scan_text(Cursor& c, Text& out) {
  Value value;
  const Scan scan = scan_value(c, value);
  if (scan == Scan::ok && !value.is_null()) out = value.text;
  return scan;
}

Scan scan_time(Cursor& c, FileTime& out, int64_t min_ns, int64_t max_ns) {
  Value value;
  const Scan scan = scan_value(c, value);
  if (scan == Scan::ok) out = time_of(value, min_ns, max_ns);
  return scan;
}

Scan scan_phase(Cursor& c, Event& event) {
  Text text;
  const Scan scan = scan_text(c, text);
  if (scan == Scan::ok && !text.empty()) event.phase = text.raw.size() == 1 ? text.raw[0] : '?';
  return scan;
}

// `args`: an object in nearly all files, [] or null in some. Python frames fill most of a with_stack file and their
// args hold nothing for the model, so they are passed over.
Scan scan_args_value(Cursor& c, Event& event, Problems& problems) {
  if (c.at >= c.end) return Scan::more;
  const bool skip = event.category.is("python_function") || *c.at != '{';
  const char* start = c.at;
  event.args.has = 0;
  const Scan scan = skip ? skip_value(c) : scan_args(c, event.args, problems);
  if (scan != Scan::ok) return scan;
  event.raw_args.kind = *start == '{' ? Value::Kind::object : Value::Kind::scalar;
  event.raw_args.text = {std::string_view(start, static_cast<size_t>(c.at - start)), false};
  return Scan::ok;
}

Scan take_key(Event& event, std::string_view key, Cursor& c, Problems& problems) {
  switch (key.size()) {
    case 2:
      if (key == "ph") return scan_phase(c, event);
      if (key == "ts") return scan_time(c, event.start, kMinTimeNs, kMaxTimeNs);
      if (key == "id") return scan_value(c, event.id);
      if (key == "bp") {
        Text text;
        const Scan scan = scan_text(c, text);
        event.binds_enclosing = text.is("e");
        return scan;
      }
      break;
    case 3:
      if (key == "dur") return scan_time(c, event.dur, -kMaxDurNs, kMaxDurNs);
      if (key == "pid") return scan_value(c, event.pid);
      if (key == "tid") return scan_value(c, event.tid);
      if (key == "cat") return scan_text(c, event.category);
      break;
    case 4:
      if (key == "name") return scan_text(c, event.name);
      if (key == "args") return scan_args_value(c, event, problems);
      break;
    default:
      break;
  }
  return skip_value(c);
}

}  // namespace

FileTime time_of(const Value& value, int64_t min_ns, int64_t max_ns) {
  FileTime out;
  if (value.kind == Value::Kind::absent || value.is_null()) return out;
  out.state = FileTime::State::bad;
  if (value.kind != Value::Kind::scalar && value.kind != Value::Kind::string) return out;
  const std::optional<int64_t> ns = parse_scaled(value.text.raw, 3);
  if (!ns || *ns < min_ns || *ns > max_ns) return out;
  return {FileTime::State::ok, *ns};
}

Scan scan_event(Cursor& c, Event& out, Problems& problems) {
  return for_each_member(c, [&](std::string_view key, Cursor& at) {
    out.any_key = true;
    return take_key(out, key, at, problems);
  });
}

}  // namespace td::formats::chrome
