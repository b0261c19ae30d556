import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRank, buildTrace, kernelTrain } from '../client/testing/trace_builder';
import { applyAction, type ViewerState } from './actions';
import { actionOfKey } from './keys';
import { findByName, nextGap, nextMatch } from './navigate';
import { layoutRows } from './rows';
import { shortenName } from './shorten';
import { TimeScale } from './time_scale';

const kTrace = buildTrace(
  buildRank(0, [
    {
      kind: 'host_thread',
      name: 'main',
      slices: [{ name: 'cudaLaunchKernel', kind: 'runtime', start: 0, dur: 10, correlation: 5 }],
    },
    {
      tid: 7,
      slices: [
        ...kernelTrain(3, 100, 10, { from: 100 }), // 100-200, 210-310, 320-420
        { name: 'sgemm', kind: 'compute', start: 900, dur: 100, correlation: 5 }, // 900-1000, after a gap of 480
        { name: 'last', kind: 'compute', start: 1100, dur: 100 },
      ],
    },
  ]),
);

function stateOf(more: Partial<ViewerState> = {}): ViewerState {
  const layout = layoutRows(kTrace, { openRanks: new Set([0]) });
  const view = { beginNs: 0, endNs: 1200 };
  return {
    trace: kTrace,
    layout,
    scale: new TimeScale(view, 240, 1), // 5 ns a pixel: a gap of 10 ns is 2 px
    limits: view,
    selection: undefined,
    picked: undefined,
    focusedRow: undefined,
    cursorX: undefined,
    ...more,
  };
}

test('comma and full stop walk along the row and stop at its ends', () => {
  const first = applyAction(stateOf(), 'next');
  assert.deepEqual(first.picked, { rank: 0, slice: 1 });
  assert.deepEqual(applyAction(stateOf({ picked: { rank: 0, slice: 1 } }), 'next').picked, {
    rank: 0,
    slice: 2,
  });
  const before = applyAction(stateOf({ picked: { rank: 0, slice: 1 } }), 'previous');
  assert.ok(!('picked' in before));
  assert.match(before.say ?? '', /First/);
});

test('brackets follow the flow both ways', () => {
  assert.deepEqual(applyAction(stateOf({ picked: { rank: 0, slice: 4 } }), 'flow_back').picked, {
    rank: 0,
    slice: 0,
  });
  assert.deepEqual(applyAction(stateOf({ picked: { rank: 0, slice: 0 } }), 'flow_on').picked, {
    rank: 0,
    slice: 4,
  });
  assert.ok(!('picked' in applyAction(stateOf({ picked: { rank: 0, slice: 5 } }), 'flow_back')));
});

test('G selects the next gap that can be seen, then the one after, then says that there is none', () => {
  const one = applyAction(stateOf(), 'next_gap').selection!;
  assert.deepEqual(one, { beginNs: 420, endNs: 900, rows: [{ rank: 0, track: 1 }] });
  const two = applyAction(stateOf({ selection: one }), 'next_gap').selection!;
  assert.deepEqual([two.beginNs, two.endNs], [1000, 1100]);
  const three = applyAction(stateOf({ selection: two }), 'next_gap');
  assert.ok(!('selection' in three));
  const row = stateOf().layout.rows.find((candidate) => candidate.kind === 'stream')!;
  assert.deepEqual(nextGap(row, 0, 5), { beginNs: 200, endNs: 210 });
});

test('M marks, F fits, Esc clears the selection before the picked slice', () => {
  const picked = { rank: 0, slice: 4 };
  const selection = applyAction(stateOf({ picked }), 'mark').selection!;
  assert.deepEqual(selection, { beginNs: 900, endNs: 1000, rows: [{ rank: 0, track: 1 }] });
  assert.deepEqual(applyAction(stateOf({ selection }), 'fit').view, { beginNs: 850, endNs: 1050 });
  assert.deepEqual(applyAction(stateOf({ picked, selection }), 'clear'), { selection: undefined });
  assert.deepEqual(applyAction(stateOf({ picked }), 'clear'), { picked: undefined });
});

test('names are found by any part, whatever the case, and walked round', () => {
  const matches = findByName(kTrace, new Set([0]), 'GEMM');
  assert.deepEqual(
    matches.map((match) => match.slice),
    [1, 2, 3, 4],
  );
  const window = { beginNs: 205, endNs: 1000 };
  assert.equal(nextMatch(kTrace, matches, undefined, window, 1), 1);
  assert.equal(nextMatch(kTrace, matches, { rank: 0, slice: 4 }, window, 1), 0);
  assert.equal(nextMatch(kTrace, matches, { rank: 0, slice: 1 }, window, -1), 3);
  assert.equal(findByName(kTrace, new Set(), 'gemm').length, 0, 'closed ranks are not searched');
  assert.equal(findByName(kTrace, new Set([0]), '  ').length, 0);
});

test('keys act outside text fields only, and never with Ctrl', () => {
  const key = (name: string, more: object = {}) =>
    actionOfKey({ key: name, ctrlKey: false, metaKey: false, altKey: false, target: null, ...more });
  assert.equal(key('w'), 'zoom_in');
  assert.equal(key('W'), 'zoom_in');
  assert.equal(key('f', { ctrlKey: true }), undefined);
  assert.equal(key('w', { target: { tagName: 'INPUT', type: 'search' } }), undefined);
  assert.equal(key('w', { target: { tagName: 'INPUT', type: 'checkbox' } }), 'zoom_in');
});

test('names lose return type, arguments, namespaces, then their tail', () => {
  const name = 'void at::native::vectorized_elementwise_kernel<4, at::native::Add>(int, float*)';
  assert.equal(shortenName(name, 200), name);
  assert.equal(
    shortenName(name, 75),
    'at::native::vectorized_elementwise_kernel<4, at::native::Add>(int, float*)',
  );
  assert.equal(shortenName(name, 62), 'at::native::vectorized_elementwise_kernel<4, at::native::Add>');
  assert.equal(shortenName(name, 40), 'vectorized_elementwise_kernel<4, Add>');
  assert.equal(shortenName(name, 10), 'vectorize\u2026');
  assert.equal(shortenName('ncclDevKernel', 2), '');
  assert.equal(shortenName('aten::_local_scalar_dense', 10), 'aten::_lo\u2026');
});
