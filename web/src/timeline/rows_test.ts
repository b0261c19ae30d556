import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRank, buildTrace, kernelTrain } from '../client/testing/trace_builder';
import { nestedLanes, packedLanes, positionOf, unionLane } from './lanes';
import { foldOver, layoutRows, pinnedRows, refOfRow, rowAt, rowsOfRef } from './rows';

const kHost = {
  kind: 'host_thread' as const,
  tid: 4211,
  name: 'thread 4211 (pt_main_thread)',
  slices: [
    { name: 'ProfilerStep#3', kind: 'annotation' as const, start: 0, dur: 1000 },
    { name: 'enumerate(DataLoader)', kind: 'loader' as const, start: 10, dur: 100 },
    { name: 'aten::mm', kind: 'host_op' as const, start: 200, dur: 100 },
    { name: 'cudaLaunchKernel', kind: 'runtime' as const, start: 220, dur: 20, correlation: 1 },
    { name: 'aten::add', kind: 'host_op' as const, start: 300, dur: 50 },
  ],
};

function rankOf(number: number) {
  return buildRank(number, [
    kHost,
    { tid: 30, slices: [{ name: 'Memcpy HtoD', kind: 'copy', start: 0, dur: 5 }] },
    { tid: 20, slices: kernelTrain(2, 50, 10, { kind: 'comm', name: 'nccl' }) },
    { tid: 7, slices: kernelTrain(3, 100, 10) },
  ]);
}

test('an open rank: header, thread with its depths, CUDA API split off, compute before NCCL before copies', () => {
  const { rows, height } = layoutRows(buildTrace(rankOf(0)), { openRanks: new Set([0]) });
  assert.deepEqual(
    rows.map((row) => [row.kind, row.label, row.note, row.lanes.length]),
    [
      ['header', 'Rank 0', 'node-0 \u00b7 NVIDIA H100 80GB HBM3', 0],
      ['thread', 'pt_main_thread', '', 2],
      ['api', 'CUDA API', '', 1],
      ['stream', 'Stream 7', 'compute', 1],
      ['stream', 'Stream 20', 'NCCL', 1],
      ['stream', 'Stream 30', 'copies', 1],
    ],
  );
  assert.deepEqual(
    rows.map((row) => [row.top, row.height]),
    [
      [0, 24],
      [24, 36],
      [60, 22],
      [82, 30],
      [112, 30],
      [142, 22],
    ],
  );
  assert.equal(height, 164);
});

// Five depths: 0 holds 1 holds 2 ...
function deepRank(number: number) {
  const slices = [0, 1, 2, 3, 4].map((depth) => ({
    name: `op ${depth}`,
    kind: 'host_op' as const,
    start: depth,
    dur: 100 - 2 * depth,
  }));
  return buildRank(number, [
    { kind: 'host_thread' as const, tid: 1, name: 'thread 1 (main)', slices },
    { tid: 7, slices: kernelTrain(3, 100, 10) },
    { kind: 'counter' as const, tid: 0, slices: kernelTrain(1, 1, 1) },
    { kind: 'sync' as const, tid: 0, slices: [] },
  ]);
}

test('a host row is folded to its top depths until it is unfolded, and says how many it has', () => {
  const trace = buildTrace(deepRank(0));
  const shapeOf = (options: object) => {
    const [, row] = layoutRows(trace, { openRanks: new Set([0]), ...options }).rows;
    return [row?.note, row?.height, row?.lanes.length, row?.fold?.isOpen, row?.fold?.hidden.length];
  };
  assert.deepEqual(shapeOf({}), ['3/5', 52, 3, false, 2]);
  assert.deepEqual(shapeOf({ unfolded: new Set(['0/thread/0']) }), ['', 84, 5, true, 0]);
  assert.deepEqual(shapeOf({ isPhone: true }), ['1/5', 18, 1, false, 4]);
  assert.deepEqual(shapeOf({ isPhone: true, unfolded: new Set(['0/thread/0']) }), ['', 84, 5, true, 0]);
  const shallow = layoutRows(buildTrace(rankOf(0)), { openRanks: new Set([0]) });
  assert.deepEqual(
    shallow.rows.map((row) => row.fold),
    shallow.rows.map(() => undefined),
  );
});

test('what is folded away is known by its row', () => {
  const trace = buildTrace(deepRank(0));
  const [rank] = trace.ranks;
  const folded = layoutRows(trace, { openRanks: new Set([0]) });
  assert.equal(foldOver(folded, rank!, 2), undefined);
  assert.equal(foldOver(folded, rank!, 3)?.id, '0/thread/0');
  const open = layoutRows(trace, { openRanks: new Set([0]), unfolded: new Set(['0/thread/0']) });
  assert.equal(foldOver(open, rank!, 3), undefined);
});

test('the header says which rows are not drawn; an empty track is none', () => {
  const { rows } = layoutRows(buildTrace(deepRank(0)), {
    openRanks: new Set([0]),
    rankTitles: [{ rank: 0, title: 'node-0' }],
  });
  assert.equal(rows[0]?.note, 'node-0; 1 row not drawn: counters');
});

