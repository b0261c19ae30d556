import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatDuration } from '../base/format';
import { lengthOf, type CssPixels } from '../base/units';
import { rankOf, type SliceRef } from '../client/trace_model';
import { applyAction, goTo, type Change, type ViewerState } from './actions';
import { describeSlice, describeWindow } from './describe';
import { buildDrawList, type DrawList } from './draw_list';
import { FindBox } from './find_box';
import { attachGestures, type GestureHandler, type Point } from './gestures';
import { hitTest } from './hit_test';
import { Legend } from './legend';
import { laneOfSlice } from './navigate';
import { Overview } from './overview';
import { paintOverlay } from './overlay';
import { paintRows } from './paint';
import { RowLabels } from './row_labels';
import { foldOver, layoutRows, refOfRow, rowAt, type Layout } from './rows';
import { Ruler } from './ruler_bar';
import { ticksOf, type Tick } from './ruler';
import { limitsOf, panView, TimeScale, zoomView } from './time_scale';
import { TimelineTable } from './timeline_table';
import type { RowRef, Selection, TimelineViewProps } from './types';
import { prepareCanvas, useDevicePixelRatio, useMedia, useSize, useStyle } from './use_canvas';
import { useKeys } from './use_keys';

const kTicksApart: CssPixels = 90;
const kTicksApartPhone: CssPixels = 60;
const kEdgeGrab: CssPixels = 5;
const kBracketCharCss: CssPixels = 7;

