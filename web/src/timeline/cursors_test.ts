import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRank, buildTrace } from '../client/testing/trace_builder';
import { addCursor, distanceOf, snapToEdge } from './cursors';
import { layoutRows } from './rows';

test('two cursors measure, a third begins anew', () => {
  const one = addCursor([], 500);
  assert.equal(distanceOf(one), undefined);
  const two = addCursor(one, 200);
  assert.equal(distanceOf(two), 300);
  assert.deepEqual(addCursor(two, 900), [900]);
});

test('a cursor snaps to the nearest edge within reach', () => {
  const at = (start: number, dur: number) => ({ name: 'k', kind: 'compute' as const, start, dur });
  const trace = buildTrace(buildRank(0, [{ slices: [at(100, 50), at(200, 30)] }]));
  const layout = layoutRows(trace, { openRanks: new Set([0]) });
  assert.equal(snapToEdge(layout, 153, 10), 150);
  assert.equal(snapToEdge(layout, 192, 10), 200);
  assert.equal(snapToEdge(layout, 236, 10), 230);
  assert.equal(snapToEdge(layout, 175, 10), 175);
});
