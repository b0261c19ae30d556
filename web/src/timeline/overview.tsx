import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { formatDuration } from '../base/format';
import { lengthOf, type CssPixels, type Interval } from '../base/units';
import type { RankModel } from '../client/trace_model';
import { buildDrawList } from './draw_list';
import { lanesOf } from './lanes';
import { paintSlices, type Style } from './paint';
import type { Layout } from './rows';
import { clampView, kMinViewNs, TimeScale } from './time_scale';
import type { View } from './types';
import { prepareCanvas, useSize } from './use_canvas';

const kHeight: CssPixels = 40;
const kGrab: CssPixels = 6;

export interface OverviewProps {
  readonly rank: RankModel | undefined;
  readonly limits: Interval;
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly style: Style | undefined;
  readonly ratio: number;
}

/** The whole trace in two lanes, compute and communication of one rank; the window is clear, the rest dimmed. */
export function Overview({ rank, limits, view, onView, style, ratio }: OverviewProps) {
  const hostRef = useRef<HTMLDivElement>(null);
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const { width } = useSize(hostRef);
  const layout = useMemo(() => layoutOf(rank), [rank]);
  const scale = useMemo(() => new TimeScale(limits, width, ratio), [limits, width, ratio]);

  // The whole trace stays as it is while the window moves: it is drawn once and copied.
  const picture = useMemo(() => pictureOf(layout, scale, style), [layout, scale, style]);
  useLayoutEffect(() => {
    const context = prepareCanvas(canvasRef.current, { width, height: kHeight }, ratio);
    if (!context || !style || !picture) return;
    context.drawImage(picture, 0, 0);
    paintWindow(context, scale, view, style);
  }, [picture, scale, width, ratio, style, view]);

  const drag = useOverviewDrag(canvasRef, scale, limits, view, onView);
  return (
    <div class="tl-overview-canvas" ref={hostRef}>
      <canvas
        ref={canvasRef}
        {...drag}
        role="img"
        aria-label={`Whole trace, ${formatDuration(lengthOf(limits))}; the window shows ${formatDuration(lengthOf(view))}`}
      />
    </div>
  );
}

function pictureOf(
  layout: Layout,
  scale: TimeScale,
  style: Style | undefined,
): HTMLCanvasElement | undefined {
  const list = buildDrawList(layout, { scale, scrollTop: 0, height: kHeight, charWidth: 7 });
  if (!style || list.width <= 0) return undefined;
  const canvas = document.createElement('canvas');
  canvas.width = list.width;
  canvas.height = list.height;
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) return undefined;
  context.fillStyle = style.palette.track;
  context.fillRect(0, 0, list.width, list.height);
  paintSlices(context, list, style);
  return canvas;
}

function layoutOf(rank: RankModel | undefined): Layout {
  if (!rank) return { rows: [], height: kHeight };
  const lanes = lanesOf(rank);
  const row = {
    kind: 'collapsed' as const,
    id: 'overview',
    rank,
    tracks: [],
    label: '',
    note: '',
    top: 0,
    height: kHeight,
    lanes: [
      { lane: lanes.compute, offset: 7, height: 13, labelled: false },
      { lane: lanes.comm, offset: 23, height: 10, labelled: false },
    ],
  };
  return { rows: [row], height: kHeight };
}

function paintWindow(context: CanvasRenderingContext2D, scale: TimeScale, view: View, style: Style): void {
  const ratio = scale.devicePixelRatio;
  const left = Math.round(scale.nsToDevice(view.beginNs));
  const right = Math.max(left + Math.round(2 * ratio), Math.round(scale.nsToDevice(view.endNs)));
  const height = Math.round(kHeight * ratio);
  const line = Math.max(1, Math.round(1.5 * ratio));
  context.globalAlpha = 0.6;
  context.fillStyle = style.palette.track;
  context.fillRect(0, 0, left, height);
  context.fillRect(right, 0, context.canvas.width - right, height);
  context.globalAlpha = 1;
  context.strokeStyle = style.palette.ink;
  context.lineWidth = line;
  context.strokeRect(left + line / 2, line / 2, right - left - line, height - line);
  context.fillStyle = style.palette.ink;
  const grip = { width: Math.round(4 * ratio), height: Math.round(12 * ratio) };
  const y = Math.round((height - grip.height) / 2);
  context.fillRect(left - grip.width / 2, y, grip.width, grip.height);
  context.fillRect(right - grip.width / 2, y, grip.width, grip.height);
}

type Grip = 'begin' | 'end' | 'body';

function useOverviewDrag(
  canvasRef: RefObject<HTMLCanvasElement | null>,
  scale: TimeScale,
  limits: Interval,
  view: View,
  onView: (view: View) => void,
) {
  const drag = useRef<{ grip: Grip; fromX: CssPixels; from: View } | undefined>(undefined);
  const xOf = (event: PointerEvent) => event.clientX - (canvasRef.current?.getBoundingClientRect().left ?? 0);
  return {
    onPointerDown: (event: PointerEvent) => {
      const x = xOf(event);
      canvasRef.current?.setPointerCapture(event.pointerId);
      const left = scale.nsToCss(view.beginNs);
      const right = scale.nsToCss(view.endNs);
      let from = view;
      let grip: Grip = 'body';
      if (Math.abs(x - left) <= kGrab && x < (left + right) / 2) grip = 'begin';
      else if (Math.abs(x - right) <= kGrab) grip = 'end';
      else if (x < left || x > right) {
        const middle = scale.cssToNs(x);
        const half = lengthOf(view) / 2;
        from = clampView({ beginNs: middle - half, endNs: middle + half }, limits);
        onView(from);
      }
      drag.current = { grip, fromX: x, from };
    },
    onPointerMove: (event: PointerEvent) => {
      const now = drag.current;
      if (!now) return;
      const byNs = (xOf(event) - now.fromX) / scale.cssPerNs;
      onView(clampView(dragged(now.from, now.grip, byNs), limits));
    },
    onPointerUp: () => (drag.current = undefined),
    onPointerCancel: () => (drag.current = undefined),
  };
}

/** The window with one of its edges, or both, moved. Edges do not pass each other. */
export function dragged(from: View, grip: Grip, byNs: number): View {
  switch (grip) {
    case 'begin':
      return { beginNs: Math.min(from.beginNs + byNs, from.endNs - kMinViewNs), endNs: from.endNs };
    case 'end':
      return { beginNs: from.beginNs, endNs: Math.max(from.endNs + byNs, from.beginNs + kMinViewNs) };
    case 'body':
      return { beginNs: from.beginNs + byNs, endNs: from.endNs + byNs };
  }
}
