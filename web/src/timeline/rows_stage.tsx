// Rows on a canvas with their labels beside them. The viewer has one for its rows and, above it, one for the pinned ones.
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CssPixels } from '../base/units';
import type { Change, ViewerState } from './actions';
import { buildDrawList, type DrawList } from './draw_list';
import { attachGestures } from './gestures';
import { paintOverlay, type OverlayInput } from './overlay';
import { paintRows, type Style } from './paint';
import { RowLabels } from './row_labels';
import type { Layout } from './rows';
import { rowGestures } from './stage_gestures';
import type { Tick } from './ruler';
import { prepareCanvas, useSize } from './use_canvas';

export interface RowsStageProps {
  readonly layout: Layout;
  readonly style: Style | undefined;
  readonly ratio: number;
  readonly ticks: readonly Tick[];
  readonly overlay: Omit<OverlayInput, 'layout' | 'scrollTop' | 'height'>;
  readonly showNames: boolean;
  /** What the picture shows, for those who do not see it. */
  readonly summary: string;
  /** As high as its rows; else as high as there is room, and scrolled. */
  readonly isFixed: boolean;
  readonly class: string;
  readonly scrollRef: RefObject<HTMLDivElement | null>;
  readonly stageRef: RefObject<HTMLDivElement | null>;

  readonly stateOf: () => ViewerState;
  readonly cursorX: { current: CssPixels | undefined };
  readonly apply: (change: Change) => void;
  readonly focusedRow: string | undefined;
  readonly onFocusRow: (id: string) => void;
  readonly onToggleRank: (rank: number) => void;
  readonly onUnfold: (ids: readonly string[], isOpen: boolean) => void;
  readonly isPhone: boolean;
  /** Ids of pinned rows, and the wish to pin or let go; without it rows have no pin. */
  readonly pinned: ReadonlySet<string>;
  readonly onPin?: ((id: string) => void) | undefined;
}

export function RowsStage(props: RowsStageProps) {
  const { layout, style, ratio, overlay, isFixed, scrollRef, stageRef } = props;
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const listRef = useRef<DrawList | undefined>(undefined);
  const [scrollTop, setScrollTop] = useState<CssPixels>(0);
  const port = useSize(scrollRef);
  const height = isFixed ? layout.height : port.height;

  // The rows are drawn on every render: a frame costs a few milliseconds and nothing can be stale.
  useLayoutEffect(() => {
    const { scale } = overlay;
    const context = prepareCanvas(canvasRef.current, { width: scale.widthCss, height }, ratio);
    if (!context || !style) return;
    const viewport = {
      scale,
      scrollTop,
      height,
      charWidth: style.labelCharWidth / ratio,
      showNames: props.showNames,
    };
    const list = buildDrawList(layout, viewport, listRef.current);
    listRef.current = list;
    const grid = props.ticks.map((tick) => tick.at);
    paintRows(context, list, layout, scrollTop, grid, style);
    paintOverlay(context, { ...overlay, layout, scrollTop, height }, style);
  });

  // Listeners outlive renders; they read what is current through here.
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas) return undefined;
    return attachGestures(canvas, () => {
      const { stateOf, layout: rows, cursorX, apply, onFocusRow, onToggleRank } = latest.current;
      return rowGestures({
        state: { ...stateOf(), layout: rows },
        scroll: scrollRef.current,
        list: listRef.current,
        cursorX,
        apply,
        onFocusRow,
        onToggleRank,
      });
    });
  }, []);

  return (
    <div
      ref={scrollRef}
      class={`tl-rows ${props.class}`}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      {...(isFixed ? { style: { height: `${layout.height}px` } } : {})}
    >
      <div class="tl-content" style={{ height: `${Math.max(layout.height, isFixed ? 0 : height)}px` }}>
        <RowLabels
          layout={layout}
          focusedRow={props.focusedRow}
          onFocusRow={props.onFocusRow}
          onToggleRank={props.onToggleRank}
          onUnfold={props.onUnfold}
          isPhone={props.isPhone}
          pinned={props.pinned}
          onPin={props.onPin}
        />
        <div ref={stageRef} class="tl-stage">
          <canvas ref={canvasRef} class="tl-canvas" role="img" aria-label={props.summary} />
        </div>
      </div>
    </div>
  );
}
