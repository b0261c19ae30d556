// Layout: a trace and what is open in it -> rows with places on screen. Pure; knows nothing of time windows.
import type { CssPixels } from '../base/units';
import { rankOf, type RankModel, type TraceModel } from '../client/trace_model';
import { lanesOf, positionOf, type Lane, type StreamLanes, type TrackLanes } from './lanes';
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
  /** Present on a host row that is deep enough to fold. */
  readonly fold?: Fold | undefined;
}

/** A host row shows its top depths until it is unfolded. What is folded away is neither drawn nor hit. */
export interface Fold {
  readonly isOpen: boolean;
  readonly shown: number;
  readonly depths: number;
  readonly hidden: readonly Lane[];
}

export interface RowOptions {
  readonly openRanks: ReadonlySet<number>;
  /** Ids of host rows that show all their depths. */
  readonly unfolded?: ReadonlySet<string> | undefined;
  /** Rows for a finger: tall rank rows, flat host rows. */
  readonly isPhone?: boolean | undefined;
  readonly rankTitles?: readonly RankTitle[] | undefined;
  /** Only these rows, without headers: the before/after form. */
  readonly onlyRows?: readonly RowRef[] | undefined;
  readonly compact?: boolean | undefined;
  /** False: rows are named by what they are, and say nothing of what runs on them. */
  readonly showNames?: boolean | undefined;
}

export interface Layout {
  readonly rows: readonly Row[];
  readonly height: CssPixels;
}

interface Form {
  readonly header: CssPixels;
  readonly collapsed: CssPixels;
  /** A host row of one depth. */
  readonly flat: CssPixels;
  readonly level: CssPixels;
  readonly stream: CssPixels;
  readonly streamThin: CssPixels;
  /** Depths of a host row that stay when it is folded. */
  readonly foldedDepths: number;
  /** The two lanes of a collapsed rank: offset, height. */
  readonly compute: readonly [CssPixels, CssPixels];
  readonly comm: readonly [CssPixels, CssPixels];
}
const kDesk: Form = {
  header: 24,
  collapsed: 22,
  flat: 22,
  level: 16,
  stream: 30,
  streamThin: 22,
  foldedDepths: 3,
  compute: [3, 8],
  comm: [12, 7],
};
/** What opens and closes ranks is 40 px high; what is only looked at makes room for it. */
const kPhone: Form = {
  ...kDesk,
  header: 40,
  collapsed: 40,
  flat: 18,
  stream: 26,
  foldedDepths: 1,
  compute: [10, 11],
  comm: [22, 9],
};
/** Rows side by side with another trace's: nothing folds, for there is nothing to unfold it with. */
const kCompact: Form = { ...kDesk, stream: kDesk.streamThin, foldedDepths: Infinity };
/** Ranks side by side with another trace's: both must fit on a screen, so a host row shows its top until it is unfolded. */
const kCompactRanks: Form = { ...kCompact, foldedDepths: 1 };
const kPad = 3;

type UnplacedRow = Omit<Row, 'top'>;

export function layoutRows(trace: TraceModel, options: RowOptions): Layout {
  const unplaced = options.onlyRows ? chosenRows(trace, options.onlyRows) : allRows(trace, options);
  return placeRows(options.showNames === false ? unplaced.map(withoutNames) : unplaced);
}

/** The rows with these ids, of open and collapsed ranks alike, in the order of the trace; they do not fold. */
export function pinnedRows(trace: TraceModel, ids: ReadonlySet<string>, options: PinOptions): Layout {
  if (ids.size === 0) return { rows: [], height: 0 };
  const form = options.isPhone ? kPhone : kDesk;
  const rows = trace.ranks.flatMap((rank) => {
    if (![...ids].some((id) => id.startsWith(`${rank.rank}/`))) return [];
    return rowsOfRank(rank, form, options.unfolded).filter((row) => ids.has(row.id));
  });
  return placeRows(
    rows
      .map((row) => (options.showNames === false ? withoutNames(row) : row))
      .map((row) => ({ ...row, label: `Rank ${row.rank.rank}`, note: row.label, fold: undefined })),
  );
}

type PinOptions = Pick<RowOptions, 'unfolded' | 'isPhone' | 'showNames'>;

const kKindNames: Readonly<Partial<Record<RowKind, string>>> = { thread: 'Host', loader: 'Host', api: 'API' };

// A rank's title says where it runs, not what: it stays.
function withoutNames(row: UnplacedRow): UnplacedRow {
  if (row.kind === 'header' || row.kind === 'collapsed') return row;
  return { ...row, label: kKindNames[row.kind] ?? row.label, note: row.fold ? row.note : '' };
}

