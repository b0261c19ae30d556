import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shorten } from './shorten';

test('what fits is whole, what does not is cut between characters', () => {
  assert.equal(shorten('first.1/4294967295'), 'first.1/4294967295');
  assert.equal(shorten('a'.repeat(40)), 'a'.repeat(40));
  assert.equal(shorten('a'.repeat(50_000)), `${'a'.repeat(40)}\u2026`);
  assert.equal(shorten('\u{1f600}'.repeat(40)), '\u{1f600}'.repeat(40));
  assert.equal(shorten('\u{1f600}'.repeat(41)), `${'\u{1f600}'.repeat(40)}\u2026`);
});
