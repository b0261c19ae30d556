import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatDuration } from '../base/format';
import { lengthOf, type CssPixels } from '../base/units';
import { rankOf, type SliceRef } from '../client/trace_model';
import { applyAction, currentRow, goTo, type Change, type ViewerState } from './actions';
import { describeSlice, describeWindow } from './describe';
import { addCursor, distanceOf, snapToEdge, type Cursors } from './cursors';
import { FindBox } from './find_box';
import { attachGestures } from './gestures';
import { Legend } from './legend';
import { laneOfSlice } from './navigate';
import { Overview } from './overview';
import { RowsStage } from './rows_stage';
import { foldOver, layoutRows, pinnedRows } from './rows';
import { Ruler } from './ruler_bar';
import { ticksOf, type Tick } from './ruler';
import { rulerGestures } from './stage_gestures';
import { limitsOf, TimeScale } from './time_scale';
import { TimelineTable } from './timeline_table';
import type { TimelineViewProps } from './types';
import { useDevicePixelRatio, useMedia, useSize, useStyle } from './use_canvas';
import { useKeys } from './use_keys';

const kTicksApart: CssPixels = 90;
const kTicksApartPhone: CssPixels = 60;
/** A cursor snaps to an edge that is so near. */
const kSnapCss: CssPixels = 6;
const kBracketCharCss: CssPixels = 7;

export function TimelineView(props: TimelineViewProps) {
  const { trace, view, compact = false } = props;
  const originNs = props.originNs ?? trace.extent.beginNs;
  const rootRef = useRef<HTMLDivElement>(null);
  const scrollRef = useRef<HTMLDivElement>(null);
  const stageRef = useRef<HTMLDivElement>(null);
  const pinnedScrollRef = useRef<HTMLDivElement>(null);
  const pinnedStageRef = useRef<HTMLDivElement>(null);
  const rulerRef = useRef<HTMLDivElement>(null);
  const findRef = useRef<HTMLInputElement>(null);
  const tableId = useId();

  const ratio = useDevicePixelRatio();
  const isPhone = useMedia('(max-width: 699px)');
  const style = useStyle(ratio, props.theme);
  const stage = useSize(stageRef);
  const [focusedRow, setFocusedRow] = useState<string | undefined>(undefined);
  const [isTable, setIsTable] = useState(false);
  const [spoken, setSpoken] = useState('');
  const cursorX = useRef<CssPixels | undefined>(undefined);
  const [pinned, setPinned] = useState<ReadonlySet<string>>(new Set());
  const [cursors, setCursors] = useState<Cursors>([]);
  const showNames = props.showNames ?? true;

  const layout = useMemo(
    () =>
      layoutRows(trace, {
        openRanks: props.openRanks,
        rankTitles: props.rankTitles,
        onlyRows: props.onlyRows,
        unfolded: props.unfolded,
        isPhone,
        compact,
        showNames,
      }),
    [trace, props.openRanks, props.rankTitles, props.onlyRows, props.unfolded, isPhone, compact, showNames],
  );
  const pinnedLayout = useMemo(
    () => pinnedRows(trace, pinned, { unfolded: props.unfolded, isPhone, showNames }),
    [trace, pinned, props.unfolded, isPhone, showNames],
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
        setSpoken(describeSlice(current.trace, change.picked, origin, current.showNames ?? true));
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

  const pin = useCallback((id: string) => {
    if (!/\/(thread|loader|api|stream)\b/.test(id)) return; // a rank's own row has rows to pin
    setPinned((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      setSpoken(next.has(id) ? 'Row pinned' : 'Row let go');
      return next;
    });
  }, []);
  const setCursor = (latest: ViewerState) => {
    const at = latest.scale.cssToNs(latest.cursorX ?? latest.scale.widthCss / 2);
    const snapped = snapToEdge(latest.layout, at, kSnapCss / latest.scale.cssPerNs);
    const next = addCursor(cursors, snapped);
    setCursors(next);
    const distance = distanceOf(next);
    setSpoken(distance === undefined ? 'First cursor set' : `Cursors ${formatDuration(distance)} apart`);
  };

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
      const latest = { ...now.current.state, cursorX: cursorX.current };
      if (action === 'pin') {
        const row = currentRow(latest);
        if (row) pin(row.id);
        return;
      }
      if (action === 'cursor') {
        setCursor(latest);
        return;
      }
      if (action === 'clear' && !latest.selection && !latest.picked) setCursors([]);
      const change = applyAction(latest, action, amount);
      apply(change);
      if (change.picked) show(change.picked);
    },
  });

  useEffect(() => {
    const ruler = rulerRef.current;
    if (!ruler) return undefined;
    return attachGestures(ruler, () => rulerGestures(now.current.state, cursorX, apply));
  }, [apply]);

  const overlay = {
    trace,
    scale,
    selection: props.selection,
    picked: props.picked,
    highlights: props.highlights ?? [],
    place: props.place,
    cursors,
  };
  const stageProps = {
    style,
    ratio,
    ticks,
    showNames,
    stateOf: () => now.current.state,
    cursorX,
    apply,
    focusedRow,
    onFocusRow: setFocusedRow,
    onToggleRank: props.onToggleRank,
    onUnfold: unfold,
    isPhone,
    pinned,
    onPin: compact ? undefined : pin,
  };
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
          {showNames && (
            <>
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
            </>
          )}
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
      {pinnedLayout.rows.length > 0 && (
        <RowsStage
          {...stageProps}
          layout={pinnedLayout}
          overlay={overlay}
          summary={`Pinned: ${pinnedLayout.rows.map((row) => `${row.label} ${row.note}`).join(', ')}`}
          isFixed
          class="tl-pinned"
          scrollRef={pinnedScrollRef}
          stageRef={pinnedStageRef}
        />
      )}
      <RowsStage
        {...stageProps}
        layout={layout}
        overlay={{ ...overlay, showDistance: true }}
        summary={summary}
        isFixed={compact}
        class=""
        scrollRef={scrollRef}
        stageRef={stageRef}
      />
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
