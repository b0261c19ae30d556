// A place on the timeline in words: "rank 5, stream 7" and its length.
import { formatDuration } from '../base/format';
import type { Place } from '../client/messages';
import { rankOf, type TraceModel } from '../client/trace_model';
import type { Mark, Selection } from '../timeline';

export function placeText(place: Place, trace: TraceModel): string {
  const name = place.track === null ? 'all rows' : trackName(trace, place.rank, place.track);
  return `rank ${place.rank}, ${name}`;
}

export function placeLength(place: Place): string {
  return formatDuration(place.end_ns - place.begin_ns);
}

export function trackName(trace: TraceModel, rank: number, track: number): string {
  const found = rankOf(trace, rank)?.tracks[track];
  // "thread 4211 (pt_main_thread)" is known by the name in brackets, as on the timeline.
  return /\(([^)]+)\)$/.exec(found?.name ?? '')?.[1] ?? found?.name ?? `row ${track}`;
}

// The place that a selection marks: one row if it lies on one, else all rows of the first rank that it crosses.
export function placeOf(selection: Selection, trace: TraceModel): Place | undefined {
  const [first] = selection.rows;
  const rank = first?.rank ?? trace.ranks[0]?.rank;
  if (rank === undefined) return undefined;
  const track = selection.rows.length === 1 ? (first?.track ?? null) : null;
  return { rank, track, begin_ns: Math.round(selection.beginNs), end_ns: Math.round(selection.endNs) };
}

export function markOf(place: Place): Mark {
  const interval = { rank: place.rank, beginNs: place.begin_ns, endNs: place.end_ns };
  return place.track === null ? interval : { ...interval, track: place.track };
}
