#include "formats/chrome_json/finish.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "formats/chrome_json/flows.h"
#include "formats/chrome_json/gpu_rows.h"
#include "formats/chrome_json/plan.h"
#include "formats/chrome_json/split.h"
#include "formats/nesting.h"
#include "formats/plausible.h"

namespace td::formats::chrome {
namespace {

using trace::RankTrace;
using trace::TrackId;

// jax.profiler stops at this many events without a word (jax-ml/jax#21295).
constexpr int64_t kJaxEventLimit = 1'000'000;
// Ranks that one file may hold. Each costs a trace of its own; the largest jobs have some ten thousand GPUs.
constexpr size_t kMaxRanks = 65'536;

// The GPU that most of the rank's streams are on: that of the first stream with work.
int32_t device_of(const RankTrace& trace) {
  for (const trace::Track& track : trace.tracks)
    if (track.kind == trace::TrackKind::stream && track.begin != track.end) return track.device;
  return -1;
}

void fill_identity(RankTrace& trace, const Identity& part, const Header& header, std::string_view file_name) {
  trace.file = file_name;
  trace.rank = part.rank;
  trace.world_size = part.world_size;
  trace.host_name = part.host_name;
  trace.device_name = part.device_name;
  trace.device_memory_bytes = part.device_memory_bytes;
  trace.sm_count = part.sm_count;
  trace.backend = part.backend;
  trace.groups = part.groups;
  trace.base_time_ns = header.base_time_ns;
  if (header.declaration) return;
  const Device* device = header.device(device_of(trace));
  if (device == nullptr) return;
  trace.device_name = device->name;
  trace.device_memory_bytes = device->memory_bytes;
  trace.sm_count = device->sm_count;
}

// Tracks by part, and the rows of the file that they come from, to enter further tracks.
class Lanes {
 public:
  explicit Lanes(Plan& plan) : plan_(plan), tracks_(plan.parts.size()), rows_(plan.tracks.size()) {
    for (TrackId id = 0; id < plan.tracks.size(); ++id) tracks_[plan.tracks[id].part].push_back(id);
    for (auto& [row, tracks] : plan.rows)
      for (const TrackId id : tracks) rows_[id].push_back(&tracks);
  }

  // Arrows look for their slices on the further tracks too.
  void add(const trace::Track& track, size_t part, TrackId from) {
    const TrackId global = tracks_[part][from];
    const auto added = static_cast<TrackId>(plan_.tracks.size());
    plan_.tracks.push_back({track, part});
    tracks_[part].push_back(added);
    for (std::vector<TrackId>* row : rows_[global]) row->push_back(added);
  }

 private:
  Plan& plan_;
  std::vector<std::vector<TrackId>> tracks_;              // of each part, by their number in it
  std::vector<std::vector<std::vector<TrackId>*>> rows_;  // of each track that was planned
};

void nest_host_tracks(RankTrace& trace, size_t part, Lanes& lanes, Problems& problems) {
  const Nesting nesting = make_nested(trace);
  if (nesting.clipped > 0)
    problems.add_global("clipped_child", "a host slice that outlived its parent by up to 1 us was cut to it",
                        nesting.clipped);
  if (nesting.moved > 0)
    problems.add_global(
        "overlapping_slices",
        "host slices of one thread overlap without nesting; they stand on a further track of that thread",
        nesting.moved);
  for (const auto& [from, to] : nesting.lanes) lanes.add(trace.tracks[to], part, from);
}

void drop_implausible(trace::RankTraceBuilder& builder, Problems& problems) {
  const int64_t dropped = drop_implausible_times(builder);
  if (dropped > 0)
    problems.add_global("implausible_time",
                        "events that made the trace span more than a year (a clock that was not set, a wrong length) "
                        "were left out",
                        dropped);
}

// 0 of the rank's time is where its export said that it was, unless that is no time of this trace.
RankTrace finish_rank(trace::RankTraceBuilder& builder, std::optional<TimeNs> origin_ns, Problems& problems) {
  const std::vector<TimeNs>& starts = builder.header().start_ns;
  if (!origin_ns) return builder.finish();
  if (!starts.empty()) {
    const TimeNs lead_ns = std::ranges::min(starts) - *origin_ns;
    if (lead_ns > kMaxSpanNs || lead_ns < -kMaxSpanNs) {
      problems.add_global("implausible_time", "a rank's \"origin_ns\" over a year from its events was ignored", 1);
      return builder.finish();
    }
  }
  return builder.finish_at(*origin_ns);
}

}  // namespace

Result<std::vector<RankTrace>> finish(Mapped& mapped, const Header& header, std::string_view file_name) {
  Plan plan = make_plan(mapped, header, rank_of_file_name(file_name));
  if (plan.parts.size() > kMaxRanks)
    return fail(ErrorCode::malformed,
                "the file names " + std::to_string(plan.parts.size()) + " ranks, expected at most " +
                    std::to_string(kMaxRanks) + ": is args.rank the rank of a job?",
                std::string(file_name));
  std::vector<trace::RankTraceBuilder> builders = split(mapped.builder, plan);
  if (mapped.event_count == kJaxEventLimit)
    mapped.problems.add_global("event_limit",
                               "the file holds exactly 1000000 events, where some profilers stop recording");

  std::vector<RankTrace> out;
  std::vector<Problems> own(builders.size());
  bool any_time = false;
  Lanes lanes(plan);
  for (size_t part = 0; part < builders.size(); ++part) {
    drop_implausible(builders[part], own[part]);
    const RankTrace& kept = builders[part].header();
    any_time = any_time || kept.slice_count() > 0 || !kept.counters.empty();
    out.push_back(finish_rank(builders[part], plan.parts[part].origin_ns, own[part]));
    fill_identity(out[part], plan.parts[part], header, file_name);
    nest_host_tracks(out[part], part, lanes, own[part]);
    apply_communication_annotations(out[part]);
    note_stream_overlaps(out[part], own[part]);
  }
  if (!any_time)
    return fail(ErrorCode::malformed,
                "no event has a plausible time: each is longer than a year, or lies over a year from the others",
                std::string(file_name));
  bind_flows(mapped, plan, out);
  // What was wrong in the file is told once, with its first rank; what a rank's own rows show, with that rank.
  for (size_t part = 0; part < out.size(); ++part) {
    Problems problems = part == 0 ? std::move(mapped.problems) : Problems();
    for (const trace::LoadProblem& problem : own[part].sorted())
      problems.add_global(problem.id, problem.text, problem.count);
    out[part].problems = problems.sorted();
  }
  return out;
}

}  // namespace td::formats::chrome
