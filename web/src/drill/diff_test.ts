import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffLines } from './diff';

const text = (before: string, after: string) => diffLines(before, after).map((line) => line.sign + line.text);

test('kept, removed and added lines, the removed one first', () => {
  assert.deepEqual(text('a\nold\nb\n', 'a\nnew\nnewer\nb'), [' a', '-old', '+new', '+newer', ' b']);
});

test('the same code has only kept lines; no code has none', () => {
  assert.deepEqual(text('a\nb', 'a\nb'), [' a', ' b']);
  assert.deepEqual(text('', ''), []);
});

test('one side alone is all added or all removed', () => {
  assert.deepEqual(text('', 'a\nb'), ['+a', '+b']);
  assert.deepEqual(text('a', ''), ['-a']);
});
