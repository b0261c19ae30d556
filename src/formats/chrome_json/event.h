// One element of traceEvents as it stands in the window: keys told apart, nothing interpreted yet.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "formats/chrome_json/scanner.h"
#include "formats/problems.h"

namespace td::formats::chrome {

// A time of the file in ns. bad: neither a number nor null ("100a").
struct FileTime {
  enum class State : uint8_t { absent, ok, bad };
  State state = State::absent;
  int64_t ns = 0;
};

// The times and lengths that the reader takes, 31 years before to 95 years after 0, so that no later sum can overflow.
inline constexpr int64_t kMinTimeNs = -1'000'000'000'000'000'000;
inline constexpr int64_t kMaxTimeNs = 3'000'000'000'000'000'000;
inline constexpr int64_t kMaxDurNs = 1'000'000'000'000'000'000;

// The args that the trace model has a place for. A field counts only if its bit is in `has`.
struct Args {
  using Field = uint32_t;
  static constexpr Field kDevice = 1U << 0;
  static constexpr Field kStream = 1U << 1;
  static constexpr Field kCorrelation = 1U << 2;
  static constexpr Field kCorrelationRaw = 1U << 3;
  static constexpr Field kExternalId = 1U << 4;
  static constexpr Field kSequence = 1U << 5;
  static constexpr Field kGrid = 1U << 6;
  static constexpr Field kBlock = 1U << 7;
  static constexpr Field kRegisters = 1U << 8;
  static constexpr Field kSharedMemory = 1U << 9;
  static constexpr Field kBytes = 1U << 10;
  static constexpr Field kRank = 1U << 11;
  static constexpr Field kInCount = 1U << 12;
  static constexpr Field kOutCount = 1U << 13;
  static constexpr Field kGroupSize = 1U << 14;
  static constexpr Field kSeq = 1U << 15;
  static constexpr Field kCollective = 1U << 16;
  static constexpr Field kDType = 1U << 17;
  static constexpr Field kGroupName = 1U << 18;
  static constexpr Field kGroupRanks = 1U << 19;
  static constexpr Field kShapes = 1U << 20;
  static constexpr Field kTypes = 1U << 21;
  static constexpr Field kNth = 1U << 22;
  static constexpr Field kAnyCollective =
      kInCount | kOutCount | kGroupSize | kSeq | kCollective | kDType | kGroupName | kGroupRanks;
  static constexpr Field kAnyKernel = kGrid | kBlock | kRegisters | kSharedMemory;

  Field has = 0;
  int64_t device, stream, correlation, correlation_raw, external_id, sequence, registers, shared_memory, bytes, rank;
  int64_t in_count, out_count, group_size, seq, nth;
  std::array<uint32_t, 3> grid, block;
  Value collective, dtype, group_name, group_ranks, shapes, types;

  [[nodiscard]] bool any(Field fields) const { return (has & fields) != 0; }
};

struct Event {
  char phase = '\0';  // '\0' if there is none, '?' if it is longer than one character
  Text category;
  Text name;
  Value pid;
  Value tid;
  Value id;
  FileTime start;
  FileTime dur;
  bool any_key = false;
  bool binds_enclosing = false;  // "bp":"e"
  Value raw_args;                // all of args, for the rare phases that read them again
  Args args;

  // Empty again, without touching the args that `has` does not name.
  void reset() {
    phase = '\0';
    category = name = {};
    pid = tid = id = raw_args = {};
    start = dur = {};
    any_key = binds_enclosing = false;
    args.has = 0;
  }
};

// Scans the object at the cursor. `more` and `bad` leave the cursor anywhere inside; the caller goes back to the start.
// Words that no JSON dialect knows are noted in `problems` and otherwise taken as null.
Scan scan_event(Cursor& c, Event& out, Problems& problems);

// A time in microseconds, plain or quoted, to ns.
FileTime time_of(const Value& value, int64_t min_ns, int64_t max_ns);

// Members of an object as it stands in the file, called in order; for what is too rare for a table.
template <typename Visit>
Scan for_each_member(Cursor& c, Visit&& visit) {
  if (c.at >= c.end) return Scan::more;
  if (*c.at != '{') return Scan::bad;
  ++c.at;
  while (true) {
    skip_space(c);
    if (c.at >= c.end) return Scan::more;
    if (*c.at == ',') {
      ++c.at;
      continue;
    }
    if (*c.at == '}') {
      ++c.at;
      return Scan::ok;
    }
    if (*c.at != '"') return Scan::bad;
    Text key;
    if (const Scan scan = scan_string(c, key); scan != Scan::ok) return scan;
    skip_space(c);
    if (c.at >= c.end) return Scan::more;
    if (*c.at != ':') return Scan::bad;
    ++c.at;
    skip_space(c);
    if (const Scan scan = visit(key.raw, c); scan != Scan::ok) return scan;
    skip_space(c);
    if (c.at >= c.end) return Scan::more;
    if (*c.at != ',' && *c.at != '}') return Scan::bad;
  }
}

}  // namespace td::formats::chrome
