// Sentences about what is on screen, for those who hear it: never more than the picture shows.
import { formatDuration, formatTimestamp } from '../base/format';
import { lengthOf, type Ns } from '../base/units';
import {
  endOf,
  nameOf,
  rankOf,
  startOf,
  trackOf,
  type SliceRef,
  type TraceModel,
} from '../client/trace_model';
import type { Layout } from './rows';
import { titleOfRef } from './rows';
import type { View } from './types';

/** "From 12.000 ms, 40.2 ms long; 14 rows of rank 0, ranks 1, 2 collapsed." */
export function describeWindow(layout: Layout, view: View, originNs: Ns): string {
  const open = new Set<number>();
  const collapsed: number[] = [];
  let rows = 0;
  for (const row of layout.rows) {
    if (row.kind === 'collapsed') collapsed.push(row.rank.rank);
    else if (row.kind !== 'header') {
      rows += 1;
      open.add(row.rank.rank);
    }
  }
  const shown = open.size ? `${rows} rows of ${ranksText([...open])}` : 'no rank open';
  const rest = collapsed.length ? `; ${ranksText(collapsed)} collapsed` : '';
  return `From ${formatTimestamp(view.beginNs - originNs)}, ${formatDuration(lengthOf(view))} long; ${shown}${rest}.`;
}

export function describeSlice(trace: TraceModel, ref: SliceRef, originNs: Ns, showNames = true): string {
  const rank = rankOf(trace, ref.rank);
  if (!rank) return '';
  const start = startOf(rank, ref.slice);
  const where = titleOfRef(trace, { rank: ref.rank, track: rank.track[ref.slice] ?? 0 });
  const length = formatDuration(endOf(rank, ref.slice) - start);
  return `${showNames ? nameOf(rank, ref.slice) : 'Slice'}, ${where}, at ${formatTimestamp(start - originNs)}, ${length}`;
}

/** "Stream 20" or the thread's name. */
export function trackTitle(trace: TraceModel, ref: SliceRef): string {
  const rank = rankOf(trace, ref.rank);
  const track = rank && trackOf(rank, ref.slice);
  if (!track) return '';
  return track.kind === 'stream' ? `${track.tid}` : track.name;
}

function ranksText(ranks: readonly number[]): string {
  return `${ranks.length === 1 ? 'rank' : 'ranks'} ${ranks.join(', ')}`;
}
