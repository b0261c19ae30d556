// Packets of a Perfetto trace -> rows with their strings looked up; what they mean is reader.cc's business.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/io.h"
#include "base/result.h"
#include "base/units.h"
#include "formats/pftrace/wire.h"
#include "formats/problems.h"
#include "trace/string_table.h"

namespace td::formats::perfetto {

struct TrackInfo {
  std::string name;
  std::string description;
  uint64_t parent = 0;
  int64_t pid = -1;
  int64_t tid = -1;
  std::string process_name;
  std::string thread_name;
  bool is_counter = false;
  int64_t order = 0;
};

// A named number or text.
struct Arg {
  trace::StringId name = 0;
  trace::StringId text = 0;
  int64_t number = 0;
  bool is_text = false;
};

struct SliceRow {
  uint32_t track = 0;
  TimeNs at_ns = 0;
  TimeNs dur_ns = -1;  // -1: never ended
  trace::StringId name = 0;
  trace::StringId category = 0;
  bool instant = false;
  uint64_t submission = 0;
  std::vector<Arg> args;
  std::vector<uint64_t> flows_out;
  std::vector<uint64_t> flows_in;
};

struct WorkRow {
  TimeNs at_ns = 0;
  TimeNs dur_ns = 0;
  trace::StringId name = 0;
  uint32_t queue = 0;  // in Packets::queues
  trace::StringId stage = 0;
  uint64_t submission = 0;
  bool has_launch = false;
  uint32_t grid[3] = {0, 0, 0};
  uint32_t block[3] = {0, 0, 0};
  std::vector<Arg> args;
};

struct Queue {
  int64_t gpu_id = 0;
  int64_t pid = 0;  // of the process that owns the context; 0 if unknown
  std::string name;
  std::string description;
};

struct CounterRow {
  uint32_t track = 0;
  TimeNs at_ns = 0;
  int64_t value_millionths = 0;
};

class Packets {
 public:
  // malformed with the byte offset if the file ends inside a packet and nothing came before.
  Status read(Source& source, Progress& progress);

  trace::StringTable strings;
  std::vector<uint64_t> uuids;  // by index, as SliceRow::track
  std::map<uint64_t, TrackInfo> infos;
  std::vector<SliceRow> slices;
  std::vector<WorkRow> work;
  std::vector<Queue> queues;
  std::vector<CounterRow> counters;
  Problems problems;
  int64_t packets = 0;

 private:
  struct Spec {
    std::string name;
    std::string description;
  };
  struct Clock {
    uint64_t base = 0;
    uint64_t unit_ns = 1;
    bool incremental = false;
    bool known = false;
  };
  // What a writer of packets has told so far.
  struct Sequence {
    std::map<uint32_t, std::map<uint64_t, std::string>> strings;  // by field of interned data
    std::map<uint64_t, Spec> specs;
    std::map<uint64_t, int64_t> context_pids;
    std::map<uint64_t, Clock> clocks;
    uint64_t default_track = 0;
    uint64_t default_clock = 0;
    std::map<std::pair<uint64_t, uint64_t>, uint32_t> queue_index;  // (gpu, queue iid)
  };

  void packet(std::string_view bytes);
  void descriptor(std::string_view bytes);
  void interned_data(Sequence& sequence, std::string_view bytes);
  void set_defaults(Sequence& sequence, std::string_view bytes);
  void snapshot(Sequence& sequence, std::string_view bytes);
  bool time_of(Sequence& sequence, uint64_t clock, uint64_t stamp, TimeNs& at_ns);
  void track_event(Sequence& sequence, std::string_view bytes, TimeNs at_ns);
  void gpu_event(Sequence& sequence, std::string_view bytes, TimeNs at_ns);
  void gpu_launch(std::string_view bytes, WorkRow& row);
  bool annotation(Sequence& sequence, std::string_view bytes, Arg& arg);
  uint32_t track_index(uint64_t uuid);
  uint32_t queue_of(Sequence& sequence, uint64_t gpu_id, uint64_t iid, uint64_t context);
  trace::StringId interned(Sequence& sequence, uint32_t field, uint64_t iid);

  std::map<uint64_t, Sequence> sequences_;
  std::map<uint64_t, uint32_t> index_of_;
  std::vector<std::vector<size_t>> open_;  // by track: indexes of slices
};

}  // namespace td::formats::perfetto
