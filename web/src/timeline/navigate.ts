// Where the keys go: along a row, along a flow, to the next gap, to the next name. Pure.
import type { Interval, Ns } from '../base/units';
import { rankOf, sameSlice, startOf, type SliceRef, type TraceModel } from '../client/trace_model';
import { firstEndingAfter, firstStartingFrom, positionOf, type Lane } from './lanes';
import { rowsOfRef, type Layout, type Row } from './rows';

/** The row and lane that show a slice; undefined if its rank is collapsed or absent. */
export function laneOfSlice(
  trace: TraceModel,
  layout: Layout,
  ref: SliceRef,
): { readonly row: Row; readonly lane: Lane; readonly index: number } | undefined {
  const rank = rankOf(trace, ref.rank);
  if (!rank) return undefined;
  for (const row of rowsOfRef(layout, { rank: ref.rank, track: rank.track[ref.slice] ?? 0 })) {
    for (const { lane } of row.lanes) {
      const index = positionOf(lane, rank, ref.slice);
      if (index >= 0) return { row, lane, index };
    }
  }
  return undefined;
}

/** The neighbour on the same row and depth: -1 before, 1 after. Undefined at the ends. */
export function neighbour(
  trace: TraceModel,
  layout: Layout,
  ref: SliceRef,
  step: 1 | -1,
): SliceRef | undefined {
  const at = laneOfSlice(trace, layout, ref);
  const slice = at?.lane.slice[at.index + step];
  return slice === undefined ? undefined : { rank: ref.rank, slice };
}

/** The first slice of a row in a window: where `,` and `.` begin on a row that was only focused. */
export function firstOnRow(row: Row, window: Interval): SliceRef | undefined {
  for (const { lane } of row.lanes) {
    const index = firstStartingFrom(lane, window.beginNs);
    const slice = lane.slice[index];
    if (slice !== undefined && (lane.startNs[index] ?? 0) < window.endNs)
      return { rank: row.rank.rank, slice };
  }
  return undefined;
}

/** The first stretch of at least `leastNs` without work on a row that begins at or after `from`. */
export function nextGap(row: Row, from: Ns, leastNs: Ns): Interval | undefined {
  const lanes = row.lanes.map((placed) => placed.lane);
  let covered = from;
  for (;;) {
    // What covers the moment, over all lanes of the row; then the next start.
    let end = covered;
    for (const lane of lanes) {
      const index = firstEndingAfter(lane, covered);
      if (index < lane.count && (lane.startNs[index] ?? 0) <= covered)
        end = Math.max(end, lane.endNs[index] ?? 0);
    }
    if (end > covered) {
      covered = end;
      continue;
    }
    let next = Infinity;
    for (const lane of lanes) {
      const index = firstStartingFrom(lane, covered);
      if (index < lane.count) next = Math.min(next, lane.startNs[index] ?? 0);
    }
    if (next === Infinity) return undefined;
    if (next - covered >= leastNs && covered > from) return { beginNs: covered, endNs: next };
    covered = Math.max(next, covered + 1e-3);
  }
}

/** All slices of the given ranks whose name contains `text`, whatever its case, by rising start. */
export function findByName(trace: TraceModel, ranks: ReadonlySet<number>, text: string): SliceRef[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const found: { ref: SliceRef; start: Ns }[] = [];
  for (const rank of trace.ranks) {
    if (!ranks.has(rank.rank)) continue;
    const matches = rank.strings.map((name) => name.toLowerCase().includes(wanted));
    for (let slice = 0; slice < rank.sliceCount; slice += 1) {
      if (matches[rank.name[slice] ?? 0])
        found.push({ ref: { rank: rank.rank, slice }, start: startOf(rank, slice) });
    }
  }
  return found.sort((a, b) => a.start - b.start).map((entry) => entry.ref);
}

/** The match after (1) or before (-1) the picked one, round the ends; without a picked one, the first in the window. */
export function nextMatch(
  trace: TraceModel,
  matches: readonly SliceRef[],
  picked: SliceRef | undefined,
  window: Interval,
  step: 1 | -1,
): number {
  const current = matches.findIndex((match) => sameSlice(match, picked));
  if (current >= 0) return (current + step + matches.length) % matches.length;
  const first = matches.findIndex((match) => {
    const rank = rankOf(trace, match.rank);
    return rank !== undefined && startOf(rank, match.slice) >= window.beginNs;
  });
  return Math.max(0, first);
}
