#include "analysis/spans.h"

namespace td::analysis {

Span span_of_slice(const trace::RankTrace& rank, trace::SliceId slice, TimeNs offset_ns) {
  return span_of_interval(rank, slice, {rank.start_ns[slice], rank.end_ns(slice)}, offset_ns);
}

Span span_of_interval(const trace::RankTrace& rank, trace::SliceId at_slice, Interval at, TimeNs offset_ns) {
  Span span;
  span.rank = rank.rank;
  span.track_id = rank.track[at_slice];
  span.track = std::string(rank.strings.view(rank.tracks[span.track_id].name));
  span.start_ns = at.begin_ns + offset_ns;
  span.dur_ns = at.length_ns();
  span.name = std::string(rank.name_of(at_slice));
  span.correlation = rank.correlation[at_slice];
  span.file_ts_ns = at.begin_ns + rank.file_origin_ns;
  return span;
}

}  // namespace td::analysis
