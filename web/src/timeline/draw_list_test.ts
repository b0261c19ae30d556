import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRank, buildTrace, kernelTrain, type BuiltTrack } from '../client/testing/trace_builder';
import { buildDrawList, kBoxWidth, kColumnWidth, type DrawList } from './draw_list';
import { hitTest } from './hit_test';
import { kPaint } from './lanes';
import { layoutRows } from './rows';
import { TimeScale } from './time_scale';

/** 1 px = 100 ns; one rank, opened; streams only, so the first row starts under the 24 px header. */
function listOf(tracks: readonly BuiltTrack[], endNs = 10_000, ratio = 1): DrawList {
  const trace = buildTrace(buildRank(0, tracks));
  const layout = layoutRows(trace, { openRanks: new Set([0]) });
  const scale = new TimeScale({ beginNs: 0, endNs }, endNs / 100, ratio);
  return buildDrawList(layout, { scale, scrollTop: 0, height: layout.height, charWidth: 7 });
}

function boxesOf(list: DrawList, paint: number): number[][] {
  const rows = list.boxes[paint]!;
  return rowsOf(rows.values, rows.length, kBoxWidth);
}
function columnsOf(list: DrawList, paint: number): number[][] {
  const rows = list.columns[paint]!;
  return rowsOf(rows.values, rows.length, kColumnWidth);
}
function rowsOf(values: Float64Array, count: number, width: number): number[][] {
  return Array.from({ length: count }, (_, row) => [...values.subarray(row * width, (row + 1) * width)]);
}

/** What the canvas shows in a column if each kind is painted over the one before with its opacity. */
function shownWeights(list: DrawList, column: number): number[] {
  const weights = list.columns.map(() => 0);
  list.columns.forEach((rows, paint) => {
    for (const [x = 0, , width = 0, , alpha = 0] of rowsOf(rows.values, rows.length, kColumnWidth)) {
      if (column < x || column >= x + width) continue;
      weights.forEach((weight, other) => (weights[other] = weight * (1 - alpha)));
      weights[paint] = alpha;
    }
  });
  return weights;
}

test('a wide slice keeps its true edges', () => {
  const list = listOf([{ slices: [{ name: 'k', kind: 'compute', start: 130, dur: 2000 }] }]);
  assert.deepEqual(boxesOf(list, kPaint.compute), [[1.3, 28, 20, 22]]);
  assert.equal(columnsOf(list, kPaint.compute).length, 0);
});

test('narrow slices add up to the exact covered fraction of each column', () => {
  // 40 of every 100 ns, one column each: the fold must say 0.4 everywhere, in one joined run.
  const list = listOf([{ slices: kernelTrain(50, 40, 60) }]);
  const columns = columnsOf(list, kPaint.compute);
  assert.equal(columns.length, 1);
  assert.deepEqual(columns[0]!.slice(0, 4), [0, 28, 50, 22]);
  assert.ok(Math.abs(columns[0]![4]! - 0.4) < 1e-9);
});

test('a slice over a column’s edge is split by its parts', () => {
  const list = listOf([{ slices: [{ name: 'k', kind: 'compute', start: 275, dur: 100 }] }]);
  const columns = columnsOf(list, kPaint.compute);
  assert.deepEqual(
    columns.map(([x, , width, , alpha]) => [x, width, Math.round(alpha! * 1e6) / 1e6]),
    [
      [2, 1, 0.25],
      [3, 1, 0.75],
    ],
  );
});

test('the total of the fold is the total of the slices, whatever the window', () => {
  const dur = 33;
  const list = listOf([{ slices: kernelTrain(120, dur, 17) }], 10_000, 2);
  const covered = columnsOf(list, kPaint.compute).reduce(
    (sum, [, , width, , alpha]) => sum + width! * alpha!,
    0,
  );
  assert.ok(Math.abs(covered * 50 - 120 * dur) < 40, `covered ${covered * 50} ns`); // columns of near opacity join
});

test('two kinds in one column show with their own shares', () => {
  const slices = [
    { name: 'k', kind: 'compute' as const, start: 500, dur: 30 },
    { name: 'c', kind: 'copy' as const, start: 540, dur: 50 },
  ];
  const weights = shownWeights(listOf([{ slices }]), 5);
  assert.ok(Math.abs(weights[kPaint.compute]! - 0.3) < 1e-9);
  assert.ok(Math.abs(weights[kPaint.copy]! - 0.5) < 1e-9);
});

