// Layout: a trace and what is open in it -> rows with places on screen. Pure; knows nothing of time windows.
import type { CssPixels } from '../base/units';
import { rankOf, type RankModel, type TraceModel } from '../client/trace_model';
import { lanesOf, type Lane, type StreamLanes, type TrackLanes } from './lanes';
import type { RankTitle, RowRef } from './types';

export type RowKind = 'header' | 'collapsed' | 'thread' | 'loader' | 'api' | 'stream';

/** A lane with its place below the row's top. */
export interface PlacedLane {
  readonly lane: Lane;
  readonly offset: CssPixels;
  readonly height: CssPixels;
  /** Room under the bar, for the presence tick. */
  readonly labelled: boolean;
}

export interface Row {
  readonly kind: RowKind;
  /** Stable over layouts: "0/stream/3". */
  readonly id: string;
  readonly rank: RankModel;
  /** The tracks that the row shows; the first stands for it. Empty for headers and collapsed ranks. */
  readonly tracks: readonly number[];
  readonly label: string;
  readonly note: string;
  readonly top: CssPixels;
  readonly height: CssPixels;
  readonly lanes: readonly PlacedLane[];
}

export interface RowOptions {
  readonly openRanks: ReadonlySet<number>;
  readonly rankTitles?: readonly RankTitle[] | undefined;
  /** Only these rows, without headers: the before/after form. */
  readonly onlyRows?: readonly RowRef[] | undefined;
  readonly compact?: boolean | undefined;
}

export interface Layout {
  readonly rows: readonly Row[];
  readonly height: CssPixels;
}

export const kHeights = {
  header: 24,
  collapsed: 22,
  level: 16,
  flat: 22,
  stream: 30,
  streamCompact: 22,
} as const;
const kPad = 3;

type UnplacedRow = Omit<Row, 'top'>;

export function layoutRows(trace: TraceModel, options: RowOptions): Layout {
  const unplaced = options.onlyRows ? chosenRows(trace, options.onlyRows) : allRows(trace, options);
  let top = 0;
  const rows = unplaced.map((row): Row => {
    const placed = { ...row, top };
    top += row.height;
    return placed;
  });
  return { rows, height: top };
}

/** The row that a place or a piece of evidence belongs to; a collapsed rank stands for all its rows. */
export function rowsOfRef(layout: Layout, ref: RowRef): Row[] {
  const ofRank = layout.rows.filter((row) => row.rank.rank === ref.rank && row.kind !== 'header');
  if (ref.track === undefined) return ofRank;
  const { track } = ref;
  return ofRank.filter((row) => row.kind === 'collapsed' || row.tracks.includes(track));
}

/** The reference that stands for a row. */
export function refOfRow(row: Row): RowRef {
  const track = row.tracks[0];
  return track === undefined ? { rank: row.rank.rank } : { rank: row.rank.rank, track };
}

/** "Rank 5, stream 20"; "Rank 5" for all rows. */
export function titleOfRef(trace: TraceModel, ref: RowRef): string {
  const rank = rankOf(trace, ref.rank);
  const track = ref.track === undefined ? undefined : rank?.tracks[ref.track];
  if (!track) return `rank ${ref.rank}`;
  return `rank ${ref.rank}, ${track.kind === 'stream' ? `stream ${track.tid}` : shortThread(track.name)}`;
}

/** The row under a height, or undefined below the last. */
export function rowAt(layout: Layout, y: CssPixels): Row | undefined {
  return layout.rows.find((row) => y >= row.top && y < row.top + row.height);
}

function allRows(trace: TraceModel, options: RowOptions): UnplacedRow[] {
  return trace.ranks.flatMap((rank) => {
    const rows = rowsOfRank(rank, options.compact ?? false);
    const title = options.rankTitles?.find((entry) => entry.rank === rank.rank)?.title ?? defaultTitle(rank);
    if (!options.openRanks.has(rank.rank)) return [collapsedRow(rank, `${rows.length} rows`)];
    const header: UnplacedRow = {
      kind: 'header',
      id: `${rank.rank}/header`,
      rank,
      tracks: [],
      label: `Rank ${rank.rank}`,
      note: title,
      height: kHeights.header,
      lanes: [],
    };
    return [header, ...rows];
  });
}

function defaultTitle(rank: RankModel): string {
  return [rank.host, rank.device].filter(Boolean).join(' \u00b7 ');
}

