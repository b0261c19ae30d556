// What lies under a point, from the same draw list that was painted.
import type { CssPixels } from '../base/units';
import type { SliceRef } from '../client/trace_model';
import { kFoldBelowDevicePixels, type DrawList, type VisibleLane } from './draw_list';
import { firstEndingAfter } from './lanes';

/** A narrow slice may be missed by so much and is still picked. */
const kReachCss: CssPixels = 3;

/** The slice at a point of the rows' canvas, or undefined between slices. */
export function hitTest(list: DrawList, x: CssPixels, y: CssPixels): SliceRef | undefined {
  const ratio = list.scale.devicePixelRatio;
  const lane = laneAt(list, y * ratio, 2 * ratio);
  if (!lane) return undefined;
  const index = entryAt(lane, list, x);
  return index === undefined ? undefined : { rank: lane.row.rank.rank, slice: lane.lane.slice[index] ?? 0 };
}

/** The lane at a height; `below` more device pixels belong to it, for the presence tick. */
function laneAt(list: DrawList, y: number, below: number): VisibleLane | undefined {
  return (
    list.lanes.find((lane) => y >= lane.top && y < lane.top + lane.height) ??
    list.lanes.find((lane) => y >= lane.top && y < lane.top + lane.height + below)
  );
}

/** The entry that covers x; else, where slices are folded, the nearest one within reach. */
function entryAt(visible: VisibleLane, list: DrawList, x: CssPixels): number | undefined {
  const { lane, first, last } = visible;
  const { scale } = list;
  const at = scale.cssToNs(x);
  const next = Math.max(first, firstEndingAfter(lane, at));
  if (next < last && (lane.startNs[next] ?? 0) <= at) return next;
  let best: number | undefined;
  let bestDistance = kReachCss;
  for (const candidate of [next - 1, next]) {
    if (candidate < first || candidate >= last) continue;
    const start = scale.nsToCss(lane.startNs[candidate] ?? 0);
    const end = scale.nsToCss(lane.endNs[candidate] ?? 0);
    if ((end - start) * scale.devicePixelRatio >= kFoldBelowDevicePixels) continue;
    const distance = x < start ? start - x : x - end;
    if (distance <= bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
