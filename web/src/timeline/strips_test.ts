import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRank, buildTrace } from '../client/testing/trace_builder';
import { buildDrawList } from './draw_list';
import { layoutRows } from './rows';
import { composeStrips, parseHex, type Rgb } from './strips';
import { TimeScale } from './time_scale';

const kColors: readonly Rgb[] = [
  [200, 0, 0],
  [0, 200, 0],
  [0, 0, 200],
  [0, 0, 0],
  [0, 0, 0],
];

test('a column has the opacity of what covers it and the mean colour of the kinds in it', () => {
  const at = (kind: 'compute' | 'comm', start: number, dur: number) => ({ name: 'k', kind, start, dur });
  const trace = buildTrace(
    buildRank(0, [{ slices: [at('compute', 0, 40), at('compute', 100, 20), at('comm', 140, 20)] }]),
  );
  const layout = layoutRows(trace, { openRanks: new Set([0]) });
  const scale = new TimeScale({ beginNs: 0, endNs: 1000 }, 10, 1);
  const strips = composeStrips(
    buildDrawList(layout, { scale, scrollTop: 0, height: layout.height, charWidth: 7 }),
    kColors,
  );
  assert.equal(strips.places.length, 1);
  assert.deepEqual([...strips.pixels.subarray(0, 4)], [200, 0, 0, 102]);
  const [red = 0, green = 0, , alpha = 0] = strips.pixels.subarray(4, 8);
  assert.ok(Math.abs(alpha - 102) <= 1, `${alpha}`);
  assert.ok(Math.abs(red - 100) <= 2 && Math.abs(green - 100) <= 2, `${red} ${green}`);
  assert.deepEqual([...strips.pixels.subarray(8, 12)], [0, 0, 0, 0], 'an empty column stays clear');
});

test('colours of the tokens are read, others are not guessed', () => {
  assert.deepEqual(parseHex(' #2b6cb0'), [43, 108, 176]);
  assert.equal(parseHex('rgb(1 2 3)'), undefined);
});
