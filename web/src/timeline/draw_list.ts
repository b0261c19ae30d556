// What is visible, in device pixels, ready to be painted and to be hit. Slices too narrow to draw are folded: each pixel
// column adds up the exact covered fraction per kind, so confetti looks as thin as it is.
import type { CssPixels, DevicePixels, Ns } from '../base/units';
import { nameOf, type RankModel } from '../client/trace_model';
import {
  coverageOf,
  firstEndingAfter,
  gallopEndingAfter,
  kPaintKinds,
  type Coverage,
  type Lane,
} from './lanes';
import type { Layout, PlacedLane, Row } from './rows';
import { shortenName } from './shorten';
import type { TimeScale } from './time_scale';

/** Slices narrower than this are folded. */
export const kFoldBelowDevicePixels = 2.5;
/** A folded column that is covered less gets a tick under the bar. */
export const kTickBelowFraction = 0.12;
export const kLabelFromCssPixels = 44;
const kLabelPadCss = 4;
const kKinds = kPaintKinds.length;
const kTraceOfASlice: DevicePixels = 1e-9;
/** At least so many slices and one in a column are added up as a run. */
const kRunFrom = 4;

/** Growing array of numbers, `width` a row. */
export class NumberRows {
  private data: Float64Array;
  length = 0;

  constructor(
    readonly width: number,
    capacity = 256,
  ) {
    this.data = new Float64Array(capacity * width);
  }

