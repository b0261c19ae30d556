#include "analysis/spans.h"

namespace td::analysis {

namespace {

// The track's name as in the file, else what it is and its number.
std::string track_name(const trace::RankTrace& rank, const trace::Track& track) {
  const std::string_view name = rank.strings.view(track.name);
  if (!name.empty()) return std::string(name);
  return (track.kind == trace::TrackKind::stream ? "stream " : "thread ") + std::to_string(track.tid);
}

}  // namespace

Span span_of_slice(const trace::RankTrace& rank, trace::SliceId slice, TimeNs offset_ns) {
  return span_of_interval(rank, slice, {rank.start_ns[slice], rank.end_ns(slice)}, offset_ns);
}

Span span_of_interval(const trace::RankTrace& rank, trace::SliceId at_slice, Interval at, TimeNs offset_ns) {
  Span span;
  span.rank = rank.rank;
  span.track_id = rank.track[at_slice];
  span.track = track_name(rank, rank.tracks[span.track_id]);
  span.start_ns = at.begin_ns + offset_ns;
  span.dur_ns = at.length_ns();
  span.name = std::string(rank.name_of(at_slice));
  span.correlation = rank.correlation[at_slice];
  span.file_ts_ns = at.begin_ns + rank.file_origin_ns;
  return span;
}

}  // namespace td::analysis
