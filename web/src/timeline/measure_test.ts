import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRank, buildTrace, type BuiltSlice } from '../client/testing/trace_builder';
import { arrivalsOf, busbwFactor } from './arrivals';
import { measureRank, measureSelection, totalOf, union } from './measure';

const at = (kind: BuiltSlice['kind'], start: number, dur: number): BuiltSlice => ({
  name: kind,
  kind,
  start,
  dur,
});

//            0    100   200   300   400   500   600   700   800   900
// stream 7   [ A 0-200 ]     [ B 300-400 ]           (compute)
// stream 20        [ C 150-350 ]  [ D 380-600 ]      (comm)
// stream 30                                 [ E 550-700 ] (copy)
const kRank = buildRank(0, [
  { tid: 7, slices: [at('compute', 0, 200), at('compute', 300, 100)] },
  { tid: 20, slices: [at('comm', 150, 200), at('comm', 380, 220)] },
  { tid: 30, slices: [at('copy', 550, 150)] },
]);

test('compute before communication before copy before idle, by hand', () => {
  // [100, 800): compute 100-200, 300-400 = 200; comm alone 200-300, 400-600 = 300; copy alone 600-700 = 100; idle 100.
  assert.deepEqual(measureRank(kRank, { beginNs: 100, endNs: 800 }), {
    rank: 0,
    lengthNs: 700,
    computeNs: 200,
    exposedCommNs: 300,
    exposedCopyNs: 100,
    idleNs: 100,
    kernelCount: 4,
    longest: { rank: 0, slice: 3 },
    longestNs: 220,
  });
});

test('the four parts add up to the length in any window', () => {
  for (let begin = 0; begin < 800; begin += 37) {
    for (let end = begin; end <= 800; end += 53) {
      const m = measureRank(kRank, { beginNs: begin, endNs: end });
      assert.equal(m.computeNs + m.exposedCommNs + m.exposedCopyNs + m.idleNs, end - begin);
    }
  }
});

test('kernels are counted on the selected stream, times over the whole rank', () => {
  const m = measureRank(kRank, { beginNs: 100, endNs: 800 }, [{ rank: 0, track: 0 }]);
  assert.deepEqual([m.kernelCount, m.longestNs, m.exposedCommNs], [2, 200, 300]);
});

test('a drag on the ruler measures the open ranks, one on rows theirs', () => {
  const trace = buildTrace(kRank, buildRank(1, [{ slices: [at('compute', 0, 800)] }]));
  const interval = { beginNs: 0, endNs: 800 };
  const ranksOf = (rows: { rank: number }[], open: number[]) =>
    measureSelection(trace, { ...interval, rows }, new Set(open)).map((m) => [m.rank, m.idleNs]);
  assert.deepEqual(ranksOf([], [0, 1]), [
    [0, 100],
    [1, 0],
  ]);
  assert.deepEqual(ranksOf([{ rank: 1 }], [0]), [[1, 0]]);
});

test('unions join what touches and keep what does not', () => {
  assert.deepEqual(union([0, 10, 20, 30], [5, 20, 40, 50]), [0, 30, 40, 50]);
  assert.equal(totalOf([0, 30, 40, 50]), 40);
});

test('arrivals: lateness behind the first, transfer from the last, busbw by hand', () => {
  const collective = { bytes: 104_800_000, groupSize: 8, sequence: 4 };
  const nccl = (start: number, end: number) => ({
    ...at('comm', start, end - start),
    collective,
  });
  const trace = buildTrace(
    buildRank(0, [{ slices: [nccl(1_000_000, 24_500_000)] }]),
    buildRank(1, [{ slices: [nccl(2_000_000, 24_500_000)] }]),
    buildRank(5, [{ slices: [nccl(24_000_000, 24_500_000)] }]),
  );
  const found = arrivalsOf(trace, { rank: 0, slice: 0 }, new Set([0, 5]))!;
  assert.deepEqual(
    found.arrivals.map((one) => [one.rank, one.latenessNs]),
    [
      [0, 0],
      [5, 23_000_000],
    ],
  );
  assert.deepEqual(found.unopened, [1]);
  // 104.8 MB x 2 x 7/8 / 0.5 ms = 366.8 GB/s
  assert.equal(found.busbw?.factor, 1.75);
  assert.equal(Math.round(found.busbw!.bytesPerS / 1e8), 3668);
  assert.equal(busbwFactor('all_gather', 8), 0.875);
  assert.equal(busbwFactor('all_reduce', -1), undefined);
});
