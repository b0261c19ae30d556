// The reveal's walk: the fixed reading order, stop by stop, each with where on the timeline it stands. The letters belong to
// the overlap.
import type { Interval } from '../../base/units';
import { fromWire, type Place, type Truth } from '../../client/messages';
import type { Highlight } from '../../timeline';
import { lettersInOrder } from './compare';

export interface Stop {
  // The line of the reading order that is being read.
  readonly id: string;
  // Set where a piece of evidence is shown.
  readonly letter?: string;
  readonly text: string;
  // Empty where the trace has nothing of the kind (no gap, say).
  readonly spans: readonly Place[];
}

type Told = Pick<Truth, 'reading_order' | 'signature' | 'evidence'>;

export function stopsOf(truth: Told): Stop[] {
  const letters = lettersInOrder(truth).map((letter): Stop => {
    const shown = truth.evidence.filter((one) => one.letter === letter);
    return { id: 'overlap', letter, text: shown[0]?.text ?? '', spans: shown };
  });
  const lines = truth.reading_order.flatMap(({ id, text, spans }): Stop[] =>
    id === 'overlap' ? [{ id, text, spans }, ...letters] : [{ id, text, spans }],
  );
  return truth.reading_order.some(({ id }) => id === 'overlap') ? lines : [...lines, ...letters];
}

// From the first span's begin to the last one's end; undefined without spans.
export function hullOf(spans: readonly Place[]): Interval | undefined {
  if (spans.length === 0) return undefined;
  return {
    beginNs: Math.min(...spans.map((span) => span.begin_ns)),
    endNs: Math.max(...spans.map((span) => span.end_ns)),
  };
}

// The frames of a line of the reading order, tagged with its number. A letter frames itself.
export function framesOfStop(stop: Stop | undefined, stops: readonly Stop[]): Highlight[] {
  if (stop === undefined || stop.letter !== undefined) return [];
  const number = String(stops.filter((one) => one.letter === undefined).indexOf(stop) + 1);
  return stop.spans.map((span) => ({
    rank: span.rank,
    ...(span.track === null ? {} : { track: span.track }),
    ...fromWire(span),
    letter: number,
    focused: true,
  }));
}
