import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Graded, Question } from './api';
import { outcomeOf, toMathAttempt, toWire } from './attempts';
import { isMathMode, leftText, minutesText, reduce, type State } from './state';

const question: Question = {
  problem: 'math.1/0123456789ab',
  question: 'How long?',
  conventions: '',
  asks: 'number',
  unit: 'ms',
  choices: null,
};
const graded: Graded = {
  ...question,
  category: 'ring_all_reduce',
  seed: 7,
  grade: 'close',
  why: 'It is 10.2 ms.',
  slip: 'both directions',
  read_as: '5.1 ms',
  in_time: true,
  open_book: false,
  answer_text: '10.2 ms',
  steps: [],
  shortcut: null,
  in_practice: null,
  source: null,
};

const asking = (): State =>
  reduce({ phase: 'loading' }, { type: 'opened', question, nowMs: 5, wallMs: 1000 });

test('a sum is asked, typed and graded', () => {
  let state = reduce(asking(), { type: 'typed', text: '5.1 ms' });
  state = reduce(state, { type: 'send' });
  assert.ok(state.phase === 'asking' && state.isSending);
  state = reduce(state, { type: 'graded', graded, elapsedMs: 9000 });
  assert.deepEqual(state, { phase: 'graded', graded, text: '5.1 ms', elapsedMs: 9000 });
});

test('what cannot be read is no attempt: text and clock stay', () => {
  let state = reduce(asking(), { type: 'typed', text: '5 apples' });
  state = reduce(reduce(state, { type: 'send' }), { type: 'refused', message: 'expected a time' });
  assert.ok(state.phase === 'asking');
  assert.equal(state.text, '5 apples');
  assert.equal(state.startMs, 5);
  assert.equal(state.error, 'expected a time');
  const typed = reduce(state, { type: 'typed', text: '5' });
  assert.ok(typed.phase === 'asking' && typed.error === undefined);
});

test('a grade that comes too late for another question changes nothing', () => {
  const loading = reduce(asking(), { type: 'load' });
  assert.equal(reduce(loading, { type: 'graded', graded, elapsedMs: 1 }), loading);
});

test('what is kept of an attempt, and what the core is told of it', () => {
  const kept = toMathAttempt(graded, { answer: '5.1 ms', mode: 'one', elapsedMs: 9000.4, atMs: 77 });
  assert.equal(kept.elapsed_ms, 9000);
  assert.equal(kept.slip, 'both directions');
  assert.deepEqual(toWire([kept]), [
    { category: 'ring_all_reduce', grade: 'close', in_time: true, open_book: false, elapsed_ms: 9000 },
  ]);
  assert.equal(outcomeOf(kept), 'close');
  assert.equal(outcomeOf({ ...kept, in_time: false }), 'miss');
});

test('clocks: down to 0:00 exactly at the end', () => {
  assert.equal(leftText(120_000), '2:00');
  assert.equal(leftText(119_001), '2:00');
  assert.equal(leftText(1), '0:01');
  assert.equal(leftText(0), '0:00');
  assert.equal(leftText(-5), '0:00');
  assert.equal(minutesText(61_999), '1:01');
});

test('modes by name', () => {
  assert.ok(isMathMode('storm'));
  assert.ok(!isMathMode('problem'));
});
