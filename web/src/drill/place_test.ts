import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRank, buildTrace, kernelTrain } from '../client/testing/trace_builder';
import { markOf, parseTypedPlace, placeLength, placeOf, placeText } from './place';

const thread = { kind: 'host_thread', name: 'thread 4211 (pt_main_thread)', slices: [] } as const;
const stream = { tid: 7, name: 'stream 7', slices: kernelTrain(2, 1_000_000, 0) } as const;
const trace = buildTrace(buildRank(0, [thread, stream]), buildRank(5, [thread, stream]));
const at = { beginNs: 10.4, endNs: 2_000_010.4 };

test('a selection on one row is a place on that row, in whole ns', () => {
  const place = placeOf({ ...at, rows: [{ rank: 5, track: 1 }] }, trace);
  assert.deepEqual(place, { rank: 5, track: 1, begin_ns: 10, end_ns: 2_000_010 });
  assert.equal(placeText(place!, trace), 'rank 5, stream 7');
  assert.equal(placeLength(place!), '2.00 ms');
  assert.deepEqual(markOf(place!), { rank: 5, track: 1, beginNs: 10, endNs: 2_000_010 });
});

test('over several rows it is the whole first rank; on the ruler the first rank of the trace', () => {
  const rows = [
    { rank: 5, track: 0 },
    { rank: 5, track: 1 },
  ];
  const several = placeOf({ ...at, rows }, trace);
  assert.equal(several?.rank, 5);
  assert.equal(several?.track, null);
  assert.equal(placeText(several!, trace), 'rank 5, all rows');
  assert.equal(placeOf({ ...at, rows: [] }, trace)?.rank, 0);
  assert.equal('track' in markOf(several!), false);
});

test('a collapsed rank is a place of all its rows', () => {
  assert.equal(placeOf({ ...at, rows: [{ rank: 5 }] }, trace)?.track, null);
});

test('a thread goes by its name, not by its id', () => {
  assert.equal(placeText({ rank: 0, track: 0, begin_ns: 0, end_ns: 1 }, trace), 'rank 0, pt_main_thread');
});

test('a typed place counts from the first event; what is wrong with it is said', () => {
  const typed = parseTypedPlace({ rank: '5', from: '0,5', to: '1.5' }, trace);
  assert.deepEqual(typed, {
    ok: true,
    value: { rank: 5, track: null, begin_ns: 500_000, end_ns: 1_500_000 },
  });
  assert.deepEqual(parseTypedPlace({ rank: '', from: '', to: ' ' }, trace), { ok: true, value: undefined });
  assert.equal(parseTypedPlace({ rank: '3', from: '0', to: '1' }, trace).ok, false);
  assert.equal(parseTypedPlace({ rank: '0', from: '2', to: '1' }, trace).ok, false);
  assert.equal(parseTypedPlace({ rank: '0', from: 'x', to: '' }, trace).ok, false);
});
