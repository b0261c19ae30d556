#include "trace/dump.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/json.h"

namespace td::trace {
namespace {

// Writes ` key=value` pairs; a value that the trace does not have is left out.
class Line {
 public:
  explicit Line(std::string& out) : out_(out) {}

  Line& word(std::string_view text) {
    out_ += text;
    return *this;
  }
  Line& number(std::string_view key, int64_t value) {
    out_ += ' ';
    out_ += key;
    out_ += '=';
    out_ += std::to_string(value);
    return *this;
  }
  Line& number_unless(std::string_view key, int64_t value, int64_t absent) {
    return value == absent ? *this : number(key, value);
  }
  Line& quoted(std::string_view key, std::string_view text) {
    if (text.empty()) return *this;
    out_ += ' ';
    out_ += key;
    if (!key.empty()) out_ += '=';
    out_ += quote_json(text);
    return *this;
  }
  void end() { out_ += '\n'; }

 private:
  std::string& out_;
};

void dump_header(std::string& out, const RankTrace& t) {
  Line(out)
      .word("rank")
      .number_unless("rank", t.rank, -1)
      .number_unless("world_size", t.world_size, -1)
      .quoted("device", t.device_name)
      .number_unless("memory_bytes", t.device_memory_bytes, -1)
      .number_unless("sm_count", t.sm_count, -1)
      .quoted("host", t.host_name)
      .quoted("backend", t.backend)
      .number_unless("file_origin_ns", t.file_origin_ns, 0)
      .number_unless("base_time_ns", t.base_time_ns, 0)
      .number_unless("clock_offset_ns", t.clock_offset_ns, 0)
      .end();
  for (const Group& group : t.groups) {
    std::string ranks;
    for (int32_t rank : group.ranks) ranks += (ranks.empty() ? "" : ",") + std::to_string(rank);
    Line(out)
        .word("group")
        .quoted("", group.name)
        .quoted("description", group.description)
        .quoted("ranks", ranks)
        .end();
  }
  for (const LoadProblem& problem : t.problems)
    Line(out).word("problem").quoted("", problem.id).number("count", problem.count).quoted("text", problem.text).end();
}

// Track ids are arbitrary (order of first appearance), so tracks are printed in an order that their own data give.
std::vector<TrackId> canonical_tracks(const RankTrace& t) {
  std::vector<TrackId> order(t.tracks.size());
  std::iota(order.begin(), order.end(), TrackId{0});
  const auto key = [&](TrackId id) {
    const Track& track = t.tracks[id];
    return std::tuple(track.kind, track.device, track.pid, track.tid, t.strings.view(track.process_name),
                      t.strings.view(track.name), track.sort_index);
  };
  std::ranges::stable_sort(order, [&](TrackId a, TrackId b) { return key(a) < key(b); });
  return order;
}

void dump_collective(Line& line, const RankTrace& t, const CollectiveArgs& args) {
  line.word(" collective=").word(to_string(args.kind));
  line.word(" dtype=").word(to_string(args.dtype));
  line.number_unless("in", args.in_count, -1)
      .number_unless("out", args.out_count, -1)
      .number_unless("group_size", args.group_size, -1)
      .number_unless("seq", args.sequence, -1)
      .quoted("group", t.strings.view(args.group))
      .quoted("ranks", t.strings.view(args.group_ranks));
}

void dump_kernel(Line& line, const KernelArgs& args) {
  std::string shape = " grid=";
  for (int i = 0; i < 3; ++i) shape += (i == 0 ? "" : "x") + std::to_string(args.grid[i]);
  shape += " block=";
  for (int i = 0; i < 3; ++i) shape += (i == 0 ? "" : "x") + std::to_string(args.block[i]);
  line.word(shape)
      .number_unless("registers", args.registers_per_thread, -1)
      .number_unless("shared_bytes", args.shared_memory_bytes, -1);
}

void dump_slice(std::string& out, const RankTrace& t, SliceId slice) {
  Line line(out);
  line.word("  ").word(std::to_string(t.start_ns[slice])).word(" +").word(std::to_string(t.dur_ns[slice]));
  line.word(" ").word(to_string(t.kind[slice])).word(" ").word(quote_json(t.name_of(slice)));
  line.number_unless("correlation", t.correlation[slice], kNoCorrelation);
  if (const KernelArgs* args = t.kernel_args(slice)) dump_kernel(line, *args);
  if (const CollectiveArgs* args = t.collective_args(slice)) dump_collective(line, t, *args);
  if (const CopyArgs* args = t.copy_args(slice)) {
    line.word(" copy=").word(to_string(args->kind)).number_unless("size_bytes", args->size_bytes, -1);
  }
  if (const OpArgs* args = t.op_args(slice)) {
    line.number_unless("external_id", args->external_id, -1)
        .number_unless("op_seq", args->sequence, -1)
        .quoted("shapes", t.strings.view(args->shapes))
        .quoted("types", t.strings.view(args->types));
  }
  line.end();
}

void dump_track(std::string& out, const RankTrace& t, TrackId id) {
  const Track& track = t.tracks[id];
  Line(out)
      .word("track ")
      .word(to_string(track.kind))
      .number("pid", track.pid)
      .number("tid", track.tid)
      .number_unless("device", track.device, -1)
      .number_unless("sort", track.sort_index, 0)
      .quoted("process", t.strings.view(track.process_name))
      .quoted("name", t.strings.view(track.name))
      .end();
  for (SliceId slice = track.begin; slice < track.end; ++slice) dump_slice(out, t, slice);

  std::vector<std::pair<TimeNs, int64_t>> samples;
  for (const CounterSample& sample : t.counters)
    if (sample.track == id) samples.emplace_back(sample.at_ns, sample.value_millionths);
  std::ranges::sort(samples);
  for (const auto& [at_ns, value] : samples)
    Line(out).word("  ").word(std::to_string(at_ns)).word(" counter").number("millionths", value).end();
}

// A flow's end by place and name, because slice ids are positions.
std::string flow_end(const RankTrace& t, SliceId slice) {
  const Track& track = t.track_of(slice);
  return std::to_string(track.pid) + "/" + std::to_string(track.tid) + " " + std::to_string(t.start_ns[slice]) + " " +
         quote_json(t.name_of(slice));
}

void dump_flows(std::string& out, const RankTrace& t) {
  std::vector<std::string> lines;
  for (const Flow& flow : t.flows) lines.push_back("flow " + flow_end(t, flow.from) + " -> " + flow_end(t, flow.to));
  std::ranges::sort(lines);
  for (const std::string& line : lines) out += line + "\n";
}

}  // namespace

std::string dump(const RankTrace& trace) {
  std::string out;
  dump_header(out, trace);
  for (TrackId id : canonical_tracks(trace)) dump_track(out, trace, id);
  dump_flows(out, trace);
  return out;
}

uint64_t hash_of(const Trace& trace) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const RankTrace& rank : trace.ranks)
    for (char c : dump(rank)) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace td::trace
