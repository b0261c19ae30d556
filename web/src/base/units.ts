// The three spaces that a timeline number can live in. They are all plain numbers; a signature says which one is meant,
// and timeline/time_scale.ts alone converts between them.

/** Nanoseconds from the trace's start on the job's common clock. Integers stay exact up to 104 days. */
export type Ns = number;

/** CSS pixels: what the layout, pointer events and style sheets use. */
export type CssPixels = number;

/** Device pixels: what the canvas is made of. CSS pixels times `devicePixelRatio`. */
export type DevicePixels = number;

/** Half-open interval of trace time. */
export interface Interval {
  readonly beginNs: Ns;
  readonly endNs: Ns;
}

export function lengthOf(interval: Interval): Ns {
  return interval.endNs - interval.beginNs;
}
