// What the before/after pair shows: which rows, which step, and one window of time for both.
import { lengthOf, type Interval, type Ns } from '../../base/units';
import { formatMs } from '../../base/format';
import { fromWire, type Evidence, type Place, type Truth, type WireInterval } from '../../client/messages';
import { kKindCode, rankOf, type RankModel, type TraceModel } from '../../client/trace_model';
import type { Bracket, Highlight, RowRef } from '../../timeline';

export const kMaxRows = 6;

// The rows of the evidence with, for each of its ranks, the GPU rows beside them; the first rank alone if there is no
// evidence. In the order of the trace, at most kMaxRows, evidence first to be kept.
export function rowsOf(trace: TraceModel, evidence: readonly Place[]): RowRef[] {
  const wanted = new Map<string, RowRef>();
  const add = (rank: number, track: number) => wanted.set(`${rank}/${track}`, { rank, track });
  for (const one of evidence) if (one.track !== null) add(one.rank, one.track);
  const ranks = evidence.map((one) => one.rank);
  const first = trace.ranks[0]?.rank;
  if (ranks.length === 0 && first !== undefined) ranks.push(first);
  for (const number of new Set(ranks)) {
    const rank = rankOf(trace, number);
    if (rank === undefined) continue;
    rank.tracks.forEach((track, index) => {
      if (track.kind === 'stream' && hasWork(rank, track.begin, track.end)) add(number, index);
    });
  }
  const kept = [...wanted.values()].slice(0, kMaxRows);
  return kept.sort((a, b) => a.rank - b.rank || (a.track ?? 0) - (b.track ?? 0));
}

function hasWork(rank: RankModel, begin: number, end: number): boolean {
  for (let slice = begin; slice < end; slice += 1) {
    const kind = rank.kind[slice];
    if (kind === kKindCode.compute || kind === kKindCode.comm) return true;
  }
  return false;
}

// The same rows in the trace with the fix applied, where a track may have another index; rows that are gone are left out.
export function matchingRows(rows: readonly RowRef[], from: TraceModel, to: TraceModel): RowRef[] {
  return rows.flatMap((row) => {
    const track = row.track === undefined ? undefined : rankOf(from, row.rank)?.tracks[row.track];
    const others = rankOf(to, row.rank)?.tracks ?? [];
    const index = others.findIndex(
      (one) => one.kind === track?.kind && one.tid === track.tid && one.name === track.name,
    );
    return index < 0 ? [] : [{ rank: row.rank, track: index }];
  });
}

// The index of the step to compare: where the first evidence lies, else the first of the view.
export function stepToShow(
  steps: readonly WireInterval[],
  evidence: readonly Evidence[],
  view: WireInterval,
): number {
  const [first] = evidence;
  const middleNs = first === undefined ? view.begin_ns : (first.begin_ns + first.end_ns) / 2;
  const hit = steps.findIndex((step) => middleNs >= step.begin_ns && middleNs < step.end_ns);
  if (hit >= 0) return hit;
  return Math.max(
    0,
    steps.findIndex((step) => step.begin_ns >= view.begin_ns),
  );
}

export interface Comparison {
  readonly step: Interval;
  readonly fixedStep: Interval;
  // Relative to the step's begin: what both windows show at first.
  readonly window: Interval;
}

export function comparison(
  steps: readonly WireInterval[],
  fixedSteps: readonly WireInterval[],
  index: number,
  view: WireInterval,
): Comparison {
  const step = fromWire(steps[index] ?? view);
  const fixedStep = fromWire(fixedSteps[Math.min(index, fixedSteps.length - 1)] ?? view);
  const longest = Math.max(lengthOf(step), lengthOf(fixedStep), 1);
  return { step, fixedStep, window: { beginNs: -longest * 0.015, endNs: longest * 1.05 } };
}

// Shifts a window (relative to an origin) so that an interval of the trace is on screen; as it is, if it is already.
export function bringIntoView(window: Interval, originNs: Ns, target: Interval): Interval {
  const begin = target.beginNs - originNs;
  const end = target.endNs - originNs;
  if (begin >= window.beginNs && end <= window.endNs) return window;
  const width = Math.max(lengthOf(window), (end - begin) * 1.25);
  const middle = (begin + end) / 2;
  return { beginNs: middle - width / 2, endNs: middle + width / 2 };
}

// What a line of the walk shows: the whole step, or, for a place that is a small part of it, that place with room around
// it to say where it is.
export function windowOn(target: Interval, { step, window }: Comparison): Interval {
  const room = Math.max(lengthOf(target) * 2, lengthOf(step) * 0.1);
  if (room * 2 + lengthOf(target) >= lengthOf(window)) return window;
  const beginNs = target.beginNs - step.beginNs - room;
  return { beginNs, endNs: beginNs + lengthOf(target) + 2 * room };
}

export function shifted(window: Interval, originNs: Ns): Interval {
  return { beginNs: window.beginNs + originNs, endNs: window.endNs + originNs };
}

export function highlightsOf(evidence: readonly Evidence[], focused: ReadonlySet<string>): Highlight[] {
  // The focused ones come last, so that they are drawn over the others.
  const order = [...evidence].sort((a, b) => Number(focused.has(a.letter)) - Number(focused.has(b.letter)));
  return order.map((one) => ({
    rank: one.rank,
    ...(one.track === null ? {} : { track: one.track }),
    beginNs: one.begin_ns,
    endNs: one.end_ns,
    letter: one.letter,
    focused: focused.has(one.letter),
  }));
}

export function stepBracket(step: Interval, label: string): Bracket {
  return { ...step, label };
}

// From the end of the fixed step to where the traced one would have ended on the same scale.
export function winBracket({ step, fixedStep }: Comparison): Bracket | undefined {
  const wonNs = lengthOf(step) - lengthOf(fixedStep);
  if (wonNs <= lengthOf(step) * 0.005) return undefined;
  return {
    beginNs: fixedStep.endNs,
    endNs: fixedStep.endNs + wonNs,
    label: `win ${formatMs(wonNs)} in this step`,
  };
}

// The letters in the order in which the sentences speak of them; those that none speaks of come last.
export function lettersInOrder(truth: Pick<Truth, 'signature' | 'evidence'>): string[] {
  const spoken = truth.signature.flatMap((sentence) => sentence.evidence);
  return [...new Set([...spoken, ...truth.evidence.map((one) => one.letter)])];
}
