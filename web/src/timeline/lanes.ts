// A lane: slices that do not overlap, by rising start, in arrays of their own. Everything that is drawn, hit or
// measured comes from lanes; they are built once for a rank and kept.
import type { Ns } from '../base/units';
import { endOf, isGpuWork, kKindCode, startOf, type RankModel, type Track } from '../client/trace_model';

/** What the colour says, and nothing else. */
export const kPaintKinds = ['compute', 'comm', 'copy', 'host', 'loader'] as const;
export type PaintKind = (typeof kPaintKinds)[number];
/** Codes are indices in kPaintKinds. */
export const kPaint = { compute: 0, comm: 1, copy: 2, host: 3, loader: 4 } as const satisfies Record<
  PaintKind,
  number
>;

export function paintOfKind(kindCode: number): number {
  switch (kindCode) {
    case kKindCode.compute:
      return kPaint.compute;
    case kKindCode.comm:
      return kPaint.comm;
    case kKindCode.copy:
    case kKindCode.memset:
      return kPaint.copy;
    case kKindCode.loader:
      return kPaint.loader;
    default:
      return kPaint.host;
  }
}

export interface Lane {
  readonly count: number;
  readonly startNs: Float64Array;
  /** Rising too, since nothing overlaps. */
  readonly endNs: Float64Array;
  /** Index in the rank's columns. */
  readonly slice: Uint32Array;
  /** Index in kPaintKinds. */
  readonly paint: Uint8Array;
}

