import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRank, buildTrace, kernelTrain } from '../../client/testing/trace_builder';
import { firstWindow, originOf, selectionIn, toShared, windowWith } from './contrast_view';

const kernels = kernelTrain(3, 10, 1);
const host = { kind: 'host_thread', slices: kernelTrain(1, 30, 0, { kind: 'host_op' }) } as const;
const a = buildTrace(
  buildRank(0, [
    { ...host, tid: 11 },
    { tid: 7, slices: kernels },
    { tid: 20, slices: kernels },
  ]),
);
const b = buildTrace(
  buildRank(0, [
    { tid: 7, slices: kernels },
    { tid: 20, slices: kernels },
    { ...host, tid: 99 },
  ]),
);
const one = buildTrace(buildRank(0, [{ tid: 7, slices: kernels }]));

const runOf = (begin: number, end: number, first: number) => ({
  steps: [
    { begin_ns: 0, end_ns: first },
    { begin_ns: first, end_ns: end },
  ],
  view: { begin_ns: begin, end_ns: end },
  at_bytes: 0,
});

test('zero is the first step that is shown, and both windows are as long as the longer view', () => {
  assert.equal(originOf(runOf(100, 300, 120)), 120);
  const window = firstWindow([runOf(100, 300, 120), runOf(0, 400, 10)]);
  assert.ok(window.beginNs < 0 && window.endNs > 400);
});

test('a selection is the same stretch of both runs, on the rows that are the same', () => {
  const dragged = { beginNs: 150, endNs: 170, rows: [{ rank: 0, track: 2 }, { rank: 0 }] };
  const shared = toShared(dragged, 0, 120);
  assert.deepEqual(selectionIn(shared, 0, 120, [a, b]), dragged);
  assert.deepEqual(selectionIn(shared, 1, 20, [a, b]), {
    beginNs: 50,
    endNs: 70,
    rows: [{ rank: 0, track: 1 }, { rank: 0 }],
  });
  const ofHost = toShared({ beginNs: 0, endNs: 9, rows: [{ rank: 0, track: 0 }] }, 0, 0);
  assert.deepEqual(selectionIn(ofHost, 1, 0, [a, b]).rows, [{ rank: 0, track: 2 }]);
  assert.deepEqual(selectionIn(shared, 1, 0, [a, one]).rows, [{ rank: 0 }]);
});

test('the window moves only if what is spoken of is not in it', () => {
  const window = { beginNs: 0, endNs: 100 };
  assert.equal(windowWith(window, 1000, { beginNs: 1010, endNs: 1020 }), window);
  assert.deepEqual(windowWith(window, 1000, { beginNs: 1200, endNs: 1220 }), { beginNs: 160, endNs: 260 });
});
