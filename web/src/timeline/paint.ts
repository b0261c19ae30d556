// Draw list -> canvas calls, batched by colour. Everything is in device pixels; nothing is decided here but order.
import type { CssPixels, DevicePixels, Ns } from '../base/units';
import { kBoxWidth, kColumnWidth, type DrawList, type NumberRows } from './draw_list';
import { kPaintKinds } from './lanes';
import type { Palette } from './palette';
import type { Layout } from './rows';
import type { Rgb, StripPainter } from './strips';

/** The part of a canvas that painting uses; tests record it. */
export type Surface = Pick<
  CanvasRenderingContext2D,
  | 'fillRect'
  | 'clearRect'
  | 'drawImage'
  | 'imageSmoothingEnabled'
  | 'fillText'
  | 'beginPath'
  | 'moveTo'
  | 'lineTo'
  | 'bezierCurveTo'
  | 'arc'
  | 'closePath'
  | 'rect'
  | 'fill'
  | 'stroke'
  | 'strokeRect'
  | 'setLineDash'
  | 'measureText'
  | 'fillStyle'
  | 'strokeStyle'
  | 'globalAlpha'
  | 'lineWidth'
  | 'font'
  | 'textBaseline'
  | 'textAlign'
>;

export interface Style {
  readonly palette: Palette;
  /** By index in kPaintKinds. */
  readonly patterns: readonly (CanvasPattern | undefined)[];
  /** Paints folded columns at once; without it, or with colours that are no plain tokens, one by one. */
  readonly strips?: { readonly painter: StripPainter; readonly colors: readonly Rgb[] } | undefined;
  readonly labelFont: string;
  /** Advance of one character of the label font. */
  readonly labelCharWidth: DevicePixels;
}

const kSeparatorFrom: DevicePixels = 3;
const kPatternFrom: DevicePixels = 5;

/** Row grounds, grid lines, slices, labels. */
export function paintRows(
  surface: Surface,
  list: DrawList,
  layout: Layout,
  scrollTop: CssPixels,
  gridNs: readonly Ns[],
  style: Style,
): void {
  surface.globalAlpha = 1;
  paintGround(surface, list, layout, scrollTop, gridNs, style);
  paintSlices(surface, list, style);
  paintLabels(surface, list, style);
}

function paintGround(
  surface: Surface,
  list: DrawList,
  layout: Layout,
  scrollTop: CssPixels,
  gridNs: readonly Ns[],
  style: Style,
): void {
  const ratio = list.scale.devicePixelRatio;
  const hair = Math.max(1, Math.round(ratio));
  surface.fillStyle = style.palette.track;
  surface.fillRect(0, 0, list.width, list.height);
  surface.fillStyle = style.palette.line;
  for (const at of gridNs) surface.fillRect(Math.round(list.scale.nsToDevice(at)), 0, hair, list.height);
  for (const row of layout.rows) {
    const top = Math.round((row.top - scrollTop) * ratio);
    const bottom = Math.round((row.top + row.height - scrollTop) * ratio);
    if (bottom <= 0 || top >= list.height) continue;
    if (row.kind === 'header') {
      surface.fillStyle = style.palette.group;
      surface.fillRect(0, top, list.width, bottom - top);
      surface.fillStyle = style.palette.line;
    }
    surface.fillRect(0, bottom - hair, list.width, hair);
  }
}

/** Slices alone: the overview uses this too. */
export function paintSlices(surface: Surface, list: DrawList, style: Style): void {
  for (let paint = 0; paint < kPaintKinds.length; paint += 1) {
    surface.fillStyle = style.palette.kinds[paint] ?? '';
    fillBoxes(surface, list.boxes[paint], 0);
    fillBoxes(surface, list.ticks[paint], 0);
    if (!style.strips) fillColumns(surface, list.columns[paint]);
  }
  style.strips?.painter.paint(surface, list, style.strips.colors);
  for (let paint = 0; paint < kPaintKinds.length; paint += 1) {
    const pattern = style.patterns[paint];
    if (!pattern) continue;
    surface.fillStyle = pattern;
    fillBoxes(surface, list.boxes[paint], kPatternFrom);
  }
  surface.fillStyle = style.palette.sliceEdge;
  for (const boxes of list.boxes) fillSeparators(surface, boxes);
}

function fillBoxes(surface: Surface, boxes: NumberRows | undefined, from: DevicePixels): void {
  if (!boxes) return;
  const { values } = boxes;
  for (let at = 0; at < boxes.length * kBoxWidth; at += kBoxWidth) {
    const width = values[at + 2] ?? 0;
    if (width >= from) surface.fillRect(values[at] ?? 0, values[at + 1] ?? 0, width, values[at + 3] ?? 0);
  }
}

/** Opacity is the covered fraction. */
function fillColumns(surface: Surface, columns: NumberRows | undefined): void {
  if (!columns?.length) return;
  const { values } = columns;
  for (let at = 0; at < columns.length * kColumnWidth; at += kColumnWidth) {
    surface.globalAlpha = values[at + 4] ?? 0;
    surface.fillRect(values[at] ?? 0, values[at + 1] ?? 0, values[at + 2] ?? 0, values[at + 3] ?? 0);
  }
  surface.globalAlpha = 1;
}

function fillSeparators(surface: Surface, boxes: NumberRows): void {
  const { values } = boxes;
  for (let at = 0; at < boxes.length * kBoxWidth; at += kBoxWidth) {
    const x = values[at] ?? 0;
    if ((values[at + 2] ?? 0) < kSeparatorFrom || x < 0) continue;
    surface.fillRect(Math.round(x), values[at + 1] ?? 0, 1, values[at + 3] ?? 0);
  }
}

/** On a solid patch, so that no line of a pattern runs through a word. */
function paintLabels(surface: Surface, list: DrawList, style: Style): void {
  if (!list.labels.length) return;
  const ratio = list.scale.devicePixelRatio;
  const pad = 2 * ratio;
  const inset = Math.max(1, Math.round(ratio));
  surface.font = style.labelFont;
  surface.textBaseline = 'middle';
  surface.textAlign = 'left';
  for (let paint = 0; paint < kPaintKinds.length; paint += 1) {
    if (!style.patterns[paint]) continue;
    surface.fillStyle = style.palette.kinds[paint] ?? '';
    for (const label of list.labels) {
      if (label.paint !== paint) continue;
      const width = label.text.length * style.labelCharWidth;
      surface.fillRect(label.x - pad, label.y + inset, width + 2 * pad, label.height - 2 * inset);
    }
  }
  surface.fillStyle = style.palette.onKind;
  for (const label of list.labels) {
    surface.fillText(label.text, label.x, label.y + Math.round(label.height / 2) + Math.round(ratio / 2));
  }
}
