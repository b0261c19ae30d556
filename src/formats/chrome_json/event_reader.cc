#include "formats/chrome_json/event_reader.h"

#include <cstring>

namespace td::formats::chrome {
namespace {

constexpr std::string_view kEventsKey = "traceEvents";
constexpr int kMaxNestedObjects = 8;  // {"traceEvents":{"traceEvents":[...
constexpr size_t kMaxHeaderBytes = size_t{64} << 20;
constexpr size_t kMaxKeys = 12;
constexpr size_t kLookahead = 256;  // enough to see what follows a closing brace

// Top-level keys that may follow traceEvents; used to tell the end of the list from a list within a broken event.
bool is_known_key(std::string_view key) {
  for (std::string_view known :
       {"schemaVersion", "deviceProperties", "distributedInfo", "displayTimeUnit", "baseTimeNanoseconds", "traceName",
        "trace_id", "metadata", "otherData", "stackFrames", "samples", "host_name", "record_shapes", "with_stack",
        "with_flops", "with_modules", "profile_memory", "tracedrills"})
    if (key == known) return true;
  return false;
}

// True at the first key of an event, and not of an object within some args.
bool begins_event(Cursor c) {
  skip_space(c);
  if (c.at >= c.end || *c.at != '{') return false;
  ++c.at;
  skip_space(c);
  Text key;
  if (c.at >= c.end || *c.at != '"' || scan_string(c, key) != Scan::ok) return false;
  for (std::string_view known : {"ph", "name", "cat", "pid", "tid", "ts", "dur", "id", "args", "s", "bp"})
    if (key.raw == known) return true;
  return false;
}

// What stands at a closing brace: does the next event begin behind it, or does the list end there?
enum class Behind : uint8_t { nothing, event, end_of_list };

Behind look_behind(Cursor c) {
  ++c.at;
  skip_space(c);
  if (c.at < c.end && *c.at == ',') {
    ++c.at;
    return begins_event(c) ? Behind::event : Behind::nothing;
  }
  if (c.at >= c.end || *c.at != ']') return Behind::nothing;
  ++c.at;
  skip_space(c);
  if (c.at >= c.end) return Behind::end_of_list;
  if (*c.at == '}') {
    ++c.at;
    skip_space(c);
    return c.at >= c.end ? Behind::end_of_list : Behind::nothing;
  }
  if (*c.at != ',') return Behind::nothing;
  ++c.at;
  skip_space(c);
  Text key;
  if (c.at >= c.end || *c.at != '"' || scan_string(c, key) != Scan::ok) return Behind::nothing;
  return is_known_key(key.raw) ? Behind::end_of_list : Behind::nothing;
}

}  // namespace

Result<bool> EventReader::skip_to_token() {
  while (true) {
    skip_space(window_.cursor);
    if (window_.cursor.at < window_.cursor.end) return true;
    if (!TRY(window_.load())) return false;
  }
}

Status EventReader::run() {
  TRY_OK(window_.want(4));
  if (std::string_view(window_.cursor.at, static_cast<size_t>(window_.cursor.end - window_.cursor.at))
          .starts_with("\xEF\xBB\xBF"))
    window_.cursor.at += 3;
  if (TRY(skip_to_token())) {
    if (*window_.cursor.at == '[') {
      TRY_OK(read_events(true));
    } else if (*window_.cursor.at == '{') {
      TRY_OK(read_object(0));
    }
  }
  if (!window_.read_error().empty()) {
    mapper_.problems().add_global("truncated", "the file could not be read to its end (" + window_.read_error() +
                                                   "); what came before it was kept");
  } else if (ended_inside_) {
    mapper_.problems().add_global("truncated",
                                  "the file ends before everything in it is closed; complete events were kept (byte " +
                                      std::to_string(window_.offset()) + ")");
  }
  return {};
}

Status EventReader::read_object(int depth) {
  ++window_.cursor.at;
  while (true) {
    if (!TRY(skip_to_token())) {
      ended_inside_ = true;
      return {};
    }
    const char c = *window_.cursor.at;
    if (c == '}') {
      ++window_.cursor.at;
      return {};
    }
    if (c == ',') {
      ++window_.cursor.at;
      continue;
    }
    if (c != '"') {
      mapper_.problems().add_global("broken_header",
                                    "expected a top-level key at byte " + std::to_string(window_.offset()));
      ended_inside_ = !saw_events_;
      return {};
    }
    if (!TRY(read_member(depth))) return {};
  }
}

// False if nothing more can be read of this object.
Result<bool> EventReader::read_member(int depth) {
  const std::string key = TRY(read_key());
  if (!TRY(skip_to_token()) || *window_.cursor.at != ':') {
    ended_inside_ = true;
    return false;
  }
  ++window_.cursor.at;
  if (!TRY(skip_to_token())) {
    ended_inside_ = true;
    return false;
  }
  if (header_.keys.size() < kMaxKeys) header_.keys.push_back(key.substr(0, 64));
  TRY_OK(read_value_of(key, depth));
  return !ended_inside_;
}

Result<std::string> EventReader::read_key() {
  Text key;
  while (true) {
    const char* start = window_.cursor.at;
    const Scan scan = scan_string(window_.cursor, key);
    if (scan == Scan::ok) return std::string(key.raw);
    window_.cursor.at = start;
    if (!TRY(window_.load())) {
      window_.cursor.at = window_.cursor.end;
      return std::string();
    }
  }
}

Status EventReader::read_value_of(const std::string& key, int depth) {
  const char first = *window_.cursor.at;
  if (key == kEventsKey && first == '[') return read_events(false);
  if (key == kEventsKey && first == '{' && depth < kMaxNestedObjects) return read_object(depth + 1);
  std::string text;
  const bool wanted = is_header_key(key);
  if (!TRY(consume_value(wanted ? &text : nullptr))) {
    ended_inside_ = true;
    return {};
  }
  if (wanted) take_header(header_, key, text, mapper_.problems());
  return {};
}

Result<bool> EventReader::consume_value(std::string* out) {
  int64_t depth = 0;
  bool in_string = false;
  bool escaped = false;
  bool scalar = false;
  while (true) {
    Cursor& c = window_.cursor;
    const char* start = c.at;
    bool done = false;
    while (c.at < c.end && !done) {
      const char byte = *c.at;
      if (in_string) {
        if (escaped) {
          escaped = false;
        } else if (byte == '\\') {
          escaped = true;
        } else if (byte == '"') {
          in_string = false;
          done = depth == 0;
        }
        ++c.at;
        continue;
      }
      if (scalar && (byte == ',' || byte == '}' || byte == ']' || static_cast<unsigned char>(byte) <= ' ')) {
        done = true;
        break;
      }
      ++c.at;
      if (byte == '"') {
        in_string = true;
      } else if (byte == '[' || byte == '{') {
        ++depth;
      } else if (byte == ']' || byte == '}') {
        done = --depth <= 0;
      } else if (depth == 0) {
        scalar = true;
      }
    }
    if (out != nullptr && out->size() < kMaxHeaderBytes) out->append(start, static_cast<size_t>(c.at - start));
    if (done) return true;
    if (!TRY(window_.load())) return scalar && depth == 0;
  }
}

Status EventReader::read_events(bool bare) {
  saw_events_ = true;
  ++window_.cursor.at;
  while (true) {
    if (!TRY(skip_to_token())) {
      ended_inside_ = !bare;
      return {};
    }
    const char c = *window_.cursor.at;
    if (c == ',') {
      ++window_.cursor.at;
    } else if (c == ']') {
      ++window_.cursor.at;
      return {};
    } else {
      const Step step = TRY(read_event());
      if (step == Step::closed) return {};
      if (step == Step::end_of_bytes) {
        ended_inside_ = true;
        return {};
      }
    }
  }
}

// One element of the list, of whatever kind.
Result<EventReader::Step> EventReader::read_event() {
  Problems& problems = mapper_.problems();
  while (true) {
    const char* start = window_.cursor.at;
    problems.set_place(mapper_.mapped().event_count, window_.offset());
    Scan scan = Scan::bad;
    if (*start == '{') {
      event_.reset();
      scan = scan_event(window_.cursor, event_, problems);
      if (scan == Scan::ok) {
        mapper_.add(event_);
        return Step::go_on;
      }
    } else {
      scan = skip_value(window_.cursor);
      if (scan == Scan::ok) {
        problems.add("not_an_event", "an element of traceEvents that is no object was left out");
        ++mapper_.mapped().event_count;
        return Step::go_on;
      }
    }
    window_.cursor.at = start;
    if (scan == Scan::more && TRY(window_.load())) continue;
    const bool at_end = scan == Scan::more;
    const Step step = TRY(resynchronise());
    if (step == Step::end_of_bytes && at_end) return step;  // cut off within its last event
    problems.add("broken_event", "an event that is no JSON was left out, reading went on at the next one");
    ++mapper_.mapped().event_count;
    return step;
  }
}

// From a broken event to the next `},{"`, which no intact string of Kineto holds, or to the end of the list.
Result<EventReader::Step> EventReader::resynchronise() {
  ++window_.cursor.at;
  while (true) {
    TRY_OK(window_.want(kLookahead));
    Cursor& c = window_.cursor;
    if (c.at >= c.end) return Step::end_of_bytes;
    const void* brace = std::memchr(c.at, '}', static_cast<size_t>(c.end - c.at));
    if (brace == nullptr) {
      c.at = c.end;
      continue;
    }
    c.at = static_cast<const char*>(brace);
    TRY_OK(window_.want(kLookahead));
    const Behind behind = look_behind(window_.cursor);
    ++window_.cursor.at;
    if (behind == Behind::event) return Step::go_on;
    if (behind == Behind::end_of_list) return Step::go_on;  // the caller meets the bracket itself
  }
}

}  // namespace td::formats::chrome
