import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRank, buildTrace } from '../../client/testing/trace_builder';
import { kernelNamedIn, stopsOf } from './walk';

const kEvidence = ['A', 'B'].map((letter) => ({
  letter,
  rank: 0,
  track: 0,
  begin_ns: 0,
  end_ns: 1,
  text: `what ${letter} is`,
}));
const kRead = ['step', 'gaps', 'overlap', 'longest'].map((id) => ({ id, text: `the ${id}` }));

test('the walk follows the reading order; the letters, as they are spoken of, belong to the overlap', () => {
  const stops = stopsOf({
    read: kRead,
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
  assert.deepEqual(idsOf({ read: kRead, signature: [], evidence: [] }), [
    'step',
    'gaps',
    'overlap',
    'longest',
  ]);
  assert.deepEqual(idsOf({ read: [], signature: [], evidence: kEvidence }), ['A', 'B']);
});

test('the kernel that a line names is the longest of that name in the step, on the rank that it names', () => {
  const at = (name: string, start: number, dur: number) => ({ name, kind: 'compute' as const, start, dur });
  const trace = buildTrace(
    buildRank(0, [{ slices: [at('gemm_a', 0, 90), at('gemm_a', 100, 20), at('gemm_b', 130, 60)] }]),
    buildRank(1, [{ slices: [at('gemm_a', 100, 30), at('gemm_a', 180, 50)] }]),
  );
  const within = { beginNs: 100, endNs: 200 };
  assert.deepEqual(kernelNamedIn('gemm_a, 20 ns on rank 0.', trace, within), { rank: 0, slice: 1 });
  assert.deepEqual(kernelNamedIn('gemm_a, 30 ns on rank 1.', trace, within), { rank: 1, slice: 0 });
  assert.deepEqual(kernelNamedIn('gemm_b..., 60 ns on rank 0.', trace, within), { rank: 0, slice: 2 });
  assert.equal(kernelNamedIn('conv..., 60 ns on rank 0.', trace, within), undefined);
  assert.equal(kernelNamedIn('gemm_a, 30 ns on rank 10.', trace, within), undefined);
  assert.equal(kernelNamedIn('no kernel above 1 ns on rank 0', trace, within), undefined);
});