function chosenRows(trace: TraceModel, refs: readonly RowRef[]): UnplacedRow[] {
  return refs.flatMap((ref) => {
    const rank = rankOf(trace, ref.rank);
    if (!rank) return [];
    if (ref.track === undefined) return [collapsedRow(rank, '')];
    const { track } = ref;
    return rowsOfRank(rank, true)
      .filter((row) => row.tracks[0] === track)
      .slice(0, 1)
      .map((row) => ({ ...row, label: `Rank ${rank.rank}`, note: row.label.replace(/^Stream/, 'stream') }));
  });
}

function rowsOfRank(rank: RankModel, compact: boolean): UnplacedRow[] {
  const lanes = lanesOf(rank);
  return [
    ...lanes.threads
      .filter((thread) => thread.lanes.length)
      .map((thread) => threadRow(rank, thread, 'thread')),
    ...lanes.loaderWorkers.map((worker) => threadRow(rank, worker, 'loader')),
    ...(lanes.api.length ? [apiRow(rank, lanes.api, lanes.apiTracks)] : []),
    ...lanes.streams.map((stream) => streamRow(rank, stream, compact)),
  ];
}

function threadRow(rank: RankModel, thread: TrackLanes, kind: 'thread' | 'loader'): UnplacedRow {
  const levels = Math.max(1, thread.lanes.length);
  const pad = levels === 1 ? (kHeights.flat - kHeights.level) / 2 : kPad - 1;
  return {
    kind,
    id: `${rank.rank}/${kind}/${thread.track}`,
    rank,
    tracks: [thread.track],
    label: shortThread(rank.tracks[thread.track]?.name ?? ''),
    note: '',
    height: levels * kHeights.level + 2 * pad,
    lanes: thread.lanes.map((lane, depth) => ({
      lane,
      offset: pad + depth * kHeights.level,
      height: kHeights.level - 1,
      labelled: true,
    })),
  };
}

function apiRow(rank: RankModel, lanes: readonly Lane[], tracks: readonly number[]): UnplacedRow {
  return {
    kind: 'api',
    id: `${rank.rank}/api`,
    rank,
    tracks,
    label: 'CUDA API',
    note: '',
    height: kHeights.flat + (lanes.length - 1) * kHeights.level,
    lanes: lanes.map((lane, level) => ({
      lane,
      offset: kPad + level * kHeights.level,
      height: kHeights.level - 1,
      labelled: true,
    })),
  };
}

function streamRow(rank: RankModel, stream: StreamLanes, compact: boolean): UnplacedRow {
  const isThin = compact || !(stream.hasCompute || stream.hasComm);
  const height = isThin ? kHeights.streamCompact : kHeights.stream;
  const bar = height - 2 * (isThin ? kPad : kPad + 1);
  const levels = Math.max(1, stream.lanes.length);
  return {
    kind: 'stream',
    id: `${rank.rank}/stream/${stream.track}`,
    rank,
    tracks: [stream.track],
    label: `Stream ${rank.tracks[stream.track]?.tid ?? ''}`,
    note: streamNote(stream),
    height: height + (levels - 1) * bar,
    lanes: stream.lanes.map((lane, level) => ({
      lane,
      offset: (isThin ? kPad : kPad + 1) + level * bar,
      height: levels > 1 ? bar - 1 : bar,
      labelled: true,
    })),
  };
}

function streamNote(stream: StreamLanes): string {
  const parts = [
    stream.hasCompute && 'compute',
    stream.hasComm && 'NCCL',
    stream.hasCopy && !stream.hasCompute && 'copies',
  ];
  return parts.filter(Boolean).join(', ');
}

function collapsedRow(rank: RankModel, note: string): UnplacedRow {
  const lanes = lanesOf(rank);
  return {
    kind: 'collapsed',
    id: `${rank.rank}/collapsed`,
    rank,
    tracks: [],
    label: `Rank ${rank.rank}`,
    note,
    height: kHeights.collapsed,
    lanes: [
      { lane: lanes.compute, offset: 3, height: 8, labelled: false },
      { lane: lanes.comm, offset: 12, height: 7, labelled: false },
    ],
  };
}

/** "thread 4211 (pt_main_thread)" -> "pt_main_thread". */
function shortThread(name: string): string {
  return /\((.+)\)\s*$/.exec(name)?.[1] ?? name;
}
