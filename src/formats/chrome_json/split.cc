#include "formats/chrome_json/split.h"

#include <unordered_map>
#include <utility>

namespace td::formats::chrome {
namespace {

using trace::RankTrace;
using trace::RankTraceBuilder;
using trace::SliceId;
using trace::StringId;
using trace::TrackId;

RankTraceBuilder take_whole(RankTraceBuilder& builder, const Plan& plan) {
  RankTrace& t = builder.header();
  t.tracks.clear();
  for (const PlannedTrack& planned : plan.tracks) t.tracks.push_back(planned.track);
  for (TrackId& track : t.track) track = plan.final_track[track];
  for (trace::CounterSample& sample : t.counters) sample.track = plan.final_track[sample.track];
  return std::move(builder);
}

// Copies strings of one table into another on first use.
class Translator {
 public:
  Translator(const trace::StringTable& from, trace::StringTable& to) : from_(from), to_(to) {}
  StringId operator()(StringId id) {
    if (id == 0) return 0;
    StringId& known = ids_[id];
    if (known == 0) known = to_.intern(from_.view(id));
    return known;
  }

 private:
  const trace::StringTable& from_;
  trace::StringTable& to_;
  std::unordered_map<StringId, StringId> ids_;  // of the strings met: a part may hold few of the file's
};

}  // namespace

std::vector<TrackId> local_tracks(const Plan& plan) {
  std::vector<TrackId> count(plan.parts.size(), 0);
  std::vector<TrackId> out;
  for (const PlannedTrack& planned : plan.tracks) out.push_back(count[planned.part]++);
  return out;
}

std::vector<RankTraceBuilder> split(RankTraceBuilder& builder, const Plan& plan) {
  std::vector<RankTraceBuilder> out;
  if (plan.parts.size() == 1) {
    out.push_back(take_whole(builder, plan));
    return out;
  }
  const RankTrace& all = builder.header();
  const std::vector<TrackId> local = local_tracks(plan);
  out.resize(plan.parts.size());
  std::vector<Translator> translate;
  for (RankTraceBuilder& part : out) translate.emplace_back(all.strings, part.header().strings);
  for (const PlannedTrack& planned : plan.tracks) {
    trace::Track track = planned.track;
    track.name = translate[planned.part](track.name);
    track.process_name = translate[planned.part](track.process_name);
    out[planned.part].add_track(track);
  }

  const auto part_of = [&](SliceId slice) { return plan.tracks[plan.final_track[all.track[slice]]].part; };
  std::vector<SliceId> new_slice(all.slice_count());
  for (SliceId slice = 0; slice < all.slice_count(); ++slice) {
    const TrackId track = plan.final_track[all.track[slice]];
    const size_t part = plan.tracks[track].part;
    new_slice[slice] = out[part].add_slice(local[track], all.kind[slice], translate[part](all.name[slice]),
                                           all.start_ns[slice], all.dur_ns[slice], all.correlation[slice]);
  }
  const auto copy_rows = [&](const auto& rows, const auto& adapt) {
    for (auto row : rows) {
      const size_t part = part_of(row.slice);
      row.slice = new_slice[row.slice];
      adapt(row, translate[part]);
      out[part].add(row);
    }
  };
  copy_rows(all.kernels, [](trace::KernelArgs&, Translator&) {});
  copy_rows(all.copies, [](trace::CopyArgs&, Translator&) {});
  copy_rows(all.collectives, [](trace::CollectiveArgs& row, Translator& to) {
    row.group = to(row.group);
    row.group_ranks = to(row.group_ranks);
  });
  copy_rows(all.ops, [](trace::OpArgs& row, Translator& to) {
    row.shapes = to(row.shapes);
    row.types = to(row.types);
  });
  for (const trace::CounterSample& sample : all.counters) {
    const TrackId track = plan.final_track[sample.track];
    out[plan.tracks[track].part].add(trace::CounterSample{local[track], sample.at_ns, sample.value_millionths});
  }
  return out;
}

}  // namespace td::formats::chrome
