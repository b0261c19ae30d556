// A place on the timeline in words: "rank 5, stream 7" and its length.
import { formatDuration } from '../base/format';
import type { Place } from '../client/messages';
import { rankOf, type TraceModel } from '../client/trace_model';
import type { Mark, Selection } from '../timeline';
import type { Parsed } from './numbers';

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

export interface TypedPlaceText {
  readonly rank: string;
  readonly from: string;
  readonly to: string;
}

// All empty is no place. Times are ms from the trace's first event, as Perfetto's ruler counts.
export function parseTypedPlace(typed: TypedPlaceText, trace: TraceModel): Parsed<Place | undefined> {
  const texts = [typed.rank, typed.from, typed.to].map((text) => text.trim().replace(',', '.'));
  if (texts.every((text) => text === '')) return { ok: true, value: undefined };
  const [rank = NaN, fromMs = NaN, toMs = NaN] = texts.map((text) => (text === '' ? NaN : Number(text)));
  if (rankOf(trace, rank) === undefined)
    return { ok: false, error: `Expected a rank, 0 to ${trace.ranks.length - 1}.` };
  if (!(fromMs < toMs)) return { ok: false, error: 'Expected two times in ms, the earlier one first.' };
  const { beginNs } = trace.extent;
  return {
    ok: true,
    value: {
      rank,
      track: null,
      begin_ns: Math.round(beginNs + fromMs * 1e6),
      end_ns: Math.round(beginNs + toMs * 1e6),
    },
  };
}

export function markOf(place: Place): Mark {
  const interval = { rank: place.rank, beginNs: place.begin_ns, endNs: place.end_ns };
  return place.track === null ? interval : { ...interval, track: place.track };
}
