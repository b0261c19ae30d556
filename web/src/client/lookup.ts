// Questions about one slice: its args, its launch, the work it launched. Indices are built on first use, once a rank.
import { kKindCode, isGpuWork, type RankModel, type SideTable } from './trace_model';

export interface KernelArgs {
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  /** -1 if the trace does not say. */
  readonly registersPerThread: number;
  readonly sharedMemoryBytes: number;
}

export interface CollectiveArgs {
  readonly kind: string;
  readonly dtype: string;
  /** Counts, sequence and bytes are -1 if the trace does not say. */
  readonly groupSize: number;
  readonly inCount: number;
  readonly outCount: number;
  readonly sequence: number;
  readonly sizeBytes: number;
}

export interface CopyArgs {
  readonly kind: string;
  readonly sizeBytes: number;
}

export interface OpArgs {
  readonly externalId: number;
  readonly shapes: string;
}

export function kernelArgs(rank: RankModel, slice: number): KernelArgs | undefined {
  const row = rowOf(rank.kernels, slice);
  if (!row) return undefined;
  return {
    grid: [at(row, 1), at(row, 2), at(row, 3)],
    block: [at(row, 4), at(row, 5), at(row, 6)],
    registersPerThread: at(row, 7),
    sharedMemoryBytes: at(row, 8),
  };
}

export function collectiveArgs(rank: RankModel, slice: number): CollectiveArgs | undefined {
  const row = rowOf(rank.collectives, slice);
  if (!row) return undefined;
  return {
    kind: rank.collectiveKinds[at(row, 1)] ?? 'unknown',
    dtype: rank.dtypes[at(row, 2)] ?? 'unknown',
    groupSize: at(row, 3),
    inCount: at(row, 4),
    outCount: at(row, 5),
    sequence: at(row, 6),
    sizeBytes: at(row, 7),
  };
}

export function copyArgs(rank: RankModel, slice: number): CopyArgs | undefined {
  const row = rowOf(rank.copies, slice);
  return row ? { kind: rank.copyKinds[at(row, 1)] ?? 'unknown', sizeBytes: at(row, 2) } : undefined;
}

export function opArgs(rank: RankModel, slice: number): OpArgs | undefined {
  const row = rowOf(rank.ops, slice);
  return row ? { externalId: at(row, 1), shapes: rank.strings[at(row, 2)] ?? '' } : undefined;
}

/** The runtime call that launched a GPU slice; undefined if the trace did not record it. */
export function launchOf(rank: RankModel, slice: number): number | undefined {
  if (!isGpuWork(rank.kind[slice] ?? -1)) return undefined;
  return indexOf(rank).launches.get(rank.correlation[slice] ?? 0);
}

/** GPU work that a runtime call started, in order of start; several for a graph launch. */
export function launchedBy(rank: RankModel, slice: number): readonly number[] {
  if (rank.kind[slice] !== kKindCode.runtime) return [];
  return indexOf(rank).work.get(rank.correlation[slice] ?? 0) ?? [];
}

interface CorrelationIndex {
  readonly launches: ReadonlyMap<number, number>;
  readonly work: ReadonlyMap<number, readonly number[]>;
}

const indices = new WeakMap<RankModel, CorrelationIndex>();

function indexOf(rank: RankModel): CorrelationIndex {
  const known = indices.get(rank);
  if (known) return known;
  const launches = new Map<number, number>();
  const work = new Map<number, number[]>();
  for (let slice = 0; slice < rank.sliceCount; slice += 1) {
    const correlation = rank.correlation[slice] ?? 0;
    if (correlation === 0) continue;
    const kind = rank.kind[slice] ?? -1;
    if (kind === kKindCode.runtime) {
      launches.set(correlation, slice);
    } else if (isGpuWork(kind)) {
      const list = work.get(correlation);
      if (list) list.push(slice);
      else work.set(correlation, [slice]);
    }
  }
  for (const list of work.values()) list.sort((a, b) => (rank.startNs[a] ?? 0) - (rank.startNs[b] ?? 0));
  const index = { launches, work };
  indices.set(rank, index);
  return index;
}

function at(row: Float64Array, column: number): number {
  return row[column] ?? -1;
}

function rowOf(table: SideTable, slice: number): Float64Array | undefined {
  const { width, values } = table;
  let low = 0;
  let high = values.length / width;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle * width] ?? 0) < slice) low = middle + 1;
    else high = middle;
  }
  return values[low * width] === slice ? values.subarray(low * width, (low + 1) * width) : undefined;
}