export function TimelineView(props: TimelineViewProps) {
  const { trace, view, compact = false } = props;
  const originNs = props.originNs ?? trace.extent.beginNs;
  const rootRef = useRef<HTMLDivElement>(null);
  const scrollRef = useRef<HTMLDivElement>(null);
  const stageRef = useRef<HTMLDivElement>(null);
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const rulerRef = useRef<HTMLDivElement>(null);
  const findRef = useRef<HTMLInputElement>(null);
  const tableId = useId();

  const ratio = useDevicePixelRatio();
  const isPhone = useMedia('(max-width: 699px)');
  const style = useStyle(ratio, props.theme);
  const stage = useSize(stageRef);
  const port = useSize(scrollRef);
  const [scrollTop, setScrollTop] = useState<CssPixels>(0);
  const [focusedRow, setFocusedRow] = useState<string | undefined>(undefined);
  const [isTable, setIsTable] = useState(false);
  const [spoken, setSpoken] = useState('');
  const cursorX = useRef<CssPixels | undefined>(undefined);
  const listRef = useRef<DrawList | undefined>(undefined);

  const layout = useMemo(
    () =>
      layoutRows(trace, {
        openRanks: props.openRanks,
        rankTitles: props.rankTitles,
        onlyRows: props.onlyRows,
        unfolded: props.unfolded,
        isPhone,
        compact,
      }),
    [trace, props.openRanks, props.rankTitles, props.onlyRows, props.unfolded, isPhone, compact],
  );
  const limits = useMemo(() => limitsOf(trace.extent), [trace]);
  const scale = useMemo(() => new TimeScale(view, stage.width, ratio), [view, stage.width, ratio]);
  const ticks = useMemo(
    () => ticksOf(scale, originNs, isPhone ? kTicksApartPhone : kTicksApart),
    [scale, originNs, isPhone],
  );

  const state: ViewerState = {
    trace,
    layout,
    scale,
    limits,
    selection: props.selection,
    picked: props.picked,
    focusedRow,
    cursorX: cursorX.current,
  };
  // Listeners outlive renders; they read what is current through here.
  const now = useRef({ props, state });
  now.current = { props, state };

  const apply = useCallback((change: Change) => {
    const { props: current, state: before } = now.current;
    now.current = { props: current, state: changed(before, change) };
    if (change.view) current.onView(change.view);
    if ('selection' in change) current.onSelection?.(change.selection);
    if ('picked' in change) {
      current.onPick?.(change.picked);
      if (change.picked) {
        const origin = current.originNs ?? current.trace.extent.beginNs;
        setSpoken(describeSlice(current.trace, change.picked, origin));
      }
    }
    if (change.say) setSpoken(change.say);
  }, []);

  // A slice that is gone to is seen: the row that hides it unfolds, and is scrolled to once it is laid out.
  const wanted = useRef<SliceRef | undefined>(undefined);
  const show = useCallback((ref: SliceRef) => {
    const { props: current, state: before } = now.current;
    const rank = rankOf(before.trace, ref.rank);
    const hiding = rank && foldOver(before.layout, rank, ref.slice);
    if (hiding) {
      wanted.current = ref;
      current.onUnfold?.([hiding.id], true);
    } else {
      scrollToSlice(scrollRef.current, before, ref);
    }
  }, []);
  useLayoutEffect(() => {
    if (wanted.current) scrollToSlice(scrollRef.current, now.current.state, wanted.current);
    wanted.current = undefined;
  }, [layout]);

  const go = useCallback(
    (ref: SliceRef) => {
      apply(goTo(now.current.state, ref));
      show(ref);
    },
    [apply, show],
  );

  const unfold = useCallback((ids: readonly string[], isOpen: boolean) => {
    now.current.props.onUnfold?.(ids, isOpen);
  }, []);

  useKeys(rootRef, compact, {
    onAction: (action, amount) => {
      if (action === 'find') {
        findRef.current?.focus();
        return;
      }
      if (action === 'unfold') {
        const foldable = layout.rows.filter((row) => row.fold);
        const isOpen = foldable.some((row) => !row.fold?.isOpen);
        unfold(
          foldable.map((row) => row.id),
          isOpen,
        );
        if (foldable.length) setSpoken(isOpen ? 'Host rows unfolded' : 'Host rows folded');
        return;
      }
      const change = applyAction({ ...now.current.state, cursorX: cursorX.current }, action, amount);
      apply(change);
      if (change.picked) show(change.picked);
    },
  });

  // The rows are drawn on every render: a frame costs a few milliseconds and nothing can be stale.
  const height = port.height;
  useLayoutEffect(() => {
    const context = prepareCanvas(canvasRef.current, { width: stage.width, height }, ratio);
    if (!context || !style) return;
    const viewport = { scale, scrollTop, height, charWidth: style.labelCharWidth / ratio };
    const list = buildDrawList(layout, viewport, listRef.current);
    listRef.current = list;
    paintRows(
      context,
      list,
      layout,
      scrollTop,
      ticks.map((tick) => tick.at),
      style,
    );
    paintOverlay(
      context,
      {
        trace,
        layout,
        scale,
        scrollTop,
        height,
        selection: props.selection,
        picked: props.picked,
        highlights: props.highlights ?? [],
        place: props.place,
      },
      style,
    );
  });

  useEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas) return undefined;
    return attachGestures(canvas, () =>
      rowGestures(now.current, { scrollRef, listRef, cursorX, apply, setFocusedRow }),
    );
  }, [apply]);
  useEffect(() => {
    const ruler = rulerRef.current;
    if (!ruler) return undefined;
    return attachGestures(ruler, () => rulerGestures(now.current, cursorX, apply));
  }, [apply]);

  const summary = describeWindow(layout, view, originNs);
  return (
    <div
      ref={rootRef}
      class={`tl${compact ? ' tl-compact' : ''}`}
      role="group"
      aria-label={props.label ?? 'Timeline'}
    >
      {!compact && (
        <div class="tl-bar">
          <Legend style={style} ratio={ratio} />
          <FindBox
            trace={trace}
            openRanks={props.openRanks}
            view={view}
            picked={props.picked}
            onGo={go}
            inputRef={findRef}
          />
          <button
            type="button"
            class="tl-button"
            aria-pressed={isTable}
            aria-controls={isTable ? tableId : undefined}
            onClick={() => setIsTable(!isTable)}
          >
            Table
          </button>
          {props.actions}
        </div>
      )}
      {!compact && (
        <div class="tl-overview">
          <div class="tl-side">{stepsText(props.steps?.length)}</div>
          <Overview
            rank={trace.ranks.find((rank) => props.openRanks.has(rank.rank)) ?? trace.ranks[0]}
            limits={limits}
            view={view}
            onView={props.onView}
            style={style}
            ratio={ratio}
          />
        </div>
      )}
      <div class="tl-ruler">
        <div class="tl-side">{rulerTitle(isPhone, props.originNs !== undefined, ticks)}</div>
        <Ruler hostRef={rulerRef} scale={scale} ticks={ticks} selection={props.selection} />
      </div>
      <div
        ref={scrollRef}
        class="tl-rows"
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
        {...(compact ? { style: { height: `${layout.height}px` } } : {})}
      >
        <div class="tl-content" style={{ height: `${Math.max(layout.height, compact ? 0 : height)}px` }}>
          <RowLabels
            layout={layout}
            focusedRow={focusedRow}
            onFocusRow={setFocusedRow}
            onToggleRank={props.onToggleRank}
            onUnfold={unfold}
            isPhone={isPhone}
          />
          <div ref={stageRef} class="tl-stage">
            <canvas ref={canvasRef} class="tl-canvas" role="img" aria-label={summary} />
          </div>
        </div>
      </div>
      {props.brackets && <Brackets scale={scale} brackets={props.brackets} />}
      {isTable && (
        <div id={tableId} class="tl-table-host">
          <TimelineTable
            trace={trace}
            layout={layout}
            view={view}
            originNs={originNs}
            picked={props.picked}
            onPick={go}
          />
        </div>
      )}
      <div class="tl-live" role="status" aria-live="polite">
        {spoken}
      </div>
    </div>
  );
}

