// The stations of the walked example: the prompt, the fixed reading order, the commit part by part, and the comparison.
import { formatMs, formatPercent } from '../base/format';
import type { Catalog, Drill, Place, Truth } from '../client/messages';
import type { TraceModel } from '../client/trace_model';
import { placeText } from './place';

export interface Station {
  readonly id: string;
  readonly title: string;
  /** What the protocol asks here, whatever the trace. */
  readonly teaches: string;
  /** What it comes to on this trace. */
  readonly text: string;
  readonly spans: readonly Place[];
  /** The parts of the commit. */
  readonly rows: readonly (readonly [string, string])[];
}

export function stationsOf(catalog: Catalog, drill: Drill, truth: Truth, trace: TraceModel): Station[] {
  const order = truth.reading_order.map(({ id, text, spans }): Station => {
    const item = catalog.reading_order.find((one) => one.id === id);
    return { id, title: item?.title ?? id, teaches: item?.measure ?? '', text, spans, rows: [] };
  });
  return [
    {
      id: 'prompt',
      title: 'The prompt',
      teaches:
        'It says what was noticed, on which hardware, and sometimes what a colleague believes. The clock starts with it. It never decides; the trace does.',
      text: `Here: ${drill.facts.map((fact) => fact.value).join('; ')}.`,
      spans: [],
      rows: [],
    },
    ...order,
    {
      id: 'commit',
      title: 'Commit',
      teaches:
        'Before anything is revealed. The diagnosis alone is enough; each further part counts. By keyboard: Enter, then 1 to 7.',
      text: '',
      spans: truth.evidence.slice(0, 1),
      rows: partsOf(truth, trace),
    },
    {
      id: 'compare',
      title: 'Compare',
      teaches:
        'The cause with the intervals that prove it, each framed by its letter; the code before and after; and the same job run again with the fix applied.',
      text: [truth.summary, ...truth.signature.map((one) => one.text)].join(' '),
      spans: truth.evidence,
      rows: [],
    },
  ];
}

function partsOf(truth: Truth, trace: TraceModel): (readonly [string, string])[] {
  const [place] = truth.evidence;
  const { number, win } = truth;
  return [
    ['Diagnosis', truth.title],
    ...(place === undefined ? [] : [['Place', placeText(place, trace)] as const]),
    ...(number === null
      ? []
      : [['Number', `${number.value.toFixed(1)} ${number.unit}, the ${number.label}`] as const]),
    ['Measurement', truth.confirm.title],
    ['Fix', truth.fix.title],
    [
      'Win',
      `${formatMs(win.win_ns)} of ${formatMs(win.step_ns)} a ${win.per}, ${formatPercent(win.win_frac)}`,
    ],
    ['Confidence', '80 %: as sure as one is right, counted over many drills'],
  ];
}
