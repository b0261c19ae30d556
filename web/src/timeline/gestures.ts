// Pointers and the wheel on the rows and on the ruler -> intents. Positions are CSS pixels in the element.
import type { CssPixels } from '../base/units';

export interface Point {
  readonly x: CssPixels;
  readonly y: CssPixels;
}

export interface GestureHandler {
  readonly onTap: (at: Point) => void;
  /** From the first point to the present one, while the pointer moves. */
  readonly onSelect: (from: Point, to: Point) => void;
  /** Content follows the pointer by this much. */
  readonly onPan: (byX: CssPixels, byY: CssPixels) => void;
  /** `factor` over 1 zooms in, around `atX`. */
  readonly onZoom: (atX: CssPixels, factor: number) => void;
  readonly onHover: (at: Point | undefined) => void;
  /** A point from which a drag should start instead: the far edge of a selection whose near edge was grabbed. */
  readonly anchorFor: (at: Point) => Point | undefined;
}

const kDragFrom: CssPixels = 4;
const kLongPressMs = 450;
const kWheelZoomPerPixel = 1 / 300;

type Mode =
  | { readonly kind: 'idle' }
  | { readonly kind: 'pressed'; readonly at: Point; readonly isPan: boolean }
  | { readonly kind: 'selecting'; readonly from: Point }
  | { readonly kind: 'panning'; last: Point }
  | { readonly kind: 'pinching'; distance: CssPixels; middle: Point };

/** Returns the function that takes the listeners away. `handler` is asked anew for each event. */
export function attachGestures(element: HTMLElement, handler: () => GestureHandler): () => void {
  const pointers = new Map<number, Point>();
  let mode: Mode = { kind: 'idle' };
  let longPress: ReturnType<typeof setTimeout> | undefined;

  const pointOf = (event: MouseEvent): Point => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const cancelLongPress = () => clearTimeout(longPress);

  const onDown = (event: PointerEvent) => {
    if (event.button > 1) return;
    element.setPointerCapture(event.pointerId);
    const at = pointOf(event);
    pointers.set(event.pointerId, at);
    cancelLongPress();
    if (pointers.size === 2) {
      mode = pinchOf([...pointers.values()]);
      return;
    }
    const isTouch = event.pointerType === 'touch';
    mode = { kind: 'pressed', at, isPan: isTouch || event.button === 1 || event.shiftKey };
    if (event.button === 1) event.preventDefault();
    if (isTouch) {
      longPress = setTimeout(() => {
        mode = { kind: 'selecting', from: at };
        handler().onSelect(at, { x: at.x + 1, y: at.y });
      }, kLongPressMs);
    }
  };

  const onMove = (event: PointerEvent) => {
    const at = pointOf(event);
    if (!pointers.has(event.pointerId)) {
      if (event.pointerType !== 'touch') handler().onHover(at);
      return;
    }
    pointers.set(event.pointerId, at);
    if (mode.kind === 'pressed' && Math.hypot(at.x - mode.at.x, at.y - mode.at.y) >= kDragFrom) {
      cancelLongPress();
      mode = mode.isPan
        ? { kind: 'panning', last: mode.at }
        : { kind: 'selecting', from: handler().anchorFor(mode.at) ?? mode.at };
    }
    if (mode.kind === 'selecting') {
      handler().onSelect(mode.from, at);
    } else if (mode.kind === 'panning') {
      handler().onPan(at.x - mode.last.x, at.y - mode.last.y);
      mode.last = at;
    } else if (mode.kind === 'pinching') {
      const next = pinchOf([...pointers.values()]);
      handler().onZoom(next.middle.x, next.distance / mode.distance);
      handler().onPan(next.middle.x - mode.middle.x, next.middle.y - mode.middle.y);
      mode = next;
    }
  };

  const onUp = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId)) return;
    cancelLongPress();
    if (mode.kind === 'pressed' && event.type === 'pointerup') handler().onTap(mode.at);
    const rest = [...pointers.values()][0];
    mode = rest && mode.kind === 'pinching' ? { kind: 'panning', last: rest } : { kind: 'idle' };
  };

  // Ctrl and wheel (a pinch on a trackpad comes as that) zoom; sideways or with shift pans; else the rows scroll.
  const onWheel = (event: WheelEvent) => {
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      handler().onZoom(pointOf(event).x, Math.exp(-event.deltaY * unit * kWheelZoomPerPixel));
      return;
    }
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (Math.abs(sideways) > 0 && (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))) {
      event.preventDefault();
      handler().onPan(-sideways * unit, 0);
    }
  };
  // A long press selects; the system's menu for it would cut the drag short.
  const onMenu = (event: Event) => {
    if (pointers.size) event.preventDefault();
  };
  const onLeave = () => handler().onHover(undefined);

  element.addEventListener('pointerdown', onDown);
  element.addEventListener('pointermove', onMove);
  element.addEventListener('pointerup', onUp);
  element.addEventListener('pointercancel', onUp);
  element.addEventListener('pointerleave', onLeave);
  element.addEventListener('contextmenu', onMenu);
  element.addEventListener('wheel', onWheel, { passive: false });
  return () => {
    cancelLongPress();
    element.removeEventListener('pointerdown', onDown);
    element.removeEventListener('pointermove', onMove);
    element.removeEventListener('pointerup', onUp);
    element.removeEventListener('pointercancel', onUp);
    element.removeEventListener('pointerleave', onLeave);
    element.removeEventListener('contextmenu', onMenu);
    element.removeEventListener('wheel', onWheel);
  };
}

function pinchOf(points: readonly Point[]): { kind: 'pinching'; distance: CssPixels; middle: Point } {
  const [a = { x: 0, y: 0 }, b = a] = points;
  return {
    kind: 'pinching',
    distance: Math.max(8, Math.abs(a.x - b.x)),
    middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 },
  };
}
