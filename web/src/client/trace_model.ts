// A trace as the page holds it: columns, not objects. Slices are sorted by (track, start, longer first), so a track is
// the range [begin, end) and a parent stands before its children.
import type { Interval, Ns } from '../base/units';

export const kSliceKinds = [
  'host_op',
  'annotation',
  'python',
  'loader',
  'runtime',
  'compute',
  'comm',
  'copy',
  'memset',
  'gpu_annotation',
  'sync',
  'overhead',
  'instant',
  'other',
] as const;
export type SliceKind = (typeof kSliceKinds)[number];

/** Codes of the `kind` column: the index in kSliceKinds. */
export const kKindCode = Object.fromEntries(kSliceKinds.map((kind, code) => [kind, code])) as Record<
  SliceKind,
  number
>;

export type TrackKind =
  'host_thread' | 'loader_worker' | 'stream' | 'gpu_annotation' | 'sync' | 'counter' | 'other';

export interface Track {
  readonly kind: TrackKind;
  readonly pid: number;
  /** OS thread id, or the stream for GPU tracks. */
  readonly tid: number;
  readonly name: string;
  readonly process: string;
  /** -1 on the host. */
  readonly device: number;
  readonly sortIndex: number;
  readonly begin: number;
  readonly end: number;
}

/** A side table: `width` numbers a row, sorted by the first, which is the slice. */
export interface SideTable {
  readonly width: number;
  readonly values: Float64Array;
}

export interface RankModel {
  readonly rank: number;
  readonly worldSize: number;
  readonly device: string;
  readonly host: string;
  /** Already contained in `startNs`. */
  readonly clockOffsetNs: Ns;

  readonly sliceCount: number;
  /** On the job's common clock. */
  readonly startNs: Float64Array;
  readonly durNs: Float64Array;
  /** 0 if none. */
  readonly correlation: Float64Array;
  readonly track: Uint32Array;
  readonly name: Uint32Array;
  /** See kSliceKinds. */
  readonly kind: Uint8Array;

  readonly strings: readonly string[];
  readonly tracks: readonly Track[];

  readonly kernels: SideTable;
  readonly collectives: SideTable;
  readonly copies: SideTable;
  readonly ops: SideTable;
  readonly collectiveKinds: readonly string[];
  readonly dtypes: readonly string[];
  readonly copyKinds: readonly string[];
}

export interface TraceModel {
  /** By rising rank number. */
  readonly ranks: readonly RankModel[];
  /** First start to last end over all ranks; 0 to 0 for an empty trace. */
  readonly extent: Interval;
}

/** A slice is named by its rank's number and its index in that rank's columns. */
export interface SliceRef {
  readonly rank: number;
  readonly slice: number;
}

export function sameSlice(a: SliceRef | undefined, b: SliceRef | undefined): boolean {
  return a?.rank === b?.rank && a?.slice === b?.slice;
}

export function rankOf(trace: TraceModel, rank: number): RankModel | undefined {
  return trace.ranks.find((candidate) => candidate.rank === rank);
}

export function startOf(rank: RankModel, slice: number): Ns {
  return rank.startNs[slice] ?? 0;
}

export function endOf(rank: RankModel, slice: number): Ns {
  return (rank.startNs[slice] ?? 0) + (rank.durNs[slice] ?? 0);
}

export function nameOf(rank: RankModel, slice: number): string {
  return rank.strings[rank.name[slice] ?? 0] ?? '';
}

export function kindOf(rank: RankModel, slice: number): SliceKind {
  return kSliceKinds[rank.kind[slice] ?? -1] ?? 'other';
}

export function trackOf(rank: RankModel, slice: number): Track | undefined {
  return rank.tracks[rank.track[slice] ?? -1];
}

/** Kernels, communication, copies and memsets: what occupies the GPU. */
export function isGpuWork(kindCode: number): boolean {
  return kindCode >= kKindCode.compute && kindCode <= kKindCode.memset;
}

/** First to last moment of all slices. */
export function extentOf(ranks: readonly RankModel[]): Interval {
  let beginNs = Infinity;
  let endNs = -Infinity;
  for (const rank of ranks) {
    for (let slice = 0; slice < rank.sliceCount; slice += 1) {
      const start = rank.startNs[slice] ?? 0;
      if (start < beginNs) beginNs = start;
      const end = start + (rank.durNs[slice] ?? 0);
      if (end > endNs) endNs = end;
    }
  }
  return beginNs <= endNs ? { beginNs, endNs } : { beginNs: 0, endNs: 0 };
}
