// A selection is a measurement. Interval unions throughout, never sums of overlapping times; at each instant compute
// goes before communication before copies before idle, so the four parts add up to the length.
import { lengthOf, type Interval, type Ns } from '../base/units';
import type { RankModel, SliceRef, TraceModel } from '../client/trace_model';
import { firstEndingAfter, kPaint, lanesOf, type Lane } from './lanes';
import type { RowRef, Selection } from './types';

export interface Measurement {
  readonly rank: number;
  readonly lengthNs: Ns;
  /** Of the whole rank, whichever of its rows is selected. */
  readonly computeNs: Ns;
  /** Communication with no compute under it. */
  readonly exposedCommNs: Ns;
  /** Copies with neither compute nor communication under them. */
  readonly exposedCopyNs: Ns;
  readonly idleNs: Ns;
  /** Kernels (compute and communication) that touch the interval, on the selected streams, or on all if none is. */
  readonly kernelCount: number;
  /** The one of them that is longest in full, not only inside. */
  readonly longest: SliceRef | undefined;
  readonly longestNs: Ns;
}

/** One measurement a rank, by rising rank: of the selected rows' ranks, or of `openRanks` for a drag on the ruler. */
export function measureSelection(
  trace: TraceModel,
  selection: Selection,
  openRanks: ReadonlySet<number>,
): Measurement[] {
  const isMeant = (rank: RankModel) =>
    selection.rows.length ? selection.rows.some((row) => row.rank === rank.rank) : openRanks.has(rank.rank);
  return trace.ranks.filter(isMeant).map((rank) =>
    measureRank(
      rank,
      selection,
      selection.rows.filter((row) => row.rank === rank.rank),
    ),
  );
}

export function measureRank(rank: RankModel, interval: Interval, rows: readonly RowRef[] = []): Measurement {
  const lanes = lanesOf(rank);
  const compute = intervalsIn(lanes.compute, interval);
  const comm = intervalsIn(lanes.comm, interval);
  const copy = intervalsIn(lanes.copy, interval);
  const computeOrComm = union(compute, comm);
  const computeNs = totalOf(compute);
  const busyOfBothNs = totalOf(computeOrComm);
  const busyNs = totalOf(union(computeOrComm, copy));
  const lengthNs = lengthOf(interval);
  return {
    rank: rank.rank,
    lengthNs,
    computeNs,
    exposedCommNs: busyOfBothNs - computeNs,
    exposedCopyNs: busyNs - busyOfBothNs,
    idleNs: lengthNs - busyNs,
    ...kernelsIn(rank, interval, rows),
  };
}

/** Sorted, disjoint [begin, end) pairs in one flat array. */
export type Intervals = readonly Ns[];

/** The part of a lane inside an interval. Neighbours that touch are joined. */
export function intervalsIn(lane: Lane, interval: Interval): Intervals {
  const pairs: Ns[] = [];
  for (let index = firstEndingAfter(lane, interval.beginNs); index < lane.count; index += 1) {
    const begin = Math.max(lane.startNs[index] ?? 0, interval.beginNs);
    if (begin >= interval.endNs) break;
    push(pairs, begin, Math.min(lane.endNs[index] ?? 0, interval.endNs));
  }
  return pairs;
}

export function union(a: Intervals, b: Intervals): Intervals {
  const pairs: Ns[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (j >= b.length || (i < a.length && (a[i] ?? 0) <= (b[j] ?? 0))) {
      push(pairs, a[i] ?? 0, a[i + 1] ?? 0);
      i += 2;
    } else {
      push(pairs, b[j] ?? 0, b[j + 1] ?? 0);
      j += 2;
    }
  }
  return pairs;
}

export function totalOf(pairs: Intervals): Ns {
  let total = 0;
  for (let at = 0; at < pairs.length; at += 2) total += (pairs[at + 1] ?? 0) - (pairs[at] ?? 0);
  return total;
}

/** Appends [begin, end), which starts no earlier than the last pair did. */
function push(pairs: Ns[], begin: Ns, end: Ns): void {
  if (end <= begin) return;
  const last = pairs.length - 1;
  if (last > 0 && begin <= (pairs[last] ?? 0)) pairs[last] = Math.max(pairs[last] ?? 0, end);
  else pairs.push(begin, end);
}

function kernelsIn(
  rank: RankModel,
  interval: Interval,
  rows: readonly RowRef[],
): Pick<Measurement, 'kernelCount' | 'longest' | 'longestNs'> {
  const { streams } = lanesOf(rank);
  const selected = streams.filter((stream) => rows.some((row) => row.track === stream.track));
  let kernelCount = 0;
  let longest: SliceRef | undefined;
  let longestNs = 0;
  for (const stream of selected.length ? selected : streams) {
    for (const lane of stream.lanes) {
      for (let index = firstEndingAfter(lane, interval.beginNs); index < lane.count; index += 1) {
        const start = lane.startNs[index] ?? 0;
        if (start >= interval.endNs) break;
        if ((lane.paint[index] ?? 0) > kPaint.comm) continue;
        kernelCount += 1;
        const dur = (lane.endNs[index] ?? 0) - start;
        if (longest === undefined || dur > longestNs) {
          longest = { rank: rank.rank, slice: lane.slice[index] ?? 0 };
          longestNs = dur;
        }
      }
    }
  }
  return { kernelCount, longest, longestNs };
}