/** The first entry that ends after `at`: where a window that begins at `at` starts reading. */
export function firstEndingAfter(lane: Lane, at: Ns): number {
  let low = 0;
  let high = lane.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lane.endNs[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first entry that starts at or after `at`. */
export function firstStartingFrom(lane: Lane, at: Ns): number {
  let low = 0;
  let high = lane.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lane.startNs[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Covered time up to each entry, by paint kind: what a run of entries covers is a difference of two. */
export interface Coverage {
  /** Paint kinds that occur in the lane. */
  readonly paints: readonly number[];
  /** For each of `paints`, count + 1 sums: [i] is what the entries before i cover. */
  readonly sumsNs: readonly Float64Array[];
}

const knownCoverage = new WeakMap<Lane, Coverage>();

/** Built on first use, once a lane. */
export function coverageOf(lane: Lane): Coverage {
  let coverage = knownCoverage.get(lane);
  if (!coverage) knownCoverage.set(lane, (coverage = buildCoverage(lane)));
  return coverage;
}

function buildCoverage(lane: Lane): Coverage {
  const paints = [...new Set(lane.paint)].sort((a, b) => a - b);
  const sumsNs = paints.map((paint) => {
    const sums = new Float64Array(lane.count + 1);
    for (let index = 0; index < lane.count; index += 1) {
      const own = lane.paint[index] === paint ? (lane.endNs[index] ?? 0) - (lane.startNs[index] ?? 0) : 0;
      sums[index + 1] = (sums[index] ?? 0) + own;
    }
    return sums;
  });
  return { paints, sumsNs };
}

/** The first entry from `index` on that ends after `at`, by steps that double: near entries cost little. */
export function gallopEndingAfter(lane: Lane, index: number, at: Ns): number {
  let step = 1;
  let low = index;
  while (low + step < lane.count && (lane.endNs[low + step] ?? 0) <= at) {
    low += step;
    step *= 2;
  }
  let high = Math.min(lane.count, low + step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lane.endNs[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where a slice stands in a lane, or -1. */
export function positionOf(lane: Lane, rank: RankModel, slice: number): number {
  const start = startOf(rank, slice);
  for (let index = firstStartingFrom(lane, start); index < lane.count; index += 1) {
    if (lane.slice[index] === slice) return index;
    if ((lane.startNs[index] ?? 0) > start) return -1;
  }
  return -1;
}

export function laneOf(rank: RankModel, slices: readonly number[]): Lane {
  const lane = {
    count: slices.length,
    startNs: new Float64Array(slices.length),
    endNs: new Float64Array(slices.length),
    slice: Uint32Array.from(slices),
    paint: new Uint8Array(slices.length),
  };
  slices.forEach((slice, index) => {
    lane.startNs[index] = startOf(rank, slice);
    lane.endNs[index] = endOf(rank, slice);
    lane.paint[index] = paintOfKind(rank.kind[slice] ?? -1);
  });
  return lane;
}

/** Nests slices that come parents first: one lane a depth. Slices that cross instead of nesting go one deeper. */
export function nestedLanes(rank: RankModel, slices: readonly number[]): Lane[] {
  const depths: number[][] = [];
  const open: Ns[] = []; // ends of the slices that are open, by depth
  for (const slice of slices) {
    const start = startOf(rank, slice);
    while (open.length && (open[open.length - 1] ?? 0) <= start) open.pop();
    const level = (depths[open.length] ??= []);
    level.push(slice);
    open.push(Math.max(endOf(rank, slice), start));
  }
  return depths.map((level) => laneOf(rank, level));
}

/** Packs slices of several tracks: the first lane that is free at a slice's start takes it. */
export function packedLanes(rank: RankModel, slices: readonly number[]): Lane[] {
  const lanes: { slices: number[]; end: Ns }[] = [];
  for (const slice of byStart(rank, slices)) {
    const start = startOf(rank, slice);
    let lane = lanes.find((candidate) => candidate.end <= start);
    if (!lane) lanes.push((lane = { slices: [], end: start }));
    lane.slices.push(slice);
    lane.end = endOf(rank, slice);
  }
  return lanes.map((lane) => laneOf(rank, lane.slices));
}

/** The union of slices over several streams: what an earlier one covers is cut off a later one, so lengths add up. */
export function unionLane(rank: RankModel, slices: readonly number[]): Lane {
  const kept: number[] = [];
  const starts: Ns[] = [];
  let covered = -Infinity;
  for (const slice of byStart(rank, slices)) {
    const start = Math.max(startOf(rank, slice), covered);
    const end = endOf(rank, slice);
    if (end <= start) continue;
    kept.push(slice);
    starts.push(start);
    covered = end;
  }
  const lane = laneOf(rank, kept);
  lane.startNs.set(starts);
  return lane;
}

function byStart(rank: RankModel, slices: readonly number[]): number[] {
  return [...slices].sort((a, b) => startOf(rank, a) - startOf(rank, b) || a - b);
}

/** A track with its lanes, top to bottom. */
export interface TrackLanes {
  readonly track: number;
  readonly lanes: readonly Lane[];
}

export interface StreamLanes extends TrackLanes {
  readonly hasCompute: boolean;
  readonly hasComm: boolean;
  readonly hasCopy: boolean;
}

export interface RankLanes {
  readonly threads: readonly TrackLanes[];
  readonly loaderWorkers: readonly TrackLanes[];
  /** Runtime calls of all threads; a second lane only where two threads call at once. */
  readonly api: readonly Lane[];
  /** Threads that made runtime calls, the busiest first. */
  readonly apiTracks: readonly number[];
  readonly streams: readonly StreamLanes[];
  /** Unions over all streams. */
  readonly compute: Lane;
  readonly comm: Lane;
  readonly copy: Lane;
  /** Tracks with slices that have no row: annotations on the device, counters. */
  readonly undrawn: readonly Track[];
}

const known = new WeakMap<RankModel, RankLanes>();

export function lanesOf(rank: RankModel): RankLanes {
  let lanes = known.get(rank);
  if (!lanes) known.set(rank, (lanes = buildLanes(rank)));
  return lanes;
}

function buildLanes(rank: RankModel): RankLanes {
  const threads: TrackLanes[] = [];
  const loaderWorkers: TrackLanes[] = [];
  const streams: StreamLanes[] = [];
  const apiSlices: number[] = [];
  const apiCounts = new Map<number, number>();
  const work: [number[], number[], number[]] = [[], [], []]; // compute, comm, copy
  const undrawn: Track[] = [];
  for (const index of inFileOrder(rank.tracks)) {
    const track = rank.tracks[index];
    if (!track) continue;
    if (track.kind === 'host_thread') {
      const own: number[] = [];
      for (let slice = track.begin; slice < track.end; slice += 1) {
        const isApi = rank.kind[slice] === kKindCode.runtime;
        (isApi ? apiSlices : own).push(slice);
        if (isApi) apiCounts.set(index, (apiCounts.get(index) ?? 0) + 1);
      }
      threads.push({ track: index, lanes: nestedLanes(rank, own) });
    } else if (track.kind === 'loader_worker') {
      loaderWorkers.push({ track: index, lanes: nestedLanes(rank, range(track)) });
    } else if (track.kind === 'stream') {
      for (let slice = track.begin; slice < track.end; slice += 1) {
        if (isGpuWork(rank.kind[slice] ?? -1)) work[paintOfKind(rank.kind[slice] ?? -1)]?.push(slice);
      }
      streams.push(streamOf(rank, index, track));
    } else if (track.end > track.begin) {
      undrawn.push(track);
    }
  }
  return {
    threads,
    loaderWorkers,
    api: packedLanes(rank, apiSlices),
    apiTracks: [...apiCounts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([index]) => index),
    streams: streams.sort((a, b) => streamOrder(a) - streamOrder(b)),
    compute: unionLane(rank, work[0]),
    comm: unionLane(rank, work[1]),
    copy: unionLane(rank, work[2]),
    undrawn,
  };
}

function inFileOrder(tracks: readonly Track[]): number[] {
  return tracks
    .map((_, index) => index)
    .sort((a, b) => (tracks[a]?.sortIndex ?? 0) - (tracks[b]?.sortIndex ?? 0) || a - b);
}

function range(track: Track): number[] {
  return Array.from({ length: track.end - track.begin }, (_, offset) => track.begin + offset);
}

function streamOf(rank: RankModel, index: number, track: Track): StreamLanes {
  const slices = range(track);
  const has = (paint: number) => slices.some((slice) => paintOfKind(rank.kind[slice] ?? -1) === paint);
  return {
    track: index,
    lanes: packedLanes(rank, slices),
    hasCompute: has(kPaint.compute),
    hasComm: has(kPaint.comm),
    hasCopy: has(kPaint.copy),
  };
}

/** Compute above communication above copies. Sorting is stable, so streams of one sort keep the file's order. */
function streamOrder(stream: StreamLanes): number {
  if (stream.hasCompute) return 0;
  if (stream.hasComm) return 1;
  return 2;
}
