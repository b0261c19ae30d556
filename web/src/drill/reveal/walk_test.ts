import assert from 'node:assert/strict';
import { test } from 'node:test';
import { framesOfStop, hullOf, stopsOf } from './walk';

const at = (begin_ns: number, end_ns: number) => ({ rank: 0, track: 0, begin_ns, end_ns });
const kEvidence = ['A', 'B'].map((letter) => ({ letter, ...at(0, 1), text: `what ${letter} is` }));
const kOrder = ['step', 'gaps', 'overlap', 'longest'].map((id, index) => ({
  id,
  text: `the ${id}`,
  spans: id === 'gaps' ? [at(10, 20), at(40, 45)] : [at(index, index + 1)],
}));

test('the walk follows the reading order; the letters, as they are spoken of, belong to the overlap', () => {
  const stops = stopsOf({
    reading_order: kOrder,
    signature: [{ text: 'first', evidence: ['B'] }],
    evidence: kEvidence,
  });
  assert.deepEqual(
    stops.map(({ id, letter }) => letter ?? id),
    ['step', 'gaps', 'overlap', 'B', 'A', 'longest'],
  );
  assert.equal(stops[3]?.text, 'what B is');
});

test('a walk without evidence has the lines alone, one without lines the letters alone', () => {
  const idsOf = (truth: Parameters<typeof stopsOf>[0]) =>
    stopsOf(truth).map(({ id, letter }) => letter ?? id);
  assert.deepEqual(idsOf({ reading_order: kOrder, signature: [], evidence: [] }), [
    'step',
    'gaps',
    'overlap',
    'longest',
  ]);
  assert.deepEqual(idsOf({ reading_order: [], signature: [], evidence: kEvidence }), ['A', 'B']);
});

test('a line frames each of its spans under its own number; a letter has its frame already', () => {
  const stops = stopsOf({ reading_order: kOrder, signature: [], evidence: kEvidence });
  const frames = framesOfStop(stops[1], stops);
  assert.deepEqual(
    frames.map(({ letter, beginNs }) => [letter, beginNs]),
    [
      ['2', 10],
      ['2', 40],
    ],
  );
  assert.equal(framesOfStop(stops[5], stops)[0]?.letter, '4');
  assert.deepEqual(framesOfStop(stops[3], stops), []);
  assert.deepEqual(hullOf(stops[1]!.spans), { beginNs: 10, endNs: 45 });
  assert.equal(hullOf([]), undefined);
});
