// The one converter between trace time, CSS pixels and device pixels, and the arithmetic of windows.
import { lengthOf, type CssPixels, type DevicePixels, type Interval, type Ns } from '../base/units';
import type { View } from './types';

/** Maps a window of trace time onto a width. x = 0 is the window's begin. Immutable. */
export class TimeScale {
  readonly cssPerNs: number;
  readonly devicePerNs: number;

  /** `devicePixelRatio` is device pixels per CSS pixel. An empty width or window gives a scale of 1 px per ns. */
  constructor(
    readonly view: View,
    readonly widthCss: CssPixels,
    readonly devicePixelRatio: number,
  ) {
    const span = lengthOf(view);
    this.cssPerNs = span > 0 && widthCss > 0 ? widthCss / span : 1;
    this.devicePerNs = this.cssPerNs * devicePixelRatio;
  }

  nsToCss(at: Ns): CssPixels {
    return (at - this.view.beginNs) * this.cssPerNs;
  }

  cssToNs(x: CssPixels): Ns {
    return this.view.beginNs + x / this.cssPerNs;
  }

  nsToDevice(at: Ns): DevicePixels {
    return (at - this.view.beginNs) * this.devicePerNs;
  }

  deviceToNs(x: DevicePixels): Ns {
    return this.view.beginNs + x / this.devicePerNs;
  }
}

/** The shortest window that the viewer zooms into. */
export const kMinViewNs: Ns = 200;

/** The window moved and shortened so that it lies in `limits`. Keeps its length if that fits. */
export function clampView(view: View, limits: Interval): View {
  const most = Math.max(lengthOf(limits), kMinViewNs);
  const span = Math.min(Math.max(lengthOf(view), kMinViewNs), most);
  const beginNs = Math.min(Math.max(view.beginNs, limits.beginNs), limits.beginNs + most - span);
  return { beginNs, endNs: beginNs + span };
}

/** Zooms by `factor` (over 1: closer) and keeps the moment `aroundNs` where it is on screen. */
export function zoomView(view: View, aroundNs: Ns, factor: number, limits: Interval): View {
  const most = Math.max(lengthOf(limits), kMinViewNs);
  const span = Math.min(Math.max(lengthOf(view) / factor, kMinViewNs), most);
  const share = (aroundNs - view.beginNs) / lengthOf(view);
  const beginNs = aroundNs - share * span;
  return clampView({ beginNs, endNs: beginNs + span }, limits);
}

export function panView(view: View, byNs: Ns, limits: Interval): View {
  return clampView({ beginNs: view.beginNs + byNs, endNs: view.endNs + byNs }, limits);
}

/** The window that shows `interval` in its middle, with a margin of a tenth on each side. */
export function fitView(interval: Interval, limits: Interval): View {
  const half = Math.max(lengthOf(interval) * 1.2, kMinViewNs) / 2;
  const middle = (interval.beginNs + interval.endNs) / 2;
  return clampView({ beginNs: middle - half, endNs: middle + half }, limits);
}

/** The same window if it shows `interval` or a part of it that is large enough; else moved to it, not zoomed. */
export function reveal(view: View, interval: Interval, limits: Interval): View {
  if (interval.beginNs >= view.beginNs && interval.endNs <= view.endNs) return view;
  if (lengthOf(interval) >= lengthOf(view)) {
    const overlap = Math.min(interval.endNs, view.endNs) - Math.max(interval.beginNs, view.beginNs);
    return overlap * 2 > lengthOf(view) ? view : fitView(interval, limits);
  }
  const middle = (interval.beginNs + interval.endNs) / 2;
  const half = lengthOf(view) / 2;
  return clampView({ beginNs: middle - half, endNs: middle + half }, limits);
}

/** A little room around the trace, so that its first and last slices do not stick to the edge. */
export function limitsOf(extent: Interval): Interval {
  const margin = Math.max(lengthOf(extent) * 0.02, 1000);
  return { beginNs: extent.beginNs - margin, endNs: extent.endNs + margin };
}