  /** Makes room for one more row and returns where it begins in `values`. */
  grow(): number {
    const at = this.length * this.width;
    if (at + this.width > this.data.length) {
      const larger = new Float64Array(this.data.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    this.length += 1;
    return at;
  }

  get values(): Float64Array {
    return this.data;
  }

  clear(): void {
    this.length = 0;
  }
}

/** Rows of `boxes`: x, y, width, height. */
export const kBoxWidth = 4;
/** Rows of `columns`: x, y, width, height, alpha of 0 to 1. */
export const kColumnWidth = 5;

/** A lane on screen. Hit testing starts here. */
export interface VisibleLane {
  readonly row: Row;
  readonly lane: Lane;
  readonly top: DevicePixels;
  readonly height: DevicePixels;
  /** Entries [first, last) of the lane touch the window. */
  readonly first: number;
  readonly last: number;
}

export interface Label {
  readonly text: string;
  readonly x: DevicePixels;
  /** The bar's top and height; the text is centred in it. */
  readonly y: DevicePixels;
  readonly height: DevicePixels;
  /** Index in kPaintKinds. */
  readonly paint: number;
}

export interface DrawList {
  readonly scale: TimeScale;
  readonly width: DevicePixels;
  readonly height: DevicePixels;
  readonly lanes: VisibleLane[];
  /** By paint kind: slices with their true edges. */
  readonly boxes: readonly NumberRows[];
  /** By paint kind: folded columns, paint kinds in rising order, the alphas made so that painting adds coverage up. */
  readonly columns: readonly NumberRows[];
  /** By paint kind: presence ticks under the bar; rows as in `boxes`. */
  readonly ticks: readonly NumberRows[];
  readonly labels: Label[];
}

export interface Viewport {
  readonly scale: TimeScale;
  readonly scrollTop: CssPixels;
  readonly height: CssPixels;
  /** Width of one character of a label. */
  readonly charWidth: CssPixels;
  /** False: no labels. */
  readonly showNames?: boolean;
}

/** `used` is a list that is needed no more: its arrays are filled again, so that a frame leaves no litter. */
export function buildDrawList(layout: Layout, viewport: Viewport, used?: DrawList): DrawList {
  const { scale } = viewport;
  const ratio = scale.devicePixelRatio;
  const list: DrawList = {
    scale,
    width: Math.round(scale.widthCss * ratio),
    height: Math.round(viewport.height * ratio),
    lanes: [],
    boxes: cleared(used?.boxes) ?? perKind(kBoxWidth),
    columns: cleared(used?.columns) ?? perKind(kColumnWidth),
    ticks: cleared(used?.ticks) ?? perKind(kBoxWidth),
    labels: [],
  };
  const fold = foldOf(list.width);
  for (const row of layout.rows) {
    const top = row.top - viewport.scrollTop;
    if (top + row.height <= 0 || top >= viewport.height) continue;
    for (const placed of row.lanes) {
      addLane(list, row, placed, Math.round((top + placed.offset) * ratio), viewport, fold);
    }
  }
  return list;
}

function cleared(rows: readonly NumberRows[] | undefined): readonly NumberRows[] | undefined {
  rows?.forEach((one) => one.clear());
  return rows;
}

// One for the timeline, one for the overview beside it: a fold is empty after each lane, so it may serve anybody.
const folds = new Map<number, Fold>();

function foldOf(width: DevicePixels): Fold {
  let fold = folds.get(width);
  if (!fold) {
    if (folds.size > 4) folds.clear();
    folds.set(width, (fold = new Fold(width)));
  }
  return fold;
}

function perKind(width: number): NumberRows[] {
  return kPaintKinds.map(() => new NumberRows(width));
}

/** Covered fractions of one lane's pixel columns. One object serves all lanes of a frame. */
class Fold {
  /** By column and kind; of narrow slices. */
  readonly narrow: Float64Array;
  /** By column; of slices that are drawn as boxes. */
  readonly wide: Float64Array;
  private low = Infinity;
  private high = -1;

  constructor(readonly width: number) {
    this.narrow = new Float64Array(width * kKinds);
    this.wide = new Float64Array(width);
  }

  /** A slice without length leaves a trace too small to see, but not none: it must get its tick. */
  addNarrow(from: DevicePixels, to: DevicePixels, paint: number): void {
    const first = Math.max(0, Math.floor(from));
    const last = Math.min(this.width - 1, Math.floor(to));
    if (first === last && from >= first) {
      const at = first * kKinds + paint;
      this.narrow[at] = (this.narrow[at] ?? 0) + Math.max(to - from, kTraceOfASlice);
    } else {
      this.addOverEdges(from, to, first, last, paint);
    }
    if (first < this.low) this.low = first;
    if (last > this.high) this.high = last;
  }

  /** Entries [first, end) of a lane that lie within one column. */
  addRun(column: number, coverage: Coverage, first: number, end: number, perNs: number): void {
    for (let at = 0; at < coverage.paints.length; at += 1) {
      const sums = coverage.sumsNs[at];
      const coveredNs = sums ? (sums[end] ?? 0) - (sums[first] ?? 0) : 0;
      const cell = column * kKinds + (coverage.paints[at] ?? 0);
      if (coveredNs > 0) this.narrow[cell] = (this.narrow[cell] ?? 0) + coveredNs * perNs;
    }
    // A run of slices without length leaves its trace like one of them.
    const cell = column * kKinds + (coverage.paints[0] ?? 0);
    this.narrow[cell] = (this.narrow[cell] ?? 0) + kTraceOfASlice;
    if (column < this.low) this.low = column;
    if (column > this.high) this.high = column;
  }

  private addOverEdges(
    from: DevicePixels,
    to: DevicePixels,
    first: number,
    last: number,
    paint: number,
  ): void {
    for (let column = first; column <= last; column += 1) {
      const covered = Math.min(to, column + 1) - Math.max(from, column);
      const at = column * kKinds + paint;
      if (covered > 0) this.narrow[at] = (this.narrow[at] ?? 0) + covered;
    }
  }

  /** Only the two edge columns of a box can hold folded slices as well. */
  addWide(from: DevicePixels, to: DevicePixels): void {
    this.addEdge(Math.floor(from), from, to);
    const last = Math.floor(to);
    if (last !== Math.floor(from)) this.addEdge(last, from, to);
  }

  private addEdge(column: number, from: DevicePixels, to: DevicePixels): void {
    if (column < 0 || column >= this.width) return;
    const covered = Math.min(to, column + 1) - Math.max(from, column);
    this.wide[column] = (this.wide[column] ?? 0) + covered;
  }

  /** Writes the lane's columns and ticks and forgets them. */
  flush(list: DrawList, top: DevicePixels, height: DevicePixels, tickHeight: DevicePixels): void {
    for (let column = this.low; column <= this.high; column += 1) {
      const at = column * kKinds;
      let total = 0;
      let most = 0;
      let main = -1;
      for (let paint = 0; paint < kKinds; paint += 1) {
        const covered = this.narrow[at + paint] ?? 0;
        total += covered;
        if (covered > most) {
          most = covered;
          main = paint;
        }
      }
      if (main < 0) continue;
      this.writeColumn(list, column, Math.min(1, total), total, top, height);
      if (total + (this.wide[column] ?? 0) < kTickBelowFraction) {
        writeBox(list.ticks[main], column, top + height, 1, tickHeight);
      }
      this.narrow.fill(0, at, at + kKinds);
    }
    if (this.high >= 0 || this.low < Infinity) this.low = Infinity;
    this.high = -1;
    this.wide.fill(0);
  }

  /**
   * Kinds are painted in rising order, each over the one before. For a weight w_i each, kind i takes the alpha
   * w_i / (1 - sum of the weights painted after it).
   */
  private writeColumn(
    list: DrawList,
    column: number,
    share: number,
    total: number,
    top: DevicePixels,
    height: DevicePixels,
  ): void {
    let after = 0;
    for (let paint = kKinds - 1; paint >= 0; paint -= 1) {
      const covered = ((this.narrow[column * kKinds + paint] ?? 0) / total) * share;
      if (covered <= 0) continue;
      const alpha = Math.min(1, covered / Math.max(1e-12, 1 - after));
      after += covered;
      appendColumn(list.columns[paint], column, top, height, alpha);
    }
  }
}

/** Joins a column to its left neighbour of the same opacity. */
function appendColumn(
  rows: NumberRows | undefined,
  x: DevicePixels,
  y: DevicePixels,
  height: DevicePixels,
  alpha: number,
): void {
  if (!rows) return;
  const last = (rows.length - 1) * kColumnWidth;
  const { values } = rows;
  const joins =
    last >= 0 &&
    values[last + 1] === y &&
    (values[last] ?? 0) + (values[last + 2] ?? 0) === x &&
    Math.abs((values[last + 4] ?? 0) - alpha) < 1 / 512;
  if (joins) {
    values[last + 2] = (values[last + 2] ?? 0) + 1;
    return;
  }
  const at = rows.grow();
  const grown = rows.values;
  grown[at] = x;
  grown[at + 1] = y;
  grown[at + 2] = 1;
  grown[at + 3] = height;
  grown[at + 4] = alpha;
}

function writeBox(rows: NumberRows | undefined, x: number, y: number, width: number, height: number): void {
  if (!rows) return;
  const at = rows.grow();
  const { values } = rows;
  values[at] = x;
  values[at + 1] = y;
  values[at + 2] = width;
  values[at + 3] = height;
}

function addLane(
  list: DrawList,
  row: Row,
  placed: PlacedLane,
  top: DevicePixels,
  viewport: Viewport,
  fold: Fold,
): void {
  const { lane } = placed;
  const { scale } = list;
  const ratio = scale.devicePixelRatio;
  const height = Math.max(1, Math.round(placed.height * ratio));
  const { beginNs, endNs } = scale.view;
  const perNs = scale.devicePerNs;
  const first = firstEndingAfter(lane, beginNs);
  let index = first;
  for (; index < lane.count; index += 1) {
    const start: Ns = lane.startNs[index] ?? 0;
    if (start >= endNs) break;
    const from = (start - beginNs) * perNs;
    const to = ((lane.endNs[index] ?? 0) - beginNs) * perNs;
    const paint = lane.paint[index] ?? 0;
    if (to - from < kFoldBelowDevicePixels) {
      // Where many slices share a column, they are taken together: a frame costs by the columns, not by the slices.
      const column = Math.floor(from);
      const columnEndNs = beginNs + (column + 1) / perNs;
      if (from >= 0 && column < list.width && (lane.endNs[index + kRunFrom] ?? Infinity) <= columnEndNs) {
        const end = gallopEndingAfter(lane, index + kRunFrom, columnEndNs);
        fold.addRun(column, coverageOf(lane), index, end, perNs);
        index = end - 1;
        continue;
      }
      fold.addNarrow(from, to, paint);
      continue;
    }
    const left = Math.max(from, -kOutside);
    const right = Math.min(to, list.width + kOutside);
    writeBox(list.boxes[paint], left, top, right - left, height);
    fold.addWide(from, to);
    if (placed.labelled && viewport.showNames !== false)
      addLabel(list, row.rank, lane, index, { from, to, top, height }, viewport.charWidth);
  }
  fold.flush(list, top, height, Math.max(1, Math.round(2 * ratio)));
  list.lanes.push({ row, lane, top, height, first, last: index });
}

/** How far beyond the canvas a box may reach: enough to hide its edges, few enough digits for the canvas. */
const kOutside: DevicePixels = 8;

interface Bar {
  readonly from: DevicePixels;
  readonly to: DevicePixels;
  readonly top: DevicePixels;
  readonly height: DevicePixels;
}

/** Stays in sight while any part of the slice that is wide enough does. */
function addLabel(
  list: DrawList,
  rank: RankModel,
  lane: Lane,
  index: number,
  bar: Bar,
  charWidth: CssPixels,
): void {
  const ratio = list.scale.devicePixelRatio;
  const left = Math.max(bar.from, 0);
  const room = (Math.min(bar.to, list.width) - left) / ratio;
  if (room < kLabelFromCssPixels) return;
  const text = shortenName(
    nameOf(rank, lane.slice[index] ?? 0),
    Math.floor((room - 2 * kLabelPadCss) / charWidth),
  );
  if (!text) return;
  const x = Math.round(left + kLabelPadCss * ratio);
  list.labels.push({ text, x, y: bar.top, height: bar.height, paint: lane.paint[index] ?? 0 });
}
