// What lies over the slices: the selection, the picked slice with its flow, evidence, the place. Ink, never a hue.
import { formatDuration } from '../base/format';
import type { CssPixels, DevicePixels, Interval, Ns } from '../base/units';
import { launchedBy, launchOf } from '../client/lookup';
import { endOf, kKindCode, rankOf, startOf, type SliceRef, type TraceModel } from '../client/trace_model';
import { positionOf } from './lanes';
import type { Style, Surface } from './paint';
import { rowsOfRef, type Layout } from './rows';
import type { TimeScale } from './time_scale';
import type { Highlight, Mark, Selection } from './types';

export interface OverlayInput {
  readonly trace: TraceModel;
  readonly layout: Layout;
  readonly scale: TimeScale;
  readonly scrollTop: CssPixels;
  readonly height: CssPixels;
  readonly selection?: Selection | undefined;
  readonly picked?: SliceRef | undefined;
  readonly highlights: readonly Highlight[];
  readonly place?: Mark | undefined;
  /** Moments at which a cursor stands: none, one or two. */
  readonly cursors?: readonly Ns[] | undefined;
  /** Says how far apart two cursors are. */
  readonly showDistance?: boolean | undefined;
}

interface Box {
  readonly x: DevicePixels;
  readonly y: DevicePixels;
  readonly width: DevicePixels;
  readonly height: DevicePixels;
}

export function paintOverlay(surface: Surface, input: OverlayInput, style: Style): void {
  if (input.selection) paintSelection(surface, input, input.selection, style);
  paintHighlights(surface, input, style);
  if (input.place) paintPlace(surface, input, input.place, style);
  if (input.picked) paintPicked(surface, input, input.picked, style);
  if (input.cursors) paintCursors(surface, input, input.cursors, style);
}

/** Dotted lines from top to bottom; between two of them a dimension line with their distance. */
function paintCursors(surface: Surface, input: OverlayInput, cursors: readonly Ns[], style: Style): void {
  const ratio = input.scale.devicePixelRatio;
  const hair = Math.max(1, Math.round(ratio));
  const height = Math.round(input.height * ratio);
  const at = cursors.map((ns) => Math.round(input.scale.nsToDevice(ns)));
  surface.strokeStyle = style.palette.ink;
  surface.lineWidth = hair;
  surface.setLineDash([2 * ratio, 3 * ratio]);
  for (const x of at) {
    surface.beginPath();
    surface.moveTo(x + hair / 2, 0);
    surface.lineTo(x + hair / 2, height);
    surface.stroke();
  }
  surface.setLineDash([]);
  const [a, b] = at;
  const [aNs, bNs] = cursors;
  if (!input.showDistance || a === undefined || b === undefined || aNs === undefined || bNs === undefined)
    return;
  const y = Math.round(10 * ratio);
  surface.fillStyle = style.palette.ink;
  surface.fillRect(Math.min(a, b), y, Math.abs(b - a), hair);
  const text = formatDuration(Math.abs(bNs - aNs));
  const width = Math.round(text.length * style.labelCharWidth + 8 * ratio);
  const room = Math.max(0, input.scale.widthCss * ratio - width);
  const x = Math.min(Math.max(0, Math.round((a + b - width) / 2)), room);
  paintTag(
    surface,
    { x, y: y - Math.round(7 * ratio), width, height: Math.round(15 * ratio) },
    text,
    true,
    ratio,
    style,
  );
}

/** Where a slice is drawn, also outside the window; undefined if its rank is not in the layout. */
export function boxOfSlice(input: OverlayInput, ref: SliceRef): Box | undefined {
  const rank = rankOf(input.trace, ref.rank);
  if (!rank) return undefined;
  const ratio = input.scale.devicePixelRatio;
  const x = input.scale.nsToDevice(startOf(rank, ref.slice));
  const width = input.scale.nsToDevice(endOf(rank, ref.slice)) - x;
  for (const row of rowsOfRef(input.layout, { rank: ref.rank, track: rank.track[ref.slice] ?? 0 })) {
    for (const placed of row.lanes) {
      if (row.kind !== 'collapsed' && positionOf(placed.lane, rank, ref.slice) < 0) continue;
      const isWork = (rank.kind[ref.slice] ?? 0) === kKindCode.comm ? row.lanes[1] : row.lanes[0];
      const where = row.kind === 'collapsed' ? (isWork ?? placed) : placed;
      const y = Math.round((row.top - input.scrollTop + where.offset) * ratio);
      return { x, y, width, height: Math.round(where.height * ratio) };
    }
  }
  return undefined;
}

function spanOf(input: OverlayInput, interval: Interval): { x: DevicePixels; width: DevicePixels } {
  const x = Math.round(input.scale.nsToDevice(interval.beginNs));
  return { x, width: Math.max(1, Math.round(input.scale.nsToDevice(interval.endNs)) - x) };
}

