import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRank, buildTrace, kernelTrain } from '../../client/testing/trace_builder';
import type { Evidence } from '../../client/messages';
import {
  bringIntoView,
  comparison,
  highlightsOf,
  kMaxRows,
  lettersInOrder,
  matchingRows,
  rowsOf,
  stepToShow,
  winBracket,
} from './compare';

const compute = kernelTrain(3, 10, 1);
const comm = kernelTrain(3, 10, 1, { kind: 'comm', name: 'nccl' });
const host = { kind: 'host_thread', slices: kernelTrain(1, 30, 0, { kind: 'host_op' }) } as const;
const empty = { tid: 9, slices: [] } as const;
const rankOf = (rank: number) =>
  buildRank(rank, [host, { tid: 7, slices: compute }, { tid: 20, slices: comm }, empty]);
const trace = buildTrace(...[0, 1, 2, 3, 4, 5].map(rankOf));

function evidence(letter: string, rank: number, track: number, begin = 0, end = 10): Evidence {
  return { letter, rank, track, begin_ns: begin, end_ns: end, text: '' };
}

test('the rows are those of the evidence and the busy streams beside them', () => {
  assert.deepEqual(rowsOf(trace, [evidence('A', 0, 2), evidence('B', 5, 0)]), [
    { rank: 0, track: 1 },
    { rank: 0, track: 2 },
    { rank: 5, track: 0 },
    { rank: 5, track: 1 },
    { rank: 5, track: 2 },
  ]);
});

test('without evidence the first rank is shown; with much, evidence goes first and no more than fits', () => {
  assert.deepEqual(rowsOf(trace, []), [
    { rank: 0, track: 1 },
    { rank: 0, track: 2 },
  ]);
  const many = [0, 1, 2, 3, 4, 5].map((rank) => evidence('ABCDEF'[rank]!, rank, 2));
  const rows = rowsOf(trace, many);
  assert.equal(rows.length, kMaxRows);
  assert.ok(rows.every((row) => row.track === 2));
});

test('rows are found again in the fixed trace by what they are, not by their index', () => {
  const fixed = buildTrace(
    buildRank(0, [
      { tid: 20, slices: comm },
      { tid: 7, slices: compute },
    ]),
  );
  const rows = [
    { rank: 0, track: 1 },
    { rank: 0, track: 2 },
    { rank: 5, track: 1 },
  ];
  assert.deepEqual(matchingRows(rows, trace, fixed), [
    { rank: 0, track: 1 },
    { rank: 0, track: 0 },
  ]);
});

const steps = [
  { begin_ns: 0, end_ns: 100 },
  { begin_ns: 100, end_ns: 200 },
];
const view = { begin_ns: 100, end_ns: 200 };

test('the step is the one with the first evidence, else the first of the view', () => {
  assert.equal(stepToShow(steps, [evidence('A', 0, 1, 20, 40)], view), 0);
  assert.equal(stepToShow(steps, [], view), 1);
  assert.equal(stepToShow([], [], view), 0);
});

test('both steps stand in one window, and the win fills what the fix leaves of the traced one', () => {
  const shown = comparison(steps, [{ begin_ns: 50, end_ns: 130 }], 1, view);
  assert.deepEqual(shown.step, { beginNs: 100, endNs: 200 });
  assert.deepEqual(shown.fixedStep, { beginNs: 50, endNs: 130 });
  assert.ok(shown.window.beginNs < 0 && shown.window.endNs > 100);
  assert.deepEqual(winBracket(shown) && [winBracket(shown)!.beginNs, winBracket(shown)!.endNs], [130, 150]);
});

test('a fix that wins nothing has no win bracket', () => {
  assert.equal(winBracket(comparison(steps, steps, 0, view)), undefined);
});

test('the window stays where it is while the evidence is in it, and else moves by no more than needed', () => {
  const window = { beginNs: 0, endNs: 100 };
  assert.equal(bringIntoView(window, 1000, { beginNs: 1010, endNs: 1090 }), window);
  assert.deepEqual(bringIntoView(window, 1000, { beginNs: 1190, endNs: 1210 }), { beginNs: 150, endNs: 250 });
  const wide = bringIntoView(window, 0, { beginNs: 0, endNs: 400 });
  assert.ok(wide.beginNs < 0 && wide.endNs > 400);
});

test('letters go in the order in which the sentences speak of them', () => {
  const truth = {
    signature: [
      { text: '', evidence: ['B'] },
      { text: '', evidence: ['A', 'B'] },
    ],
    evidence: [evidence('A', 0, 1), evidence('B', 0, 1), evidence('C', 0, 1)],
  };
  assert.deepEqual(lettersInOrder(truth), ['B', 'A', 'C']);
});

test('the focused evidence is drawn last, over the others', () => {
  const marks = highlightsOf([evidence('A', 0, 1), evidence('B', 0, 2)], new Set(['A']));
  assert.deepEqual(
    marks.map((mark) => [mark.letter, mark.focused]),
    [
      ['B', false],
      ['A', true],
    ],
  );
});