/** Several events may come before the next render; each must build on the one before. */
function changed(state: ViewerState, change: Change): ViewerState {
  const { scale } = state;
  return {
    ...state,
    ...(change.view ? { scale: new TimeScale(change.view, scale.widthCss, scale.devicePixelRatio) } : {}),
    ...('selection' in change ? { selection: change.selection } : {}),
    ...('picked' in change ? { picked: change.picked } : {}),
  };
}

function stepsText(count: number | undefined): string {
  if (count === undefined) return 'whole trace';
  return count === 1 ? '1 step' : `${count} steps`;
}

/** What the ruler counts from; a phone has room for the unit alone. */
function rulerTitle(isPhone: boolean, isFromStep: boolean, ticks: readonly Tick[]): string {
  if (isPhone) return ticks[0]?.label.split(' ')[1] ?? '';
  return isFromStep ? 'from step start' : 'from start';
}

function Brackets({
  scale,
  brackets,
}: {
  readonly scale: TimeScale;
  readonly brackets: TimelineViewProps['brackets'];
}) {
  return (
    <div class="tl-brackets">
      {brackets?.map((bracket) => {
        const left = scale.nsToCss(bracket.beginNs);
        const width = scale.nsToCss(bracket.endNs) - left;
        return (
          <div
            key={bracket.label}
            class={`tl-bracket${width < bracket.label.length * kBracketCharCss + 12 ? ' tl-bracket-narrow' : ''}`}
            style={{ left: `${left}px`, width: `${width}px` }}
            title={`${bracket.label}: ${formatDuration(lengthOf(bracket))}`}
          >
            <span>{bracket.label}</span>
          </div>
        );
      })}
    </div>
  );
}

function scrollToSlice(scroll: HTMLElement | null, state: ViewerState, ref: SliceRef): void {
  const row = laneOfSlice(state.trace, state.layout, ref)?.row;
  if (!scroll || !row) return;
  if (row.top < scroll.scrollTop) scroll.scrollTop = row.top;
  else if (row.top + row.height > scroll.scrollTop + scroll.clientHeight) {
    scroll.scrollTop = row.top + row.height - scroll.clientHeight;
  }
}

interface Current {
  readonly props: TimelineViewProps;
  readonly state: ViewerState;
}

interface RowGestureHost {
  readonly scrollRef: { readonly current: HTMLElement | null };
  readonly listRef: { readonly current: DrawList | undefined };
  readonly cursorX: { current: CssPixels | undefined };
  readonly apply: (change: Change) => void;
  readonly setFocusedRow: (id: string) => void;
}

function rowGestures({ props, state }: Current, host: RowGestureHost): GestureHandler {
  const scrollTop = () => host.scrollRef.current?.scrollTop ?? 0;
  return {
    ...timeGestures(state, host.cursorX, host.apply),
    onTap: (at) => {
      const row = rowAt(state.layout, at.y + scrollTop());
      if (row?.kind === 'header') {
        props.onToggleRank(row.rank.rank);
        return;
      }
      if (row) host.setFocusedRow(row.id);
      const hit = host.listRef.current && hitTest(host.listRef.current, at.x, at.y);
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
      if (host.scrollRef.current) host.scrollRef.current.scrollTop -= byY;
    },
    anchorFor: (at) => anchorFor(state, at),
  };
}

function rulerGestures(
  { state }: Current,
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
