// What each key does, as a function from the present state to the changes asked for.
import { formatDuration } from '../base/format';
import { lengthOf, type CssPixels, type Interval, type Ns } from '../base/units';
import { endOf, rankOf, startOf, type SliceRef, type TraceModel } from '../client/trace_model';
import type { KeyAction } from './keys';
import { firstOnRow, laneOfSlice, neighbour, nextGap } from './navigate';
import { flowPartner } from './overlay';
import { refOfRow, type Layout, type Row } from './rows';
import { fitView, panView, reveal, zoomView, type TimeScale } from './time_scale';
import type { Selection, View } from './types';

export interface ViewerState {
  readonly trace: TraceModel;
  readonly layout: Layout;
  readonly scale: TimeScale;
  readonly limits: Interval;
  readonly selection: Selection | undefined;
  readonly picked: SliceRef | undefined;
  /** The row that has the focus, or the last one that was clicked. */
  readonly focusedRow: string | undefined;
  /** Where the pointer is; zooming keeps that moment in place. */
  readonly cursorX: CssPixels | undefined;
}

/** Absent: unchanged. `undefined` in `selection` and `picked` means cleared. */
export interface Change {
  readonly view?: View;
  readonly selection?: Selection | undefined;
  readonly picked?: SliceRef | undefined;
  /** For the live region. */
  readonly say?: string;
}

/** A tap of W, S, A or D; held keys repeat a part of it each frame. */
const kZoomTap = 1.25;
const kPanTap = 0.12;
/** A gap must be wide enough to be seen at the present zoom. */
const kLeastGapCss: CssPixels = 4;

export function applyAction(state: ViewerState, action: KeyAction, amount = 1): Change {
  const { view } = state.scale;
  switch (action) {
    case 'zoom_in':
    case 'zoom_out': {
      const at = state.scale.cssToNs(state.cursorX ?? state.scale.widthCss / 2);
      const factor = kZoomTap ** (action === 'zoom_in' ? amount : -amount);
      return { view: zoomView(view, at, factor, state.limits) };
    }
    case 'pan_left':
    case 'pan_right': {
      const sign = action === 'pan_right' ? 1 : -1;
      return { view: panView(view, sign * amount * kPanTap * lengthOf(view), state.limits) };
    }
    case 'mark':
      return state.picked ? { selection: selectionOf(state, state.picked) } : {};
    case 'fit': {
      const interval = state.selection ?? (state.picked && intervalOf(state.trace, state.picked));
      return interval ? { view: fitView(interval, state.limits) } : {};
    }
    case 'previous':
      return step(state, -1);
    case 'next':
      return step(state, 1);
    case 'flow_back':
    case 'flow_on':
      return followFlow(state, action);
    case 'next_gap':
      return gap(state);
    case 'clear':
      if (state.selection) return { selection: undefined };
      return state.picked ? { picked: undefined } : {};
    case 'unfold':
    case 'find':
    case 'pin':
    case 'cursor':
      return {}; // the view's own: rows and the search field are not part of this state
  }
}

/** Picks a slice and brings it into the window. */
export function goTo(state: ViewerState, ref: SliceRef): Change {
  const interval = intervalOf(state.trace, ref);
  return interval ? { picked: ref, view: reveal(state.scale.view, interval, state.limits) } : {};
}

/** The row that keys act on: the focused one, the picked slice's, or the first compute stream. */
export function currentRow(state: ViewerState): Row | undefined {
  const focused = state.layout.rows.find((row) => row.id === state.focusedRow);
  if (focused) return focused;
  const picked = state.picked && laneOfSlice(state.trace, state.layout, state.picked)?.row;
  return picked ?? firstStream(state.layout);
}

function firstStream(layout: Layout): Row | undefined {
  return layout.rows.find((row) => row.kind === 'stream') ?? layout.rows.find((row) => row.lanes.length > 0);
}

function intervalOf(trace: TraceModel, ref: SliceRef): Interval | undefined {
  const rank = rankOf(trace, ref.rank);
  return rank && { beginNs: startOf(rank, ref.slice), endNs: endOf(rank, ref.slice) };
}

function selectionOf(state: ViewerState, ref: SliceRef): Selection | undefined {
  const rank = rankOf(state.trace, ref.rank);
  const interval = intervalOf(state.trace, ref);
  return rank && interval && { ...interval, rows: [{ rank: ref.rank, track: rank.track[ref.slice] ?? 0 }] };
}

function step(state: ViewerState, by: 1 | -1): Change {
  if (!state.picked) {
    const row = currentRow(state);
    const first = row && firstOnRow(row, state.scale.view);
    return first ? goTo(state, first) : {};
  }
  const next = neighbour(state.trace, state.layout, state.picked, by);
  return next ? goTo(state, next) : { say: by > 0 ? 'Last slice of the row' : 'First slice of the row' };
}

function followFlow(state: ViewerState, action: 'flow_back' | 'flow_on'): Change {
  const partner = state.picked && flowPartner(state.trace, state.picked);
  if (!partner || partner.isLaunch !== (action === 'flow_back')) return { say: 'No flow in this direction' };
  return goTo(state, partner.other);
}

function gap(state: ViewerState): Change {
  const focused = currentRow(state);
  const row =
    focused?.kind === 'stream' || focused?.kind === 'collapsed' ? focused : firstStream(state.layout);
  if (!row) return {};
  const { view } = state.scale;
  const least: Ns = kLeastGapCss / state.scale.cssPerNs;
  const isHere =
    state.selection && state.selection.endNs > view.beginNs && state.selection.endNs < view.endNs;
  const found = nextGap(row, isHere && state.selection ? state.selection.endNs : view.beginNs, least);
  if (!found) return { say: 'No further gap on this row that is wide enough to see' };
  return {
    selection: { ...found, rows: [refOfRow(row)] },
    view: reveal(view, found, state.limits),
    say: `Gap of ${formatDuration(lengthOf(found))}`,
  };
}
