#include "analysis/syncs.h"

#include <map>

#include "analysis/spans.h"
#include "base/saturate.h"

namespace td::analysis {

using trace::SliceId;

HarmlessSyncs harmless_syncs(const MeasuredRank& rank) {
  HarmlessSyncs out;
  if (rank.steps.steady.empty()) return out;
  std::map<SliceId, TimeNs> owned_ns;
  for (const GapPart& part : rank.gap_parts)
    if (part.culprit != trace::kNoSlice) accumulate(owned_ns[part.culprit], part.at.length_ns());
  SliceId longest = trace::kNoSlice;
  SliceId last = trace::kNoSlice;
  for (trace::TrackId track = 0; track < rank.trace().tracks.size(); ++track) {
    for (const HostSegment& segment : rank.host.of(track)) {
      // A call may be cut into segments by what stands inside it.
      if (segment.what != HostClass::sync || segment.slice == last) continue;
      last = segment.slice;
      if (rank.steps.steady_at(rank.trace().end_ns(segment.slice)) == RankSteps::kNone) continue;
      const auto owned = owned_ns.find(segment.slice);
      if (owned != owned_ns.end() && owned->second > kQueueGapNs) continue;
      const TimeNs dur_ns = rank.trace().dur_ns[segment.slice];
      ++out.count;
      accumulate(out.blocked_ns, dur_ns);
      if (longest == trace::kNoSlice || dur_ns > rank.trace().dur_ns[longest]) longest = segment.slice;
    }
  }
  out.blocked_ns /= static_cast<TimeNs>(rank.steps.steady.size());
  if (longest != trace::kNoSlice) out.longest = span_of_slice(rank.trace(), longest, rank.offset_ns);
  return out;
}

}  // namespace td::analysis