function placeRows(unplaced: readonly UnplacedRow[]): Layout {
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

/** The folded row that hides a slice; undefined if the slice is drawn, or its rank is collapsed. */
export function foldOver(layout: Layout, rank: RankModel, slice: number): Row | undefined {
  return layout.rows.find(
    (row) => row.rank === rank && row.fold?.hidden.some((lane) => positionOf(lane, rank, slice) >= 0),
  );
}

/** The row under a height, or undefined below the last. */
export function rowAt(layout: Layout, y: CssPixels): Row | undefined {
  return layout.rows.find((row) => y >= row.top && y < row.top + row.height);
}

function allRows(trace: TraceModel, options: RowOptions): UnplacedRow[] {
  // On a phone ranks are opened by finger, whatever the form.
  const form = options.isPhone ? kPhone : options.compact ? kCompactRanks : kDesk;
  return trace.ranks.flatMap((rank) => {
    const rows = rowsOfRank(rank, form, options.unfolded);
    const title = options.rankTitles?.find((entry) => entry.rank === rank.rank)?.title ?? defaultTitle(rank);
    if (!options.openRanks.has(rank.rank)) return [collapsedRow(rank, form, `${rows.length} rows`)];
    const header: UnplacedRow = {
      kind: 'header',
      id: `${rank.rank}/header`,
      rank,
      tracks: [],
      label: `Rank ${rank.rank}`,
      note: [title, undrawnText(rank)].filter(Boolean).join('; '),
      height: form.header,
      lanes: [],
    };
    return [header, ...rows];
  });
}

const kUndrawnNames: Readonly<Record<string, string>> = {
  gpu_annotation: 'GPU annotations',
  sync: 'synchronisation',
  counter: 'counters',
  other: 'other',
};

/** "2 rows not drawn: counters, other"; empty if every track of the rank has its row. */
export function undrawnText(rank: RankModel): string {
  const { undrawn } = lanesOf(rank);
  if (!undrawn.length) return '';
  const kinds = [...new Set(undrawn.map((track) => kUndrawnNames[track.kind] ?? track.kind))];
  return `${undrawn.length} ${undrawn.length === 1 ? 'row' : 'rows'} not drawn: ${kinds.join(', ')}`;
}

function defaultTitle(rank: RankModel): string {
  return [rank.host, rank.device].filter(Boolean).join(' \u00b7 ');
}

function chosenRows(trace: TraceModel, refs: readonly RowRef[]): UnplacedRow[] {
  return refs.flatMap((ref) => {
    const rank = rankOf(trace, ref.rank);
    if (!rank) return [];
    if (ref.track === undefined) return [collapsedRow(rank, kCompact, '')];
    const { track } = ref;
    return rowsOfRank(rank, kCompact)
      .filter((row) => row.tracks[0] === track)
      .slice(0, 1)
      .map((row) => ({ ...row, label: `Rank ${rank.rank}`, note: row.label.replace(/^Stream/, 'stream') }));
  });
}

function rowsOfRank(rank: RankModel, form: Form, unfolded?: ReadonlySet<string>): UnplacedRow[] {
  const lanes = lanesOf(rank);
  const host = (kind: 'thread' | 'loader', { track, lanes: depths }: TrackLanes) => ({
    kind,
    id: `${rank.rank}/${kind}/${track}`,
    rank,
    tracks: [track],
    label: shortThread(rank.tracks[track]?.name ?? ''),
    depths,
  });
  const api = {
    kind: 'api' as const,
    id: `${rank.rank}/api`,
    rank,
    tracks: lanes.apiTracks,
    label: 'CUDA API',
    depths: lanes.api,
  };
  return [
    ...lanes.threads.filter((thread) => thread.lanes.length).map((thread) => host('thread', thread)),
    ...lanes.loaderWorkers.map((worker) => host('loader', worker)),
    ...(lanes.api.length ? [api] : []),
  ]
    .map((row): UnplacedRow => hostRow(row, form, unfolded))
    .concat(lanes.streams.map((stream) => streamRow(rank, stream, form)));
}

type HostRow = Pick<Row, 'kind' | 'id' | 'rank' | 'tracks' | 'label'> & { readonly depths: readonly Lane[] };

function hostRow(
  { depths, ...row }: HostRow,
  form: Form,
  unfolded: ReadonlySet<string> | undefined,
): UnplacedRow {
  const isOpen = unfolded?.has(row.id) ?? false;
  const canFold = depths.length > form.foldedDepths;
  const shown = canFold && !isOpen ? form.foldedDepths : depths.length;
  const levels = Math.max(1, shown);
  // The CUDA API keeps the same edge however many threads call at once; nested depths stand closer.
  const pad = row.kind === 'api' || levels === 1 ? (form.flat - form.level) / 2 : kPad - 1;
  return {
    ...row,
    note: shown < depths.length ? `${shown}/${depths.length}` : '',
    height: levels * form.level + 2 * pad,
    lanes: depths.slice(0, shown).map((lane, depth) => ({
      lane,
      offset: pad + depth * form.level,
      height: form.level - 1,
      labelled: true,
    })),
    ...(canFold ? { fold: { isOpen, shown, depths: depths.length, hidden: depths.slice(shown) } } : {}),
  };
}

function streamRow(rank: RankModel, stream: StreamLanes, form: Form): UnplacedRow {
  const isThin = form.stream === form.streamThin || !(stream.hasCompute || stream.hasComm);
  const height = isThin ? form.streamThin : form.stream;
  const pad = isThin ? kPad : kPad + 1;
  const bar = height - 2 * pad;
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
      offset: pad + level * bar,
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

function collapsedRow(rank: RankModel, form: Form, note: string): UnplacedRow {
  const lanes = lanesOf(rank);
  return {
    kind: 'collapsed',
    id: `${rank.rank}/collapsed`,
    rank,
    tracks: [],
    label: `Rank ${rank.rank}`,
    note,
    height: form.collapsed,
    lanes: [
      { lane: lanes.compute, offset: form.compute[0], height: form.compute[1], labelled: false },
      { lane: lanes.comm, offset: form.comm[0], height: form.comm[1], labelled: false },
    ],
  };
}

/** "thread 4211 (pt_main_thread)" -> "pt_main_thread". */
function shortThread(name: string): string {
  return /\((.+)\)\s*$/.exec(name)?.[1] ?? name;
}
