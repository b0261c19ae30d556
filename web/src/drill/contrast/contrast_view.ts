// What two runs share: a window and a selection, both counted from the begin of each run's first shown step.
import { lengthOf, type Interval, type Ns } from '../../base/units';
import type { ContrastRun } from '../../client/messages';
import { rankOf, type TraceModel } from '../../client/trace_model';
import type { RowRef, Selection } from '../../timeline';
import { shifted } from '../reveal/compare';

export type RunIndex = 0 | 1;
export const kRuns = [0, 1] as const;
export const kRunNames = ['Run A', 'Run B'] as const;

/** Zero of a run's ruler. */
export function originOf({ steps, view }: ContrastRun): Ns {
  return steps.find((step) => step.begin_ns >= view.begin_ns)?.begin_ns ?? view.begin_ns;
}

/** What both show at first: the longer of the two views. */
export function firstWindow(runs: readonly ContrastRun[]): Interval {
  const longest = Math.max(1, ...runs.map(({ view }) => view.end_ns - view.begin_ns));
  return { beginNs: -longest * 0.015, endNs: longest * 1.03 };
}

/** An interval that was dragged in one run, from that run's origin. */
export interface SharedSelection extends Selection {
  readonly from: RunIndex;
}

export function toShared(selection: Selection, from: RunIndex, originNs: Ns): SharedSelection {
  return { ...selection, ...shifted(selection, -originNs), from };
}

/** The same interval and rows in a run; a row that it does not have is left out. */
export function selectionIn(
  shared: SharedSelection,
  run: RunIndex,
  originNs: Ns,
  traces: readonly [TraceModel, TraceModel],
): Selection {
  const rows =
    run === shared.from
      ? shared.rows
      : shared.rows.flatMap((row) => rowIn(row, traces[shared.from], traces[run]) ?? []);
  return { ...shifted(shared, originNs), rows };
}

// Threads have other ids in another run, so a row is found by its place among those of its kind.
function rowIn(row: RowRef, from: TraceModel, to: TraceModel): RowRef | undefined {
  if (row.track === undefined) return row;
  const tracks = rankOf(from, row.rank)?.tracks ?? [];
  const kind = tracks[row.track]?.kind;
  const nth = tracks.slice(0, row.track).filter((one) => one.kind === kind).length;
  const others = rankOf(to, row.rank)?.tracks ?? [];
  const same = others.flatMap((one, index) => (one.kind === kind ? [index] : []));
  const track = same[nth];
  return track === undefined ? undefined : { rank: row.rank, track };
}

/** The window that an interval of a run is seen in; as it is, if it is already. */
export function windowWith(window: Interval, originNs: Ns, target: Interval): Interval {
  const { beginNs, endNs } = shifted(target, -originNs);
  if (beginNs >= window.beginNs && endNs <= window.endNs) return window;
  const width = Math.max(lengthOf(window), (endNs - beginNs) * 1.25);
  const middle = (beginNs + endNs) / 2;
  return { beginNs: middle - width / 2, endNs: middle + width / 2 };
}
