import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toAttempt, type AttemptInput } from './attempts';
import type { Commit, Reveal } from './messages';

const kCommit: Commit = { diagnosis: 'healthy', elapsed_ms: 5000, paused: false };
const kReveal = {
  truth: { cause: 'straggler' },
  verdict: { right: 1, of: 7, in_time: true, parts: [{ id: 'diagnosis', grade: 'wrong' }] },
} as unknown as Reveal;
const kInput: AttemptInput = {
  drill: 'core.1/7',
  mode: 'full',
  reveal: kReveal,
  commit: kCommit,
  hasClock: true,
  inTime: true,
  bought: ['sm_clocks'],
  notes: { prints: '', spoken: 'steps of 80 ms' },
  atMs: 1,
};

test('an attempt holds what it was, what it was called, and how it was graded', () => {
  const attempt = toAttempt(kInput, []);
  assert.equal(attempt.cause, 'straggler');
  assert.equal(attempt.diagnosis, 'healthy');
  assert.equal(attempt.grades.diagnosis, 'wrong');
  assert.equal(attempt.confidence_percent, null);
  assert.ok(attempt.timed && attempt.counts);
});

test('a drill whose truth has been seen does not count; a pause takes the time away', () => {
  const first = toAttempt(kInput, []);
  assert.equal(toAttempt(kInput, [first]).counts, false);
  assert.equal(toAttempt({ ...kInput, drill: 'core.1/8' }, [first]).counts, true);
  assert.equal(toAttempt({ ...kInput, commit: { ...kCommit, paused: true } }, []).timed, false);
  assert.equal(toAttempt({ ...kInput, hasClock: false }, []).timed, false);
});