test('on a phone the rows that open and close ranks are 40 px high, and eight ranks fit in 440', () => {
  const ranks = [0, 1, 2, 3, 4, 5, 6, 7].map(rankOf);
  const { rows, height } = layoutRows(buildTrace(...ranks), { openRanks: new Set([0]), isPhone: true });
  for (const row of rows.filter(({ kind }) => kind === 'header' || kind === 'collapsed'))
    assert.equal(row.height, 40, row.id);
  assert.ok(height <= 440, `${height} px`);
});

test('a collapsed rank is one row of two lanes and stands for all its tracks', () => {
  const layout = layoutRows(buildTrace(rankOf(0), rankOf(5)), { openRanks: new Set([0]) });
  const last = layout.rows[layout.rows.length - 1]!;
  assert.deepEqual([last.kind, last.label, last.note, last.height], ['collapsed', 'Rank 5', '5 rows', 22]);
  assert.deepEqual(
    last.lanes.map((placed) => placed.lane.count),
    [3, 2],
  );
  assert.deepEqual(rowsOfRef(layout, { rank: 5, track: 3 }), [last]);
  assert.deepEqual(refOfRow(last), { rank: 5 });
});

test('a track finds its rows; the host track both of its own', () => {
  const layout = layoutRows(buildTrace(rankOf(0)), { openRanks: new Set([0]) });
  assert.deepEqual(
    rowsOfRef(layout, { rank: 0, track: 0 }).map((row) => row.kind),
    ['thread', 'api'],
  );
  assert.deepEqual(
    rowsOfRef(layout, { rank: 0, track: 3 }).map((row) => row.label),
    ['Stream 7'],
  );
  assert.equal(rowAt(layout, 60)?.kind, 'api');
  assert.equal(rowAt(layout, 1000), undefined);
});

test('chosen rows stand alone, flat, with the rank in the label', () => {
  const layout = layoutRows(buildTrace(rankOf(0), rankOf(5)), {
    openRanks: new Set(),
    onlyRows: [
      { rank: 5, track: 3 },
      { rank: 0, track: 2 },
    ],
  });
  assert.deepEqual(
    layout.rows.map((row) => [row.label, row.note, row.height]),
    [
      ['Rank 5', 'stream 7', 22],
      ['Rank 0', 'stream 20', 22],
    ],
  );
});

test('nesting: depth is the number of open slices; touching ends do not nest', () => {
  const rank = rankOf(0);
  const lanes = nestedLanes(rank, [0, 1, 2, 4]);
  assert.deepEqual(
    lanes.map((lane) => [...lane.slice]),
    [[0], [1, 2, 4]],
  );
  assert.equal(positionOf(lanes[1]!, rank, 4), 2);
  assert.equal(positionOf(lanes[1]!, rank, 0), -1);
});

test('packing opens a lane only for what overlaps; the union cuts overlaps off', () => {
  const at = (start: number, dur: number) => ({ name: 'k', kind: 'compute' as const, start, dur });
  const rank = buildRank(0, [{ slices: [at(0, 100), at(50, 100), at(60, 20), at(150, 10)] }]);
  assert.deepEqual(
    packedLanes(rank, [0, 1, 2, 3]).map((lane) => [...lane.slice]),
    [[0, 3], [1], [2]],
  );
  const union = unionLane(rank, [0, 1, 2, 3]);
  assert.deepEqual([...union.startNs], [0, 100, 150]);
  assert.deepEqual([...union.endNs], [100, 150, 160]);
});

test('a pinned row stands above all, whether its rank is open or not, under its rank\u2019s name', () => {
  const rank = (number: number) => buildRank(number, [kHost, { tid: 7, slices: kernelTrain(3, 100, 10) }]);
  const trace = buildTrace(rank(0), rank(1));
  const open = layoutRows(trace, { openRanks: new Set([1]) });
  const stream = open.rows.find((row) => row.kind === 'stream')!;
  const pinned = pinnedRows(trace, new Set([stream.id]), {});
  assert.deepEqual(
    pinned.rows.map(({ label, note, top }) => [label, note, top]),
    [['Rank 1', stream.label, 0]],
  );
  assert.deepEqual(refOfRow(pinned.rows[0]!), refOfRow(stream));
  assert.equal(pinnedRows(trace, new Set(), {}).height, 0);
});

test('without names a row says what it is, not what runs on it', () => {
  const trace = buildTrace(buildRank(0, [kHost, { tid: 7, slices: kernelTrain(3, 100, 10) }]));
  const layout = layoutRows(trace, { openRanks: new Set([0]), showNames: false });
  const labels = layout.rows.map((row) => `${row.label} ${row.note}`).join('; ');
  assert.ok(!/main_thread|compute/.test(labels), labels);
  assert.ok(/Host/.test(labels) && /Stream 7/.test(labels), labels);
});
