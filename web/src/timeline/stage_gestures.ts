// What the pointer does on the rows and on the ruler: intents of gestures.ts -> changes of the viewer's state.
import type { CssPixels } from '../base/units';
import type { Change, ViewerState } from './actions';
import type { DrawList } from './draw_list';
import type { GestureHandler, Point } from './gestures';
import { hitTest } from './hit_test';
import { refOfRow, rowAt, type Layout } from './rows';
import { panView, zoomView } from './time_scale';
import type { RowRef, Selection } from './types';

const kEdgeGrab: CssPixels = 5;

export interface RowGestureHost {
  readonly state: ViewerState;
  readonly scroll: HTMLElement | null;
  readonly list: DrawList | undefined;
  readonly cursorX: { current: CssPixels | undefined };
  readonly apply: (change: Change) => void;
  readonly onFocusRow: (id: string) => void;
  readonly onToggleRank: (rank: number) => void;
}

export function rowGestures(host: RowGestureHost): GestureHandler {
  const { state } = host;
  const scrollTop = () => host.scroll?.scrollTop ?? 0;
  return {
    ...timeGestures(state, host.cursorX, host.apply),
    onTap: (at) => {
      const row = rowAt(state.layout, at.y + scrollTop());
      if (row?.kind === 'header') {
        host.onToggleRank(row.rank.rank);
        return;
      }
      if (row) host.onFocusRow(row.id);
      const hit = host.list && hitTest(host.list, at.x, at.y);
      if (hit) host.apply({ picked: hit });
      else if (state.picked) host.apply({ picked: undefined });
      else host.apply({ selection: undefined });
    },
    onSelect: (from, to) => {
      const rows = rowsBetween(state.layout, from.y + scrollTop(), to.y + scrollTop());
      host.apply({ selection: selectionBetween(state, from, to, rows) });
    },
    onPan: (byX, byY) => {
      host.apply({ view: panView(state.scale.view, -byX / state.scale.cssPerNs, state.limits) });
      if (host.scroll) host.scroll.scrollTop -= byY;
    },
    anchorFor: (at) => anchorFor(state, at),
  };
}

export function rulerGestures(
  state: ViewerState,
  cursorX: { current: CssPixels | undefined },
  apply: (change: Change) => void,
): GestureHandler {
  return {
    ...timeGestures(state, cursorX, apply),
    onTap: () => apply({ selection: undefined }),
    onSelect: (from, to) => apply({ selection: selectionBetween(state, from, to, []) }),
    anchorFor: (at) => anchorFor(state, at),
  };
}

function timeGestures(
  state: ViewerState,
  cursorX: { current: CssPixels | undefined },
  apply: (change: Change) => void,
): Pick<GestureHandler, 'onPan' | 'onZoom' | 'onHover'> {
  return {
    onPan: (byX) => apply({ view: panView(state.scale.view, -byX / state.scale.cssPerNs, state.limits) }),
    onZoom: (atX, factor) =>
      apply({ view: zoomView(state.scale.view, state.scale.cssToNs(atX), factor, state.limits) }),
    onHover: (at) => {
      cursorX.current = at?.x;
    },
  };
}

function selectionBetween(state: ViewerState, from: Point, to: Point, rows: readonly RowRef[]): Selection {
  const { scale } = state;
  const clip = (x: CssPixels) => Math.round(scale.cssToNs(Math.min(Math.max(x, 0), scale.widthCss)));
  const [a, b] = [clip(from.x), clip(to.x)];
  return { beginNs: Math.min(a, b), endNs: Math.max(a, b), rows };
}

/** Rows with slices that a drag crossed, each once. */
function rowsBetween(layout: Layout, y1: CssPixels, y2: CssPixels): RowRef[] {
  const [top, bottom] = [Math.min(y1, y2), Math.max(y1, y2)];
  return layout.rows
    .filter((row) => row.kind !== 'header' && row.top <= bottom && row.top + row.height > top)
    .map(refOfRow);
}

/** Grabbing an edge of the selection keeps the other one where it is. */
function anchorFor(state: ViewerState, at: Point): Point | undefined {
  if (!state.selection) return undefined;
  const left = state.scale.nsToCss(state.selection.beginNs);
  const right = state.scale.nsToCss(state.selection.endNs);
  if (Math.abs(at.x - left) <= kEdgeGrab) return { x: right, y: at.y };
  if (Math.abs(at.x - right) <= kEdgeGrab) return { x: left, y: at.y };
  return undefined;
}
