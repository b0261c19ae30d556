// Two cursors that measure a distance: set one after the other, a third one begins anew. Near an edge they snap to it.
import type { Ns } from '../base/units';
import { firstEndingAfter, type Lane } from './lanes';
import type { Layout } from './rows';

/** None, the first, or both in the order in which they were set. */
export type Cursors = readonly Ns[];

export function addCursor(cursors: Cursors, at: Ns): Cursors {
  return cursors.length === 1 ? [...cursors, at] : [at];
}

/** Undefined while fewer than two are set. Never negative. */
export function distanceOf(cursors: Cursors): Ns | undefined {
  const [a, b] = cursors;
  return a === undefined || b === undefined ? undefined : Math.abs(b - a);
}

/** The nearest begin or end of a slice on the rows within reach; the moment itself if there is none. */
export function snapToEdge(layout: Layout, at: Ns, reachNs: Ns): Ns {
  let best = at;
  let bestNs = reachNs;
  const offer = (edge: Ns | undefined) => {
    if (edge === undefined || Math.abs(edge - at) > bestNs) return;
    best = edge;
    bestNs = Math.abs(edge - at);
  };
  for (const row of layout.rows) {
    for (const { lane } of row.lanes) offerEdges(lane, at, offer);
  }
  return Math.round(best);
}

// Only the slice over the moment and its neighbours can have the nearest edge of a lane.
function offerEdges(lane: Lane, at: Ns, offer: (edge: Ns | undefined) => void): void {
  const index = firstEndingAfter(lane, at);
  offer(lane.endNs[index - 1]);
  if (index < lane.count) {
    offer(lane.startNs[index]);
    offer(lane.endNs[index]);
  }
}