/** Full height, so that other rows can be compared; the rows that are meant a second time. */
function paintSelection(surface: Surface, input: OverlayInput, selection: Selection, style: Style): void {
  const ratio = input.scale.devicePixelRatio;
  const hair = Math.max(1, Math.round(ratio));
  const { x, width } = spanOf(input, selection);
  const height = Math.round(input.height * ratio);
  surface.fillStyle = style.palette.sel;
  surface.fillRect(x, 0, width, height);
  for (const ref of selection.rows) {
    for (const row of rowsOfRef(input.layout, ref)) {
      surface.fillRect(
        x,
        Math.round((row.top - input.scrollTop) * ratio),
        width,
        Math.round(row.height * ratio),
      );
    }
  }
  surface.fillStyle = style.palette.selEdge;
  surface.fillRect(x, 0, hair, height);
  surface.fillRect(x + width - hair, 0, hair, height);
}

/** The frame of an interval on each row that shows the reference; adjoining rows share one frame. */
export function framesOf(input: OverlayInput, mark: Mark): Box[] {
  const ratio = input.scale.devicePixelRatio;
  const { x, width } = spanOf(input, mark);
  const frames: { top: number; bottom: number }[] = [];
  for (const row of rowsOfRef(input.layout, mark)) {
    const last = frames[frames.length - 1];
    if (last && last.bottom === row.top) last.bottom += row.height;
    else frames.push({ top: row.top, bottom: row.top + row.height });
  }
  return frames.map(({ top, bottom }) => {
    const y = Math.round((top - input.scrollTop + 1) * ratio);
    return { x, y, width, height: Math.round((bottom - top - 3) * ratio) };
  });
}

function strokeFrame(surface: Surface, box: Box, lineWidth: DevicePixels): void {
  const half = lineWidth / 2;
  surface.lineWidth = lineWidth;
  surface.strokeRect(
    box.x + half,
    box.y + half,
    Math.max(0, box.width - lineWidth),
    Math.max(0, box.height - lineWidth),
  );
}

/** A halo in the ground's colour round each frame keeps it visible on any slice; inside, the slice is untouched. */
function paintFrame(surface: Surface, box: Box, isSolid: boolean, ratio: number, style: Style): void {
  const line = Math.max(1, Math.round((isSolid ? 2 : 1) * ratio));
  surface.setLineDash([]);
  surface.strokeStyle = style.palette.track;
  strokeFrame(surface, grown(box, line), line * 2);
  surface.strokeStyle = style.palette.ink;
  surface.setLineDash(isSolid ? [] : [4 * ratio, 3 * ratio]);
  strokeFrame(surface, box, line);
  surface.setLineDash([]);
}

function grown(box: Box, by: DevicePixels): Box {
  return { x: box.x - by, y: box.y - by, width: box.width + 2 * by, height: box.height + 2 * by };
}

/** All letters after all frames: no frame runs through a letter. */
function paintHighlights(surface: Surface, input: OverlayInput, style: Style): void {
  const ratio = input.scale.devicePixelRatio;
  for (const highlight of input.highlights)
    for (const frame of framesOf(input, highlight))
      paintFrame(surface, frame, highlight.focused, ratio, style);
  const tags = placeTags(input, style);
  for (const highlight of input.highlights) {
    const tag = tags.get(highlight);
    if (tag) paintTag(surface, tag, highlight.letter, highlight.focused, ratio, style);
  }
}

function paintPlace(surface: Surface, input: OverlayInput, place: Mark, style: Style): void {
  framesOf(input, place).forEach((frame, index) => {
    paintFrame(surface, frame, true, input.scale.devicePixelRatio, style);
    const tag = index === 0 ? tagOf(input, frame, 'place', style) : undefined;
    if (tag) paintTag(surface, tag, 'place', true, input.scale.devicePixelRatio, style);
  });
}

/** At the frame's upper right corner, kept inside the canvas; undefined if the frame is out of sight. */
function tagOf(input: OverlayInput, frame: Box, text: string, style: Style): Box | undefined {
  const ratio = input.scale.devicePixelRatio;
  const width = Math.round(text.length * style.labelCharWidth + 8 * ratio);
  const canvasWidth = input.scale.widthCss * ratio;
  if (frame.x > canvasWidth || frame.x + frame.width < 0) return undefined;
  const x = Math.max(0, Math.min(frame.x + frame.width, canvasWidth) - width);
  return { x, y: Math.max(0, frame.y - Math.round(3 * ratio)), width, height: Math.round(15 * ratio) };
}

/**
 * Letters of frames that share a corner stand side by side. The first letter has the corner whatever the focus, so that
 * none moves when another sentence is spoken of.
 */