test('a column covered less than 12 % gets a tick under the bar, a fuller one none', () => {
  const slices = [
    { name: 'thin', kind: 'compute' as const, start: 510, dur: 11 },
    { name: 'thick', kind: 'compute' as const, start: 910, dur: 13 },
    { name: 'none', kind: 'compute' as const, start: 1310, dur: 0 },
  ];
  const ticks = listOf([{ slices }]).ticks[kPaint.compute]!;
  assert.deepEqual(rowsOf(ticks.values, ticks.length, kBoxWidth), [
    [5, 50, 1, 2],
    [13, 50, 1, 2],
  ]);
});

test('slices outside the window are neither drawn nor read', () => {
  const list = listOf([{ slices: kernelTrain(1000, 400, 100) }], 2000);
  assert.equal(boxesOf(list, kPaint.compute).length, 4);
  assert.deepEqual([list.lanes[0]!.first, list.lanes[0]!.last], [0, 4]);
});

test('labels from 44 px, shortened, and kept in sight', () => {
  const named = (name: string, start: number, dur: number) => ({
    name,
    kind: 'compute' as const,
    start,
    dur,
  });
  const list = listOf([
    {
      slices: [
        named('void at::native::kernel<int>(int*)', -50_000, 52_000),
        named('short', 3000, 4500),
        named('tooNarrow', 8000, 4300),
      ],
    },
  ]);
  assert.deepEqual(
    list.labels.map((label) => [label.text, label.x]),
    [['short', 34]],
  );
  const wide = listOf([{ slices: [named('void at::native::kernel<int>(int*)', -50_000, 62_000)] }], 12_000);
  assert.deepEqual(
    wide.labels.map((label) => [label.text, label.x]),
    [['kernel<int>', 4]],
  );
});

test('a hit finds what is drawn: boxes exactly, folded slices within reach, gaps not at all', () => {
  const slices = [
    { name: 'wide', kind: 'compute' as const, start: 1000, dur: 2000 },
    { name: 'narrow', kind: 'compute' as const, start: 5000, dur: 50 },
  ];
  const list = listOf([{ slices }]);
  assert.deepEqual(hitTest(list, 10.1, 40), { rank: 0, slice: 0 });
  assert.deepEqual(hitTest(list, 29.9, 40), { rank: 0, slice: 0 });
  assert.equal(hitTest(list, 30.5, 40), undefined);
  assert.equal(hitTest(list, 9.5, 40), undefined);
  assert.deepEqual(hitTest(list, 48, 40), { rank: 0, slice: 1 });
  assert.deepEqual(hitTest(list, 50.2, 51), { rank: 0, slice: 1 }, 'the tick under the bar');
  assert.equal(hitTest(list, 44, 40), undefined);
  assert.equal(hitTest(list, 20, 10), undefined, 'the header');
});

test('slices taken together cover what each of them covers alone', () => {
  // 40 to a column, lengths and kinds mixed by a small generator; against sums made slice by slice.
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const slices: { name: string; kind: 'compute' | 'comm'; start: number; dur: number }[] = [];
  for (let at = 0; at < 9_900;) {
    const dur = random() < 0.01 ? 300 : random() < 0.1 ? 0 : 1 + Math.floor(random() * 2);
    slices.push({ name: 'k', kind: random() < 0.3 ? 'comm' : 'compute', start: at, dur });
    at += dur + 1 + Math.floor(random() * 2);
  }
  const exact = [new Float64Array(100), new Float64Array(100)];
  for (const { kind, start, dur } of slices) {
    if (dur >= 250) continue;
    for (let ns = start; ns < start + dur; ns += 1) {
      const column = exact[kind === 'comm' ? 1 : 0]!;
      column[Math.floor(ns / 100)] = (column[Math.floor(ns / 100)] ?? 0) + 0.01;
    }
  }
  const list = listOf([{ slices }]);
  for (let column = 0; column < 100; column += 1) {
    const shown = shownWeights(list, column);
    for (const paint of [0, 1])
      assert.ok(
        Math.abs(shown[paint]! - exact[paint]![column]!) < 1 / 256,
        `column ${column}, kind ${paint}`,
      );
  }
});

test('a list that is filled again holds nothing of the frame before', () => {
  const trace = buildTrace(buildRank(0, [{ slices: kernelTrain(50, 40, 60) }]));
  const layout = layoutRows(trace, { openRanks: new Set([0]) });
  const at = (endNs: number) => ({
    scale: new TimeScale({ beginNs: 0, endNs }, 100, 1),
    scrollTop: 0,
    height: layout.height,
    charWidth: 7,
  });
  const first = buildDrawList(layout, at(200));
  assert.ok(boxesOf(first, kPaint.compute).length > 0);
  const again = buildDrawList(layout, at(10_000), first);
  assert.deepEqual(
    columnsOf(again, kPaint.compute),
    columnsOf(buildDrawList(layout, at(10_000)), kPaint.compute),
  );
  assert.equal(boxesOf(again, kPaint.compute).length, 0);
});
