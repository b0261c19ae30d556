// The reveal's walk: the fixed reading order, stop by stop. The letters belong to the overlap; where there is a line for a
// step, the whole step is framed.
import type { Interval, Ns } from '../../base/units';
import type { Truth } from '../../client/messages';
import { endOf, kKindCode, startOf, type SliceRef, type TraceModel } from '../../client/trace_model';
import { lettersInOrder } from './compare';

export interface Stop {
  // The line of the reading order that is being read.
  readonly id: string;
  // Set where a piece of evidence is shown instead of the whole step.
  readonly letter?: string;
  readonly text: string;
}

type Told = Pick<Truth, 'read' | 'signature' | 'evidence'>;

export function stopsOf(truth: Told): Stop[] {
  const letters = lettersInOrder(truth).map((letter): Stop => {
    const text = truth.evidence.find((one) => one.letter === letter)?.text ?? '';
    return { id: 'overlap', letter, text };
  });
  const lines = truth.read.flatMap(({ id, text }): Stop[] =>
    id === 'overlap' ? [{ id, text }, ...letters] : [{ id, text }],
  );
  return truth.read.some(({ id }) => id === 'overlap') ? lines : [...lines, ...letters];
}

// A long name may be cut at its end: "void pytorch_flash::flash_bwd..., 8.69 ms".
function stands(name: string, text: string): boolean {
  const cut = text.indexOf('...');
  return name !== '' && (text.includes(name) || (cut > 0 && name.startsWith(text.slice(0, cut))));
}

// The longest compute kernel in an interval whose name and rank ("... on rank 0") stand in the text; undefined if the text
// names none of them.
export function kernelNamedIn(text: string, trace: TraceModel, within: Interval): SliceRef | undefined {
  let best: SliceRef | undefined;
  let bestNs: Ns = 0;
  for (const rank of trace.ranks) {
    if (!new RegExp(`\\brank ${rank.rank}\\b`).test(text)) continue;
    const isNamed = rank.strings.map((name) => stands(name, text));
    for (let slice = 0; slice < rank.sliceCount; slice += 1) {
      if (rank.kind[slice] !== kKindCode.compute || isNamed[rank.name[slice] ?? 0] !== true) continue;
      const [from, to] = [startOf(rank, slice), endOf(rank, slice)];
      if (from < within.beginNs || to > within.endNs || to - from <= bestNs) continue;
      best = { rank: rank.rank, slice };
      bestNs = to - from;
    }
  }
  return best;
}