export function placeTags(input: OverlayInput, style: Style): ReadonlyMap<Highlight, Box> {
  const gap = Math.max(1, Math.round(input.scale.devicePixelRatio));
  const placed = new Map<Highlight, Box>();
  for (const highlight of [...input.highlights].sort((a, b) => (a.letter < b.letter ? -1 : 1))) {
    const [frame] = framesOf(input, highlight);
    let tag = frame && tagOf(input, frame, highlight.letter, style);
    if (!tag) continue;
    for (let other = hitBy(placed, tag); other; other = hitBy(placed, tag)) {
      const x: DevicePixels = other.x - tag.width - gap;
      // No room on the left: below the others.
      tag = x >= 0 ? { ...tag, x } : { ...tag, y: other.y + other.height + gap };
    }
    placed.set(highlight, tag);
  }
  return placed;
}

function hitBy(placed: ReadonlyMap<Highlight, Box>, tag: Box): Box | undefined {
  return [...placed.values()].find(
    (other) =>
      other.x < tag.x + tag.width &&
      tag.x < other.x + other.width &&
      other.y < tag.y + tag.height &&
      tag.y < other.y + other.height,
  );
}

function paintTag(
  surface: Surface,
  { x, y, width, height }: Box,
  text: string,
  isSolid: boolean,
  ratio: number,
  style: Style,
): void {
  const hair = Math.max(1, Math.round(ratio));
  surface.fillStyle = style.palette.ink;
  surface.fillRect(x, y, width, height);
  if (!isSolid) {
    surface.fillStyle = style.palette.surface;
    surface.fillRect(x + hair, y + hair, width - 2 * hair, height - 2 * hair);
  }
  surface.fillStyle = isSolid ? style.palette.surface : style.palette.ink;
  surface.font = style.labelFont;
  surface.textBaseline = 'middle';
  surface.textAlign = 'center';
  surface.fillText(text, x + width / 2, y + height / 2 + Math.round(ratio / 2));
  surface.textAlign = 'left';
}

function paintPicked(surface: Surface, input: OverlayInput, picked: SliceRef, style: Style): void {
  const ratio = input.scale.devicePixelRatio;
  const box = boxOfSlice(input, picked);
  if (!box) return;
  const partner = flowPartner(input.trace, picked);
  const other = partner && boxOfSlice(input, partner.other);
  if (partner && other) {
    const [from, to] = partner.isLaunch ? [other, box] : [box, other];
    paintFlow(surface, from, to, ratio, style);
  }
  const least = 3 * ratio;
  const missing = Math.max(0, least - box.width);
  const frame = { ...box, x: Math.round(box.x - missing / 2), width: Math.round(box.width + missing) };
  paintFrame(surface, grown(frame, Math.round(ratio)), true, ratio, style);
}

/** The launch of a GPU slice, or the first work that a runtime call started. */
export function flowPartner(
  trace: TraceModel,
  ref: SliceRef,
): { readonly other: SliceRef; readonly isLaunch: boolean } | undefined {
  const rank = rankOf(trace, ref.rank);
  if (!rank) return undefined;
  const launch = launchOf(rank, ref.slice);
  if (launch !== undefined) return { other: { rank: ref.rank, slice: launch }, isLaunch: true };
  const work = launchedBy(rank, ref.slice)[0];
  return work === undefined ? undefined : { other: { rank: ref.rank, slice: work }, isLaunch: false };
}

/** One curve, a dot at the launch, an arrow at the kernel. */
function paintFlow(surface: Surface, launch: Box, kernel: Box, ratio: number, style: Style): void {
  const x1 = launch.x + Math.min(launch.width / 2, 4 * ratio);
  const y1 = launch.y + launch.height;
  const x2 = kernel.x;
  const y2 = kernel.y + kernel.height / 2;
  const bend = Math.min(60 * ratio, Math.max(12 * ratio, Math.abs(x2 - x1) / 2));
  const arrow = 6 * ratio;
  for (const [color, width] of [
    [style.palette.track, 4 * ratio],
    [style.palette.ink, 1.5 * ratio],
  ] as const) {
    surface.strokeStyle = color;
    surface.lineWidth = width;
    surface.beginPath();
    surface.moveTo(x1, y1);
    surface.bezierCurveTo(x1, y1 + bend / 2, x2 - bend, y2, x2 - arrow, y2);
    surface.stroke();
  }
  surface.fillStyle = style.palette.ink;
  surface.beginPath();
  surface.arc(x1, y1, 3 * ratio, 0, 2 * Math.PI);
  surface.fill();
  surface.beginPath();
  surface.moveTo(x2, y2);
  surface.lineTo(x2 - arrow, y2 - arrow / 2);
  surface.lineTo(x2 - arrow, y2 + arrow / 2);
  surface.closePath();
  surface.fill();
}
