// Test fixture: traces written by hand, slice by slice. Not a simulator: nothing here is caused.
import {
  extentOf,
  kKindCode,
  type RankModel,
  type SideTable,
  type SliceKind,
  type Track,
  type TraceModel,
} from '../trace_model';

export interface BuiltSlice {
  readonly name: string;
  readonly kind: SliceKind;
  readonly start: number;
  readonly dur: number;
  readonly correlation?: number;
  readonly grid?: readonly [number, number, number];
  readonly collective?: { readonly bytes: number; readonly groupSize: number; readonly sequence: number };
}

export interface BuiltTrack extends Partial<Pick<Track, 'kind' | 'tid' | 'name'>> {
  readonly slices: readonly BuiltSlice[];
}

/** Slices of each track must come sorted by start, parents first. */
export function buildRank(rank: number, tracks: readonly BuiltTrack[]): RankModel {
  const flat = tracks.flatMap((track, index) => track.slices.map((slice) => ({ ...slice, track: index })));
  const strings = [...new Set(['', ...flat.map((slice) => slice.name)])];
  let at = 0;
  const kernels: number[] = [];
  const collectives: number[] = [];
  flat.forEach((slice, index) => {
    if (slice.grid) kernels.push(index, ...slice.grid, 128, 1, 1, 64, 0);
    if (slice.collective) {
      const { bytes, groupSize, sequence } = slice.collective;
      collectives.push(index, 1, 5, groupSize, bytes / 2, bytes / 2, sequence, bytes);
    }
  });
  return {
    rank,
    worldSize: 8,
    device: 'NVIDIA H100 80GB HBM3',
    host: 'node-0',
    clockOffsetNs: 0,
    sliceCount: flat.length,
    startNs: Float64Array.from(flat, (slice) => slice.start),
    durNs: Float64Array.from(flat, (slice) => slice.dur),
    correlation: Float64Array.from(flat, (slice) => slice.correlation ?? 0),
    track: Uint32Array.from(flat, (slice) => slice.track),
    name: Uint32Array.from(flat, (slice) => strings.indexOf(slice.name)),
    kind: Uint8Array.from(flat, (slice) => kKindCode[slice.kind]),
    strings,
    tracks: tracks.map((track, index): Track => {
      const begin = at;
      at += track.slices.length;
      const kind = track.kind ?? 'stream';
      const tid = track.tid ?? index;
      return {
        kind,
        pid: 1,
        tid,
        name: track.name ?? `${kind} ${tid}`,
        process: 'python',
        device: kind === 'stream' ? rank : -1,
        sortIndex: index,
        begin,
        end: at,
      };
    }),
    kernels: table(9, kernels),
    collectives: table(8, collectives),
    copies: table(3, []),
    ops: table(3, []),
    collectiveKinds: ['unknown', 'all_reduce'],
    dtypes: ['unknown', 'int8', 'uint8', 'float8', 'float16', 'bfloat16'],
    copyKinds: ['unknown', 'h2d'],
  };
}

export function buildTrace(...ranks: readonly RankModel[]): TraceModel {
  return { ranks, extent: extentOf(ranks) };
}

function table(width: number, values: readonly number[]): SideTable {
  return { width, values: Float64Array.from(values) };
}

/** A stream of equal kernels, `gap` apart. */
export function kernelTrain(
  count: number,
  dur: number,
  gap: number,
  options: { readonly kind?: SliceKind; readonly name?: string; readonly from?: number } = {},
): BuiltSlice[] {
  return Array.from({ length: count }, (_, index) => ({
    name: options.name ?? 'gemm',
    kind: options.kind ?? 'compute',
    start: (options.from ?? 0) + index * (dur + gap),
    dur,
  }));
}
