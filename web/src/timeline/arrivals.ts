// One collective on several ranks: who arrives when, and what the wire did after the last one.
import type { Ns } from '../base/units';
import { collectiveArgs, type CollectiveArgs } from '../client/lookup';
import {
  endOf,
  rankOf,
  startOf,
  type RankModel,
  type SliceRef,
  type TraceModel,
} from '../client/trace_model';

export interface Arrival {
  readonly rank: number;
  readonly slice: number;
  readonly startNs: Ns;
  readonly endNs: Ns;
  /** Behind the first of the ranks looked at. */
  readonly latenessNs: Ns;
}

export interface Arrivals {
  readonly args: CollectiveArgs;
  /** By rising rank; only ranks that were looked at and took part. */
  readonly arrivals: readonly Arrival[];
  /** Members of the job that were not looked at. */
  readonly unopened: readonly number[];
  readonly lastArrivalNs: Ns;
  readonly endNs: Ns;
  readonly busbw: Busbw | undefined;
}

/** busbw = size x factor / time, as nccl-tests define it. */
export interface Busbw {
  readonly sizeBytes: number;
  readonly factor: number;
  /** From the last arrival that was looked at to the end. */
  readonly timeNs: Ns;
  readonly bytesPerS: number;
}

/** Undefined if the slice is not a collective. The slice's own rank always counts as opened. */
export function arrivalsOf(
  trace: TraceModel,
  ref: SliceRef,
  openRanks: ReadonlySet<number>,
): Arrivals | undefined {
  const home = rankOf(trace, ref.rank);
  const args = home && collectiveArgs(home, ref.slice);
  if (!home || !args) return undefined;
  const key = keyOf(home, ref.slice, args);
  const found: { rank: number; slice: number; startNs: Ns; endNs: Ns }[] = [];
  const unopened: number[] = [];
  for (const rank of trace.ranks) {
    if (rank !== home && !openRanks.has(rank.rank)) {
      unopened.push(rank.rank);
      continue;
    }
    const slice = rank === home ? ref.slice : sliceOfKey(rank, key);
    if (slice === undefined) continue;
    found.push({ rank: rank.rank, slice, startNs: startOf(rank, slice), endNs: endOf(rank, slice) });
  }
  const firstNs = Math.min(...found.map((entry) => entry.startNs));
  const lastArrivalNs = Math.max(...found.map((entry) => entry.startNs));
  const endNs = Math.max(...found.map((entry) => entry.endNs));
  return {
    args,
    arrivals: found.map((entry) => ({ ...entry, latenessNs: entry.startNs - firstNs })),
    unopened,
    lastArrivalNs,
    endNs,
    busbw: busbwOf(args, endNs - lastArrivalNs),
  };
}

/** Bytes over the wire per byte of the buffer, for a group of n ranks; undefined where no single factor holds. */
export function busbwFactor(kind: string, groupSize: number): number | undefined {
  if (groupSize < 2) return undefined;
  switch (kind) {
    case 'all_reduce':
      return (2 * (groupSize - 1)) / groupSize;
    case 'all_gather':
    case 'reduce_scatter':
    case 'all_to_all':
      return (groupSize - 1) / groupSize;
    case 'broadcast':
    case 'reduce':
    case 'send_recv':
      return 1;
    default:
      return undefined;
  }
}

function busbwOf(args: CollectiveArgs, timeNs: Ns): Busbw | undefined {
  const factor = busbwFactor(args.kind, args.groupSize);
  if (factor === undefined || args.sizeBytes < 0 || timeNs <= 0) return undefined;
  return { sizeBytes: args.sizeBytes, factor, timeNs, bytesPerS: (args.sizeBytes * factor * 1e9) / timeNs };
}

/**
 * What the same call looks like on another rank: kind, size and, where the trace has one, the sequence number; calls
 * that are still alike are told apart by their order.
 */
interface Key {
  readonly text: string;
  readonly order: number;
}

function textOf(args: CollectiveArgs): string {
  return `${args.kind} ${args.groupSize} ${args.sequence} ${args.sequence < 0 ? args.sizeBytes : ''}`;
}

function keyOf(rank: RankModel, slice: number, args: CollectiveArgs): Key {
  const text = textOf(args);
  return { text, order: slicesOfText(rank, text).indexOf(slice) };
}

function sliceOfKey(rank: RankModel, key: Key): number | undefined {
  return slicesOfText(rank, key.text)[key.order];
}

/** The GPU's collectives of one look, by rising start; host-side rows of the table are not kernels. */
function slicesOfText(rank: RankModel, text: string): number[] {
  const { values, width } = rank.collectives;
  const slices: number[] = [];
  for (let row = 0; row * width < values.length; row += 1) {
    const slice = values[row * width] ?? 0;
    const args = collectiveArgs(rank, slice);
    const isStream = rank.tracks[rank.track[slice] ?? -1]?.kind === 'stream';
    if (isStream && args && textOf(args) === text) slices.push(slice);
  }
  return slices.sort((a, b) => startOf(rank, a) - startOf(rank, b));
}
